"""What speaks for a tile that was laid, by what everybody sees: nothing of the hand from which it came.

Why a bot chose it, its values would tell, and with them its tiles. So this is what anybody could say of the move.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from games.bots import player_of
from games.bots.determinization import groups_of
from games.engine.events import Played
from games.engine.tiles import is_double, pips
from games.engine.view import View

HEAVY = 0.75
"""A tile with this share of the pips of the heaviest one is heavy."""
FEW = 1 / 3
"""If at most this share of the tiles that are not on the table fits, few do."""


class Reason(NamedTuple):
    """What speaks for a tile, with a number.

    ``kind`` is ``points`` (it scores so many), ``stuck`` (the player in that seat, the next one, cannot have a tile
    that fits), ``few`` (so many of the tiles that are not on the table fit), ``pips`` (it gets rid of so many) or
    ``double``.
    """

    kind: str
    value: int = 0


def reasons(view: View, play: Played) -> list[Reason]:
    """Return what speaks for a tile that was laid in the round; ``view`` is that of a viewer without a seat."""
    found = []
    if play.points.total > 0:
        found.append(Reason("points", play.points.total))
    if (stuck := _stuck(view, play)) is not None:
        found.append(Reason("stuck", stuck))
    elif (fitting := _few(view, play)) is not None:
        found.append(Reason("few", fitting))
    if player_of(view.rules.key).sheds:
        heaviest = max(map(pips, view.rules.tile_set))
        if pips(play.tile) >= HEAVY * heaviest:
            found.append(Reason("pips", pips(play.tile)))
        if is_double(play.tile):
            found.append(Reason("double"))
    return found


def _stuck(view: View, play: Played) -> int | None:
    """Return the seat to move if it was to move next and certainly has no tile that fits."""
    round_ = view.round
    seat = round_.to_move
    if seat is None or seat == play.seat or round_.plays[-1] is not play or round_.moves[-1].act != "play":
        return None
    if not view.rules.must_play_rule:
        return None
    tiles = {tile for group in groups_of(view.rules, view)[seat] for tile in group.tiles}
    return None if any(round_.layout.places(tile) for tile in tiles) else seat


def _few(view: View, play: Played) -> int | None:
    """Return how many of the tiles that are not on the table fit now, if they are few and this tile made it so."""
    round_ = view.round
    if round_.plays[-1] is not play or round_.over is not None:
        return None
    given = [found[0] for text in round_.start if (found := view.rules.layout.read(text))]
    away = Counter(view.rules.tile_set) - Counter([*given, *(laid.tile for laid in round_.plays)])
    fitting = sum(number for tile, number in away.items() if round_.layout.places(tile))
    return fitting if fitting <= FEW * away.total() else None
