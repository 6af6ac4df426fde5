"""Reasons for a move that follow from public information.

The true reasons of a bot would reveal its tiles, so these are reasons that any spectator could give.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from games.bots import bot_for_variant
from games.bots.determinization import hidden_tile_groups
from games.engine.events import Played
from games.engine.tiles import is_double, pips
from games.engine.view import View

MIN_HEAVY_SHARE = 0.75  # a tile with this share of the pips of the heaviest tile is heavy
MAX_FEW_SHARE = 1 / 3  # up to this share of the tiles that are not on the table is "few"


class Reason(NamedTuple):
    """A reason for a tile, and its number.

    ``kind`` is ``points`` (points scored), ``stuck`` (seat of the next player, who has no tile that fits), ``few``
    (number of tiles not on the table that fit), ``pips`` (pips of a heavy tile) or ``double``.
    """

    kind: str
    value: int = 0


def reasons_for_play(view: View, play: Played) -> list[Reason]:
    """Return the reasons for a tile played in the current round; ``view`` is a spectator's."""
    reasons = []
    if play.points.total > 0:
        reasons.append(Reason("points", play.points.total))
    if (seat := _seat_left_without_move(view, play)) is not None:
        reasons.append(Reason("stuck", seat))
    elif (count := _few_fitting_tiles(view, play)) is not None:
        reasons.append(Reason("few", count))
    if bot_for_variant(view.rules.key).plays_heavy_tiles_early:
        heaviest = max(map(pips, view.rules.tile_set))
        if pips(play.tile) >= MIN_HEAVY_SHARE * heaviest:
            reasons.append(Reason("pips", pips(play.tile)))
        if is_double(play.tile):
            reasons.append(Reason("double"))
    return reasons


def _seat_left_without_move(view: View, play: Played) -> int | None:
    """Return the seat to move if this tile was the last move and the seat certainly has no tile that fits."""
    round_ = view.round
    seat = round_.to_move
    if seat is None or seat == play.seat or round_.plays[-1] is not play or round_.moves[-1].act != "play":
        return None
    if not view.rules.must_play_rule:
        return None
    tiles = {tile for group in hidden_tile_groups(view.rules, view)[seat] for tile in group.tiles}
    return None if any(round_.layout.places(tile) for tile in tiles) else seat


def _few_fitting_tiles(view: View, play: Played) -> int | None:
    """Return how many tiles that are not on the table fit now, if they are few and this tile is the last one."""
    round_ = view.round
    if round_.plays[-1] is not play or round_.over is not None:
        return None
    tiles_on_table = [placement[0] for text in round_.start if (placement := view.rules.layout.read(text))]
    tiles_on_table += [earlier_play.tile for earlier_play in round_.plays]
    hidden = Counter(view.rules.tile_set) - Counter(tiles_on_table)
    fitting = sum(count for tile, count in hidden.items() if round_.layout.places(tile))
    return fitting if fitting <= MAX_FEW_SHARE * hidden.total() else None
