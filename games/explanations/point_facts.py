"""Facts of games in which moves score: All Fives, Triominoes and Rytmino."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.engine.moves import Draw, Play
from games.engine.tiles import Tile
from games.explanations.fact import Fact
from games.explanations.standpoint import Aftermath

MIN_SCORE_DIFFERENCE = {"triominoes": 6, "rytmino": 4}
# Points by which answers to two moves, or own continuations, must differ. In Triominoes only a bonus does that.
MIN_ANSWER_DIFFERENCE = {"triominoes": 20, "rytmino": 6}
USUAL_ANSWER_DIFFERENCE = 5
MIN_ANSWER_RATIO = 1.25
MIN_COUNT_DIFFERENCE = 3  # hidden tiles that score
BONUSES = {"triominoes.hexagon": "hexagon", "triominoes.bridge": "bridge"}
Best = tuple[int, Tile]  # the points of the best placement, and its tile
NOTHING: Best = (0, ())


def point_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield the facts of a position in a game in which moves score; none in others."""
    if better.before.rules.are_points_bad:
        return
    wins = _wins(better)
    if wins and not _wins(worse):
        yield Fact("wins", True)
    if not wins:
        yield from _threat_facts(better, worse)
    yield from _scoring_facts(better, worse)
    yield from _answer_facts(better, worse)
    yield from _continuation_facts(better, worse)


def _wins(after: Aftermath) -> bool:
    """Return whether the move reaches the target, which ends the match at once (``all_fives.target``)."""
    before = after.before
    if before.rules.key != "all_fives" or before.view.target is None or not after.points:
        return False
    return before.view.seats[before.seat].standing.points + after.points >= before.view.target


def _threat_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield a tile with which the next player can win the match only after the worse move (``all_fives.target``)."""
    before = worse.before
    if before.rules.key != "all_fives" or before.view.target is None:
        return
    missing = before.view.target - before.view.seats[before.next_seat].standing.points
    seats = [before.next_seat]
    tiles = _possible_answers(worse, seats)
    if _best(_possible_answers(better, seats))[0] < missing <= _best(tiles)[0]:
        yield Fact("threat", False, (before.next_seat, before.view.target, *_best(tiles)[1]))


def _possible_answers(after: Aftermath, seats: Sequence[int]) -> dict[Tile, int]:
    """Return the answers that one of these seats may have in hand."""
    possible = frozenset[Tile]().union(*(after.before.possible.get(seat, ()) for seat in seats))
    return {tile: points for tile, points in after.answers.items() if tile in possible}


def _scoring_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield what the move itself scores (``.score``, ``.product``, ``.value``, ``.hexagon``, ``.bridge``)."""
    bonuses, bonuses_worse = bonuses_of(better), bonuses_of(worse)
    if new_bonuses := {kind: points for kind, points in bonuses.items() if points > bonuses_worse.get(kind, 0)}:
        yield from (Fact(kind, True, (better.points,)) for kind in new_bonuses)
    elif isinstance(worse.move, Draw) and better.points > worse.points:
        yield Fact("draw_costs", False, (-worse.points,))
    elif better.points - worse.points >= MIN_SCORE_DIFFERENCE.get(better.before.rules.key, 1):
        yield Fact("scores", True, (better.points - worse.points,))


def bonuses_of(after: Aftermath) -> dict[str, int]:
    """Return the bonus of a placement in Triominoes by kind."""
    if not isinstance(after.move, Play):
        return {}
    point_terms = after.before.rules.play_points(after.before.view.round, after.move).terms
    return {BONUSES[term.rule]: term.value for term in point_terms if term.rule in BONUSES}


def _answer_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield a tile that an opponent may have, and that scores more after the worse move than any after the better."""
    if isinstance(better.move, Draw) or isinstance(worse.move, Draw):
        return
    opponents = worse.before.opponents
    (points, tile), (fewer, _) = _best(_possible_answers(worse, opponents)), _best(better.answers)
    if _is_clear(points, fewer, worse):
        yield Fact("allows" if fewer else "allows_only", False, (points, fewer, *tile))
    elif worse.before.rules.key == "all_fives":
        many, few = (sum(map(bool, after.answers.values())) for after in (worse, better))
        if many - few >= MIN_COUNT_DIFFERENCE:
            yield Fact("few_score", True, (few, many))


def _continuation_facts(better: Aftermath, worse: Aftermath) -> Iterator[Fact]:
    """Yield a tile in hand that scores more after the better move than before it, than any after the worse one, and
    than any hidden tile.
    """
    if not better.continuations or isinstance(better.move, Draw):
        return
    points, tile = _best(better.continuations)
    earlier = max(_earlier_points(better, tile), _best(worse.continuations)[0])
    if points > _best(better.answers)[0] and _is_clear(points, earlier, better):
        yield Fact("prepares", True, (points, *tile))


def _earlier_points(after: Aftermath, tile: Tile) -> int:
    """Return the most points of a tile before the move."""
    round_, rules = after.before.view.round, after.before.rules
    points = [rules.play_points(round_, play).total for play in round_.layout.possible_plays([tile])]
    return max(points, default=0)


def _is_clear(more: int, fewer: int, after: Aftermath) -> bool:
    minimum = MIN_ANSWER_DIFFERENCE.get(after.before.rules.key, USUAL_ANSWER_DIFFERENCE)
    return more - fewer >= minimum and more >= MIN_ANSWER_RATIO * fewer


def _best(points_by_tile: Mapping[Tile, int]) -> Best:
    """Return the most points and the lowest tile that scores them."""
    if not points_by_tile:
        return NOTHING
    points = max(points_by_tile.values())
    return points, min(tile for tile, value in points_by_tile.items() if value == points)
