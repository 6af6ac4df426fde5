"""The recorded matches of Triominoes show what their table says."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from games.engine.events import Event, MatchEnded, Played, RoundDealt, RoundEnded, Term
from games.engine.evolve import fold
from games.engine.notation import import_match
from games.engine.state import State

FOLDER = Path(__file__).parents[1] / "records" / "triominoes"


def end(name: str) -> State:
    return fold(events(name))


def events(name: str) -> tuple[Event, ...]:
    return import_match(json.loads((FOLDER / f"{name}.json").read_text()))


def terms(name: str) -> list[Term]:
    """Return the terms of every placement."""
    return [term for event in events(name) if isinstance(event, Played) for term in event.points.terms]


def totals(ended: RoundEnded) -> list[int]:
    return [standing.points for standing in ended.standing]


def leads(name: str) -> list[tuple[RoundDealt, Played]]:
    """Return each deal with the lead after it."""
    moves = [event for event in events(name) if isinstance(event, RoundDealt | Played)]
    pairs = pairwise(moves)
    return [(deal, lead) for deal, lead in pairs if isinstance(deal, RoundDealt) and isinstance(lead, Played)]


def test_zeros_are_led_in_place_of_a_triple_or_not() -> None:
    assert any(lead.tile == (0, 0, 0) and lead.shown == deal.must_lead[:1] for deal, lead in leads("two-zeros"))
    chosen = [lead for deal, lead in leads("three-choice") if (0, 0, 0) in deal.must_lead[1:]]
    assert any(lead.tile != (0, 0, 0) and lead.shown == () for lead in chosen)


def test_a_round_without_triples() -> None:
    for name in ("four-no-triple", "three-three-hexagons"):
        assert any(len(set(deal.must_lead[0])) > 1 for deal, _ in leads(name))


def test_a_tie_makes_one_more_round() -> None:
    rounds = end("two-one-more-round").rounds
    tied = [ended for ended in rounds if ended.last and len(set(totals(ended))) == 1]
    assert tied
    assert rounds[-1] not in tied


def test_400_points_end_the_match_even_if_they_are_lost_again() -> None:
    rounds = end("two-pushed-back").rounds
    assert rounds[-1].last
    assert max(totals(rounds[-1])) < 400


def test_blocked_rounds() -> None:
    rounds = [ended for ended in end("two-negative-award").rounds if ended.reason == "blocked"]
    assert any(points.total < 0 for ended in rounds for points in ended.points)
    rounds = [ended for ended in end("two-nobody-scores").rounds if ended.reason == "blocked"]
    assert any(not points.terms for ended in rounds for points in ended.points[:1] if not ended.points[1].terms)
    assert any(ended.reason == "blocked" for ended in end("four-blocked").rounds)


def test_two_and_three_hexagons() -> None:
    assert Term("triominoes.hexagon", "+60", 60) in terms("two-two-hexagons")
    assert Term("triominoes.hexagon", "+70", 70) in terms("three-three-hexagons")


def test_the_ends_of_matches() -> None:
    over = end("four-shared-place").match_over
    assert isinstance(over, MatchEnded)
    assert over.places.count(1) == 1
    assert len(set(over.places)) == 3
    state = end("three-timeout")
    assert isinstance(state.match_over, MatchEnded)
    assert (state.match_over.reason, state.round.number, len(state.rounds)) == ("timeout", 2, 1)
