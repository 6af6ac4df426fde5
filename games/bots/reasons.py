"""Reasons for a move that follow from public information.

The true reasons of a bot would reveal its tiles, so these are reasons that any spectator could give.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from games.bots import player_of
from games.bots.determinization import groups_of
from games.engine.events import Played
from games.engine.tiles import is_double, pips
from games.engine.view import View

HEAVY = 0.75  # share of the pips of the heaviest tile from which a tile is heavy
FEW = 1 / 3  # at most this share of the tiles that are not on the table is "few"


class Reason(NamedTuple):
    """A reason for a tile, and its number.

    ``kind`` is ``points`` (points scored), ``stuck`` (seat of the next player, who has no tile that fits), ``few``
    (number of tiles not on the table that fit), ``pips`` (pips of a heavy tile) or ``double``.
    """

    kind: str
    value: int = 0


def reasons(view: View, play: Played) -> list[Reason]:
    """Return the reasons for a tile played in the current round; ``view`` is a spectator's."""
    rows = []
    if play.points.total > 0:
        rows.append(Reason("points", play.points.total))
    if (stuck := _stuck(view, play)) is not None:
        rows.append(Reason("stuck", stuck))
    elif (fitting := _few(view, play)) is not None:
        rows.append(Reason("few", fitting))
    if player_of(view.rules.key).sheds:
        heaviest = max(map(pips, view.rules.tile_set))
        if pips(play.tile) >= HEAVY * heaviest:
            rows.append(Reason("pips", pips(play.tile)))
        if is_double(play.tile):
            rows.append(Reason("double"))
    return rows


def _stuck(view: View, play: Played) -> int | None:
    """Return the seat to move if this tile was the last move and the seat certainly has no tile that fits."""
    round_ = view.round
    seat = round_.to_move
    if seat is None or seat == play.seat or round_.plays[-1] is not play or round_.moves[-1].act != "play":
        return None
    if not view.rules.must_play_rule:
        return None
    tiles = {tile for group in groups_of(view.rules, view)[seat] for tile in group.tiles}
    return None if any(round_.layout.places(tile) for tile in tiles) else seat


def _few(view: View, play: Played) -> int | None:
    """Return how many tiles that are not on the table fit now, if they are few and this tile is the last one."""
    round_ = view.round
    if round_.plays[-1] is not play or round_.over is not None:
        return None
    tiles = [placement[0] for text in round_.start if (placement := view.rules.layout.read(text))]
    tiles += [other.tile for other in round_.plays]
    hidden = Counter(view.rules.tile_set) - Counter(tiles)
    fitting = sum(count for tile, count in hidden.items() if round_.layout.places(tile))
    return fitting if fitting <= FEW * hidden.total() else None
