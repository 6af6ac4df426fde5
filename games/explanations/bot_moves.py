"""Reasons for a bot's move that any spectator can see.

The true reasons of a bot would reveal its tiles. A reason compares the table with the one before the move, or the tile
with other places and with other hidden tiles, so that it does not fit any move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from games.bots import bot_for_variant
from games.engine.events import Played
from games.engine.evolve import starting_layout
from games.engine.moves import Play
from games.engine.rules import PASS
from games.engine.state import replace_fields
from games.engine.tiles import Tile, pips
from games.engine.view import View
from games.explanations.facts import MAX_FACTS
from games.explanations.point_facts import bonuses_of
from games.explanations.standpoint import Aftermath, Standpoint

MIN_FEWER_FITTING = 3  # hidden tiles that fit no more after the move
MAX_FITTING_SHARE = 2 / 3  # of those that fitted before
MAX_RARE = 2  # hidden tiles that have a number
MIN_LIGHTER = 3  # hidden tiles that fitted and are lighter than the tile
MAX_ANSWER_POINTS_RATIO = 2 / 3  # of the points that a hidden tile would have scored before the move


class Reason(NamedTuple):
    """A reason for a tile. ``values`` are numbers, or a seat, as ``games.words.reasons`` says for each kind."""

    kind: str
    values: tuple[int, ...] = ()


def reasons_for_play(view: View, play: Played) -> list[Reason]:
    """Return at most two reasons for a tile played in the current round; ``view`` is a spectator's."""
    after = standpoint_before(view, play).after(Play(play.tile, play.place))
    reasons = list(_score_reasons(after))
    if view.round.plays[-1] is play and view.round.over is None:
        reasons += _follow_reasons(after, is_last_move=view.round.moves[-1].act == "play")
        reasons += _answer_reasons(after)
    reasons += _weight_reasons(after)
    return reasons[:MAX_FACTS]


def standpoint_before(view: View, play: Played) -> Standpoint:
    """Return the position in which a tile of this round was played, as spectators saw it."""
    round_ = view.round
    number = next(index for index, other in enumerate(round_.plays) if other is play)
    layout = starting_layout(view.rules, round_.start)
    for earlier in round_.plays[:number]:
        layout = layout.place(earlier.tile, earlier.place)
    placements = [index for index, move in enumerate(round_.moves) if move.act == "play"]
    later = round_.moves[placements[number] :]
    counts = Counter[int]()
    for move in later:
        counts[move.seat] += (move.act == "play") - (move.act == "draw")
    seats = tuple([replace_fields(row, count=row.count + counts[row.seat], hand=None) for row in view.seats])
    earlier_moves, earlier_plays = round_.moves[: placements[number]], round_.plays[:number]
    before = replace_fields(
        round_, layout=layout, plays=earlier_plays, moves=earlier_moves, to_move=play.seat, over=None
    )
    return Standpoint(replace_fields(view, viewer=None, round=before, seats=seats, legal=()), play.seat)


def _score_reasons(after: Aftermath) -> Iterator[Reason]:
    """Yield what the tile scores, if it scores more than it would elsewhere or than most tiles do."""
    before, tile = after.before, after.tile
    if before.rules.are_points_bad or tile is None:
        return
    by_place = _points_by_place(before, tile)
    if bonuses := bonuses_of(after):
        yield from (Reason(kind, (after.points,)) for kind in bonuses)
    elif len(by_place) > 1 and by_place.count(max(by_place)) == 1 and after.points == max(by_place) > 0:
        yield Reason("best_place", (after.points,))
    elif after.points > max(_points_before(after).values(), default=after.points):
        yield Reason("most", (after.points,))
    elif before.rules.counts_ends and after.points:
        yield Reason("points", (after.points,))


def _points_by_place(before: Standpoint, tile: Tile) -> list[int]:
    round_ = before.view.round
    return [before.rules.play_points(round_, play).total for play in round_.layout.possible_plays([tile])]


def _follow_reasons(after: Aftermath, *, is_last_move: bool) -> Iterator[Reason]:
    """Yield who cannot follow, or that fewer hidden tiles fit than before."""
    before, layout = after.before, after.before.view.round.layout
    if is_last_move and before.rules.must_play_rule and after.stuck_seat is not None:
        yield Reason("stuck", (after.stuck_seat,))
        return
    for seat in before.opponents if is_last_move else ():
        if numbers := after.numbers_lacking(seat) - _open_numbers(before):
            yield Reason("lacks", (seat, min(numbers)))
            return
    if not before.view.round.plays:
        return
    rare = {number: sum(number in tile for tile in after.hidden) for number in after.open_numbers}
    number = min(rare.keys() - _open_numbers(before), key=lambda number: (rare[number], number), default=None)
    if number is not None and 0 < rare[number] <= MAX_RARE:
        yield Reason("rare", (rare[number], number))
    else:
        fitting = sum(count for tile, count in after.hidden.items() if layout.places(tile))
        few = after.hidden_fitting
        if fitting - few >= MIN_FEWER_FITTING and few <= MAX_FITTING_SHARE * fitting:
            yield Reason("few", (few, fitting))


def _open_numbers(before: Standpoint) -> frozenset[int]:
    return before.after(PASS).open_numbers


def _answer_reasons(after: Aftermath) -> Iterator[Reason]:
    """Yield what hidden tiles could score before the move, and cannot any more."""
    before = after.before
    if before.rules.are_points_bad or not before.view.round.plays:
        return
    earlier = _points_before(after)
    most, most_now = max(earlier.values(), default=0), max(after.answers.values(), default=0)
    if before.rules.counts_ends:
        if most and not most_now:
            yield Reason("quiet")
    elif most > after.points and most_now <= MAX_ANSWER_POINTS_RATIO * most:
        yield Reason("takes_place", (most,))


def _points_before(after: Aftermath) -> Mapping[Tile, int]:
    """Return the most points of every hidden tile but the one played, before the move."""
    return after.before.after(PASS).best_points(after.hidden)


def _weight_reasons(after: Aftermath) -> Iterator[Reason]:
    """Yield that no hidden tile that fitted was as heavy, where pips left in hand count."""
    before, layout = after.before, after.before.view.round.layout
    is_lead = not before.view.round.plays
    if is_lead or after.tile is None or not bot_for_variant(before.rules.key).plays_heavy_tiles_early:
        return
    fitting = [pips(tile) for tile in after.hidden if layout.places(tile)]
    if len(fitting) >= MIN_LIGHTER and max(fitting) < pips(after.tile):
        yield Reason("heaviest", (pips(after.tile),))
