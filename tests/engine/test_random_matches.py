"""Properties of random matches of all variants. Tiles, records and illegal moves: test_soak.py."""

from __future__ import annotations

import random
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.decide import advance, apply_move, deal_round, decide, hold_seat, new_match
from games.engine.events import (
    CLOCK,
    Drew,
    Event,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Points,
    RoundDealt,
    RoundEnded,
    Standing,
)
from games.engine.evolve import APPLY_BY_TYPE, evolve, fold, start_state
from games.engine.moves import Pass
from games.engine.notation import EVENT_TYPES
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.variants import registry
from tests.engine.matches import Match, matches

RANDOM = settings(max_examples=12, deadline=None)


@RANDOM
@given(matches())
def test_match_ends_and_has_no_moves_afterwards(match: Match) -> None:
    end = fold(match.events)
    assert end.match_over is not None
    assert end.round.to_move is None
    assert not match.rules.pot(end)
    assert sorted(end.match_over.places)[0] == 1
    with pytest.raises(Refusal, match="over") as caught:
        decide(match.rules, end, 0, Pass())
    assert caught.value.code == "match_over"


@RANDOM
@given(matches())
def test_points_are_the_sum_of_their_terms(match: Match) -> None:
    for event in match.events:
        for points in points_of(event):
            assert points.total == sum(term.value for term in points.terms)
            assert all(term.rule in match.rules.rules_ids for term in points.terms)
        if isinstance(event, RoundEnded):
            assert event.rule in match.rules.rules_ids
        if isinstance(event, MatchEnded):
            leave_rules = (match.rules.leave_rule,) if event.seat is not None else ()
            assert event.rule in (*match.rules.rules_ids, *leave_rules)


def points_of(event: Event) -> tuple[Points, ...]:
    if isinstance(event, RoundEnded):
        return (*event.points, *event.made)
    if isinstance(event, MatchEnded):
        return event.rating
    return (event.points,) if isinstance(event, Played | Drew | Passed) else ()


@RANDOM
@given(matches())
def test_standing_is_the_previous_one_plus_the_points(match: Match) -> None:
    for state, event, after in match.steps():
        if not isinstance(event, RoundEnded):
            continue
        assert event.before == state.standing
        assert event.standing == after.standing
        rows = zip(event.before, event.points, event.standing, event.reset, strict=True)
        for before, points, standing, reset in rows:
            assert standing.points == (0 if reset else before.points + points.total)
            assert reset in ("", *match.rules.rules_ids)


@RANDOM
@given(matches())
def test_end_of_a_round_reports_the_points_of_its_moves(match: Match) -> None:
    standing_at_deal: tuple[Standing, ...] = ()
    for _, event, _ in match.steps():
        if isinstance(event, RoundDealt):
            standing_at_deal = event.standing
        if isinstance(event, RoundEnded):
            rows = zip(event.before, standing_at_deal, strict=True)
            gained = [before.points - initial.points for before, initial in rows]
            assert gained == [points.total for points in event.made or [Points(0)] * len(standing_at_deal)]


def compact_record(events: tuple[Event, ...]) -> list[Event]:
    """Return only the events that a state needs: the start, each end of a round, everything since the last deal."""
    deals = [index for index, event in enumerate(events) if isinstance(event, RoundDealt)]
    last = deals[-1] if deals else 1
    return [events[0], *(event for event in events[1:last] if isinstance(event, RoundEnded)), *events[last:]]


@RANDOM
@given(matches(), st.integers(0, 10**6).map(random.Random))
def test_compact_record_gives_the_same_state(match: Match, chance: random.Random) -> None:
    for cut in {len(match.events), *(chance.randint(1, len(match.events)) for _ in range(10))}:
        assert fold(compact_record(match.events[:cut])) == fold(match.events[:cut])


@RANDOM
@given(matches())
def test_moves_round_trip(match: Match) -> None:
    for state in match.running():
        moves = match.rules.legal_moves(state)
        texts = [match.rules.move_text(move) for move in moves]
        assert tuple(match.rules.parse_move(state, text) for text in texts) == moves
        assert len(set(texts)) == len(texts)


def test_a_record_must_begin_with_the_start() -> None:
    with pytest.raises(ValueError, match="MatchStarted"):
        fold([Passed(0, 1)])


def test_points_of_a_move_are_added_to_the_side_of_the_seat() -> None:
    """No move scores in Kozel, but the engine supports it: a variant only has to set the points of the event."""
    state = start_state(MatchStarted("kozel", 4, (("fish", "all"),), 1))
    state = replace(state, setup=replace(state.setup, sides=(0, 1, 0, 1)), standing=state.standing[:2])
    after = evolve(state, Passed(2, 3, Points(-10)))
    assert [standing.points for standing in after.standing] == [-10, 0]
    assert after.round.scored == -10


@pytest.mark.parametrize("rules", registry().values(), ids=registry())
def test_advance_equals_decide_and_evolve(rules: Rules) -> None:
    chance = Random("advance")
    size = len(rules.tile_set)
    for seats in rules.seat_counts:
        state = start_state(new_match(rules, seats, {}))
        for event in deal_round(rules, state, lambda _attempt: chance.sample(range(size), size)):
            state = evolve(state, event)
        for event in hold_seat(state, 0, "gone"):
            state = evolve(state, event)
        while state.round.to_move is not None:
            move = chance.choice(rules.legal_moves(state))
            seat, by, before = state.round.to_move, chance.choice(("", CLOCK)), state
            events = decide(rules, before, seat, move, by=by)
            for event in events:
                state = evolve(state, event)
            assert apply_move(rules, before, seat, move, by=by) == (events, state)
            assert advance(rules, before, seat, move, by=by) == (events, state)


def test_every_kind_of_event_but_the_first_is_applied() -> None:
    assert APPLY_BY_TYPE.keys() == set(EVENT_TYPES) - {MatchStarted}
