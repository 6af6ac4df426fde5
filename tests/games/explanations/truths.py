"""Checks every kind of fact against the whole state, in which all hands are known, by playing the moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain

from games.engine.decide import decide
from games.engine.events import Drew, Event, Passed, Played, Points
from games.engine.evolve import evolve
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.explanations.fact import Fact


class Case:
    """A state, the better and the worse move of the seat to move, and the states after them."""

    def __init__(self, state: State, better: Move, worse: Move) -> None:
        assert state.round.to_move is not None
        self.state, self.seat, self.rules = state, state.round.to_move, rules_for(state.setup.variant)
        self.moves = better, worse
        self.events = [decide(self.rules, state, self.seat, move) for move in self.moves]
        self.after = [applied(state, events) for events in self.events]

    @property
    def hidden(self) -> list[Tile]:
        """What the seat does not see: the other hands, the boneyard and the tiles set aside."""
        hands = [hand for seat, hand in enumerate(self.state.hands) if seat != self.seat]
        return [*chain(*hands), *self.state.boneyard, *self.state.aside]

    def points(self, move: int) -> Points:
        """Return the points of the move itself."""
        event = self.events[move][0]
        assert isinstance(event, Played | Drew | Passed)
        return event.points

    def scores(self, move: int) -> int:
        """Return the score of the seat if its hand counted now."""
        return self.state.standing[self.seat].points + self.hand_points(move)

    def hand_points(self, move: int) -> int:
        hand = self.after[move].hands[self.seat]
        return 10 if self.rules.key == "kozel" and hand == ((0, 0),) else sum(map(sum, hand))

    def fitting(self, move: int, tiles: list[Tile] | tuple[Tile, ...]) -> list[Tile]:
        return [tile for tile in tiles if playable(self.rules, self.after[move], tile)]

    def best(self, move: int, tiles: list[Tile] | tuple[Tile, ...]) -> dict[Tile, int]:
        """Return the most points of each tile, played as the next move, if it fits."""
        best = {tile: most_points(self.rules, self.after[move], tile) for tile in set(tiles)}
        return {tile: points for tile, points in best.items() if points is not None}


def applied(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def playable(rules: Rules, state: State, tile: Tile) -> bool:
    return bool(state.round.layout.places(tile))


def most_points(rules: Rules, state: State, tile: Tile) -> int | None:
    """Return the most points that the seat to move would get for a tile if it had it."""
    seat = state.round.to_move
    assert seat is not None
    hands = (*state.hands[:seat], (*state.hands[seat], tile), *state.hands[seat + 1 :])
    holding = replace(state, hands=hands)
    plays = [move for move in rules.legal_moves(holding) if isinstance(move, Play) and move.tile == tile]
    events = [decide(rules, holding, seat, move)[0] for move in plays]
    return max((event.points.total for event in events if isinstance(event, Played)), default=None)


def has(tiles: tuple[Tile, ...] | list[Tile], number: int) -> bool:
    return any(number in tile for tile in tiles)


def is_wins(case: Case, fact: Fact) -> bool:
    return case.after[0].match_over is not None and case.after[1].match_over is None


def is_closes(case: Case, fact: Fact) -> bool:
    move = 0 if fact.is_about_better else 1
    over, other = case.after[move].round.over, case.after[1 - move].round.over
    pips = sum(map(sum, case.after[move].hands[case.seat]))
    return over is not None and over.reason != "out" and other is None and fact.values == (pips,)


def is_blocks(case: Case, fact: Fact) -> bool:
    move = 0 if fact.is_about_better else 1
    over, other = case.after[move].round.over, case.after[1 - move].round.over
    return over is not None and over.points[case.seat].total == 0 and over.reason == "blocked" and other is None


def is_stuck(act: type[Move]) -> Callable[[Case, Fact], bool]:
    def check(case: Case, fact: Fact) -> bool:
        after = case.after[0]
        return fact.values == (after.round.to_move,) and [*map(type, case.rules.legal_moves(after))] == [act]

    return check


def is_lacks(case: Case, fact: Fact) -> bool:
    seat, number = fact.values
    return not has(case.state.hands[seat], number) and playable(case.rules, case.after[0], (number, number))


def is_own_end(case: Case, fact: Fact) -> bool:
    seat, number = fact.values
    is_own = seat == case.seat and has(case.after[0].hands[seat], number) and not has(case.hidden, number)
    return is_own and playable(case.rules, case.after[0], (number, number))


def is_few_fit(case: Case, fact: Fact) -> bool:
    return fact.values == tuple(len(case.fitting(move, case.hidden)) for move in (0, 1))


def is_remembered(case: Case, fact: Fact) -> bool:
    points = case.hand_points(0), case.hand_points(1)
    return not case.state.standing[case.seat].opened and points[0] < 13 <= points[1] and fact.values == (*points, 13)


def is_below_limit(case: Case, fact: Fact) -> bool:
    limit = case.rules.target(case.state)
    return limit is not None and case.scores(0) < limit <= case.scores(1) and fact.values[2] == limit


def is_keeps(case: Case, fact: Fact) -> bool:
    (number,) = fact.values
    with_number = [tile for tile in case.state.hands[case.seat] if number in tile]
    worse = case.moves[1]
    return isinstance(worse, Play) and with_number == [worse.tile] and with_number[0] in case.after[0].hands[case.seat]


def is_none_fits(case: Case, fact: Fact) -> bool:
    better, worse = (case.fitting(move, case.after[move].hands[case.seat]) for move in (0, 1))
    return bool(better) and not worse


def is_more_fit(case: Case, fact: Fact) -> bool:
    counts = tuple(len(case.fitting(move, case.after[move].hands[case.seat])) for move in (0, 1))
    return fact.values == counts and counts[0] > counts[1]


def is_strands(case: Case, fact: Fact) -> bool:
    count, number, *double = fact.values
    unplayed = [*case.hidden, *case.after[1].hands[case.seat]]
    tile = (number, number)
    openers = [other for other in unplayed if number in other and other != tile]
    return (
        tuple(double) == tile
        and tile in unplayed
        and not playable(case.rules, case.after[1], tile)
        and len(openers) == count
    )


def is_dead_double(case: Case, fact: Fact) -> bool:
    return is_strands(case, fact._replace(values=(0, *fact.values)))


def is_heavy(case: Case, fact: Fact) -> bool:
    better, worse = case.moves
    return isinstance(better, Play) and isinstance(worse, Play) and fact.values == (sum(better.tile), sum(worse.tile))


def is_bonus(rule: str) -> Callable[[Case, Fact], bool]:
    def check(case: Case, fact: Fact) -> bool:
        bonus, other = (sum(term.value for term in case.points(move).terms if term.rule == rule) for move in (0, 1))
        return bonus > other and fact.values == (case.points(0).total,)

    return check


def is_scores(case: Case, fact: Fact) -> bool:
    return fact.values == (case.points(0).total - case.points(1).total,)


def is_draw_costs(case: Case, fact: Fact) -> bool:
    return isinstance(case.moves[1], Draw) and fact.values == (-case.points(1).total,)


def is_threat(case: Case, fact: Fact) -> bool:
    seat, target, *tile = fact.values
    standing = case.state.standing[case.state.setup.sides[seat]].points
    return (
        seat == case.after[1].round.to_move
        and target == case.rules.target(case.state)
        and tuple(tile) in case.hidden
        and standing + case.best(1, [tuple(tile)])[tuple(tile)] >= target
    )


def is_allows(case: Case, fact: Fact) -> bool:
    points, fewer, *tile = fact.values
    highest = max(case.best(0, case.hidden).values(), default=0)
    return (
        tuple(tile) in case.hidden
        and case.best(1, [tuple(tile)]) == {tuple(tile): points}
        and max(0, highest) == fewer < points
    )


def is_few_score(case: Case, fact: Fact) -> bool:
    return fact.values == tuple(sum(points > 0 for points in case.best(move, case.hidden).values()) for move in (0, 1))


def is_prepares(case: Case, fact: Fact) -> bool:
    points, *tile = fact.values
    best, other = (case.best(move, case.after[move].hands[case.seat]) for move in (0, 1))
    before = most_points(case.rules, case.state, tuple(tile)) or 0
    return (
        tuple(tile) in case.after[0].hands[case.seat]
        and best[tuple(tile)] == points
        and points > max([before, *other.values(), *case.best(0, case.hidden).values()])
    )


CHECKS: Mapping[str, Callable[[Case, Fact], bool]] = {
    "wins": is_wins,
    "closes": is_closes,
    "blocks": is_blocks,
    "must_draw": is_stuck(Draw),
    "must_pass": is_stuck(Pass),
    "lacks": is_lacks,
    "own_end": is_own_end,
    "few_fit": is_few_fit,
    "remembered": is_remembered,
    "below_limit": is_below_limit,
    "keeps": is_keeps,
    "none_fits": is_none_fits,
    "more_fit": is_more_fit,
    "strands": is_strands,
    "dead_double": is_dead_double,
    "heavy": is_heavy,
    "hexagon": is_bonus("triominoes.hexagon"),
    "bridge": is_bonus("triominoes.bridge"),
    "scores": is_scores,
    "draw_costs": is_draw_costs,
    "threat": is_threat,
    "allows": is_allows,
    "allows_only": is_allows,
    "few_score": is_few_score,
    "prepares": is_prepares,
}
