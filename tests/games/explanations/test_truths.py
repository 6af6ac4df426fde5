"""Facts are true: they hold in the real position, whose hidden tiles the explanation cannot see."""

from __future__ import annotations

from itertools import islice, permutations
from random import Random
from typing import Any, cast

import pytest

from games.bots import bot_for_variant
from games.bots.outcomes import follow_round
from games.engine.decide import decide
from games.engine.events import Drew, Passed, Played
from games.engine.evolve import evolve
from games.engine.moves import Move
from games.engine.simulation.simulation import Simulation
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.explanations.courses import MEASURES
from games.explanations.facts import GROUPS, WEAK_GROUPS, position_facts
from games.explanations.standpoint import Standpoint
from games.explanations.texts import FORMS
from games.words import offered_variants
from tests.engine.positions import somewhere
from tests.games.explanations.truths import CHECKS, Case

PAIRS = 6  # of moves in each position


def test_every_kind_has_a_sentence_a_rank_and_a_check() -> None:
    ranked = {kind for group in (*GROUPS, *WEAK_GROUPS) for kind in group}
    assert ranked == CHECKS.keys()
    assert FORMS.keys() == ranked | {measure.kind for measures in MEASURES.values() for measure in measures}


@pytest.mark.parametrize("variant", offered_variants())
def test_facts_hold_in_the_real_position(variant: str) -> None:
    """Any two legal moves are compared, in positions with two to four seats."""
    rules, kinds = rules_for(variant), set()
    for number in range(24):
        state = somewhere(rules, f"truth {number}", 2 + number % 3, 3 + 2 * number)
        legal = rules.legal_moves(state)
        assert state.round.to_move is not None
        before = Standpoint(view_for(rules, state, state.round.to_move), state.round.to_move)
        Random(number).shuffle(order := list(permutations(legal, 2)))
        for better, worse in islice(order, PAIRS):
            case = Case(state, better, worse)
            for fact in position_facts(before, better, worse):
                kinds.add(fact.kind)
                if all(after.round.over is None for after in case.after) or fact.kind in ("closes", "blocks", "wins"):
                    assert CHECKS[fact.kind](case, fact), (number, better, worse, fact)
    assert len(kinds) >= 3


@pytest.mark.parametrize("variant", offered_variants())
def test_courses_are_what_the_engine_records(variant: str) -> None:
    """The moves of a playout are made again by the engine."""
    rules, player = rules_for(variant), bot_for_variant(variant)
    for number in range(6):
        state = somewhere(rules, f"course {number}", 2 + number % 3, 4 + 3 * number)
        seat, events = state.round.to_move, []
        assert seat is not None
        recorded = RecordingGame(player.simulation(state))
        first = recorded.numbers(rules.legal_moves(state))[0]
        final, course = follow_round(player, cast(Simulation, recorded), first, seat, Random(number))
        for move in recorded.record:
            assert state.round.to_move is not None
            for event in decide(rules, state, state.round.to_move, move):
                state = evolve(state, event)
                events.append(event)
        acts = [event for event in events if isinstance(event, Played | Drew | Passed)]
        turns = turns_of(acts)
        side_of = state.setup.sides
        replies = [turn for turn in turns[1 : own_turn(turns, seat)] if side_of[turn[0].seat] != side_of[seat]]
        own = turns[own_turn(turns, seat)] if own_turn(turns, seat) < len(turns) else []
        assert course.next_stuck == (len(turns) > 1 and not isinstance(turns[1][0], Played))
        assert course.replies == sum(event.points.total for turn in replies for event in turn)
        assert course.plays_next == (bool(own) and isinstance(own[0], Played))
        assert course.own_points == sum(event.points.total for event in own)
        over = state.round.over
        assert over is not None
        assert course.goes_out == (over.reason == "out" and over.seat == seat)
        assert course.points_at_end == over.points[side_of[seat]].total
        assert course.points_at_end + course.points_of_others == sum(points.total for points in over.points)
        assert final.standing == state.standing


class RecordingGame:
    """A simulation that also keeps its moves."""

    def __init__(self, game: Simulation) -> None:
        self.game, self.record = game, list[Move]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def make_move(self, move: int) -> None:
        self.record.append(self.game.move(move))
        self.game.make_move(move)


def turns_of(acts: list[Played | Drew | Passed]) -> list[list[Played | Drew | Passed]]:
    """Return the moves by turns; draws belong to the turn of the tile that follows."""
    turns: list[list[Played | Drew | Passed]] = []
    for act in acts:
        if not turns or turns[-1][0].seat != act.seat or not isinstance(turns[-1][-1], Drew):
            turns.append([])
        turns[-1].append(act)
    return turns


def own_turn(turns: list[list[Played | Drew | Passed]], seat: int) -> int:
    """Return the index of the next turn of a seat after the first turn."""
    return next((index for index, turn in enumerate(turns) if index and turn[0].seat == seat), len(turns))
