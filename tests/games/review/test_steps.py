"""Steps: every event belongs to one step, every step shows what was to be seen then, and nobody sees more."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    StandingSet,
)
from games.engine.tiles import tile_text
from games.engine.view import View
from games.html import Html
from games.match import snapshots
from games.match.table import Table
from games.models import Match
from games.rendering.frame import own_zones, sentence_zones, shared_zones
from games.rendering.seats import tile_list
from games.review import steps as review_steps
from games.review.match_steps import MatchSteps, Step, steps_from_events
from games.review.rendering import review_context
from games.words import offered_variants
from tests.games import tables
from tests.games.reviewed import (
    TWO_GAMES,
    import_recording,
    play_random_moves,
    play_to_move_counts,
    read_events,
    recording_files,
    state_at,
    stop_match,
    view_at,
)

FACE_UP = re.compile(r'class="face-up[^"]*" role="img" aria-label="([^"]*)"')
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
NO_STEPS = ["0", "-1", "1e3", " 1", "", "x", "٣", "½", "9" * 9, "9" * 5000]


def page(match: Match, client: Client | None = None, **query: Any) -> Any:
    return (client or Client()).get(reverse("match-review", args=[match.slug]), query)


def sitting(match: Match, seat: int) -> Client:
    return tables.browser_of(match.seats.get(index=seat).user)


def text(response: Any) -> str:
    return unescape(response.content.decode())


def match_steps_of(match: Match) -> MatchSteps:
    return review_steps.load_match_steps(match.pk, match.version)


def zones(match: Match, step: Step) -> dict[str, Html]:
    table = review_steps.table_at(match.pk, step)
    return shown(table, view_at(table, step, None, open_hands=False))


def shown(table: Table, view: View | None) -> dict[str, Html]:
    """Return what a spectator is shown. The figures of a whole match belong to no step."""
    groups = (
        shared_zones(table, view, "en"),
        sentence_zones(table, view, None, "en"),
        own_zones(table, view, None, "en"),
    )
    return {name: html for zones in groups for name, html in zones.markup.items()}


# Steps


def test_every_event_of_a_recorded_match_belongs_to_one_step() -> None:
    for path in recording_files():
        events = read_events(path)
        steps = steps_from_events([(event, START + timedelta(seconds=at)) for at, event in enumerate(events)])
        assert [event for step in steps for event in step.events] == [
            event for event in events if not isinstance(event, MatchStarted | DealVoided)
        ], path
        assert [step.number for step in steps] == list(range(1, len(steps) + 1)), path
        assert steps[-1].version == len(events), path
        for step in steps:
            assert events[step.version - 1] == step.events[-1], path
            first, *rest = step.events
            assert isinstance(first, RoundDealt | Played | Drew | Passed | MatchEnded), path
            assert not any(isinstance(event, RoundDealt | Played | Drew | Passed) for event in rest), path


def test_record_without_a_deal_has_steps() -> None:
    """Whatever a record holds, a page can be made of it."""
    over = MatchEnded("stopped", None, "", (), (), ())
    assert [step.round for step in steps_from_events([(StandingSet((), 0), START), (over, START)])] == [0, 0]
    assert steps_from_events([(RoundEnded(1, "out", 0, "", (), (), (), (), 0, None), START)]) == []


def test_the_time_of_a_step_is_the_time_since_the_one_before() -> None:
    dealt = RoundDealt(1, 1, (), (), 0, (), "", ())
    rows: list[tuple[Event, datetime]] = [
        (dealt, START),
        (Passed(0, 1), START + timedelta(seconds=7)),
        (Passed(1, 0), START + timedelta(seconds=9)),
    ]
    assert [step.time_taken.seconds for step in steps_from_events(rows)] == [0, 7, 2]


@pytest.mark.parametrize("variant", offered_variants())
def test_the_last_step_is_the_table_as_it_stands_in_the_end(variant: str) -> None:
    for match in (import_recording(recording_files(variant)[0]), stop_match(play_random_moves(variant, 12))):
        last = zones(match, match_steps_of(match).steps[-1])
        snapshot = snapshots.current_snapshot(match.pk)
        live = shown(replace(snapshot.table, summary=None), snapshot.view(None))
        for zone in ("board", "seats", "result", "scores"):
            assert last[zone] == live[zone]


@pytest.mark.parametrize("variant", offered_variants())
def test_each_step_is_the_table_as_spectators_saw_it_live(variant: str) -> None:
    """The table is remembered after every move, and then reviewed."""
    names = ("board", "seats", "result", "scores")
    seen = []
    for match in play_to_move_counts(variant, range(1, 9)):
        snapshot = snapshots.current_snapshot(match.pk)
        live = shown(replace(snapshot.table, summary=None), snapshot.view(None))
        seen.append([live[name] for name in names])
    looked = [zones(match, step) for step in match_steps_of(match).steps[1:]]
    assert [[back[name] for name in names] for back in looked] == seen


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_page_of_a_step_names_the_played_tile(variant: str) -> None:
    match = stop_match(play_random_moves(variant, 10))
    match_steps = match_steps_of(match)
    for step in match_steps.steps[::4]:
        response = page(match, at=step.number)
        assert response.status_code == 200
        assert f"{step.number} / {match_steps.last_number}" in text(response)
        assert text(response).count('aria-current="step"') >= 1
        move = step.events[0]
        if isinstance(move, Played):
            assert f"<span>{tile_text(move.tile)}" in text(response)


def test_steps_name_the_end_and_draws() -> None:
    match = import_recording(
        next(path for path in recording_files("kozel") if any(isinstance(e, Drew) for e in read_events(path)))
    )
    match_steps = match_steps_of(match)
    table = review_steps.table_at(match.pk, match_steps.steps[-1])
    texts = []
    for number in match_steps.round_starts().values():
        step = match_steps.step(number)
        view = view_at(table, step, None, open_hands=False)
        texts += [line.text for line in review_context(table, view, match_steps, step, language="en")["entries"]]
    assert {"draw"} <= set(texts)
    assert any(line.endswith(" on the left") for line in texts)
    assert any(line.endswith(" on the right") for line in texts)
    assert not any("Draw a tile" in line for line in texts)


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_links_lead_to_rounds_and_notable_steps(variant: str) -> None:
    match = import_recording(recording_files(variant)[0])
    match_steps = match_steps_of(match)
    table = review_steps.table_at(match.pk, match_steps.steps[-1])
    view = view_at(table, match_steps.steps[-1], None, open_hands=False)
    rounds = review_context(table, view, match_steps, match_steps.steps[-1], language="en")["rounds"]
    assert [entry.number for entry in rounds] == sorted(match_steps.round_starts().values())
    for entry in rounds:
        rounds_of_highlights = {match_steps.step(highlight.number).round for highlight in entry.highlights}
        assert rounds_of_highlights <= {match_steps.step(entry.number).round}
    leads = {number + 1 for number in match_steps.round_starts().values()}
    for highlight in (highlight for entry in rounds for highlight in entry.highlights if "+" in highlight.text):
        assert highlight.number not in leads


# Perspectives


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_a_player_of_a_running_match_sees_the_own_hand_as_it_was_and_no_other(variant: str) -> None:
    match = play_random_moves(variant, 9)
    match_steps = match_steps_of(match)
    client = sitting(match, 1)
    for step in match_steps.steps[::4]:
        state = state_at(match.pk, step)
        html = text(page(match, client, at=step.number))
        assert f'aria-label="{tile_list(state.hands[1])}"' in html
        assert 'class="face-up' not in html


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_spectators_of_a_running_match_see_only_backs(variant: str) -> None:
    match = play_random_moves(variant, 9)
    for step in match_steps_of(match).steps[::4]:
        html = text(page(match, at=step.number))
        assert 'class="face-up' not in html
        assert "figure-hand" not in html


@pytest.mark.parametrize("perspective", ["open", "0", "2", "3", "9", "٠", "-1", "", "x"])
def test_other_perspectives_are_refused_while_the_match_runs(perspective: str) -> None:
    match = play_random_moves("kozel", 5)
    response = page(match, sitting(match, 1), **{"as": perspective})
    assert response.status_code == 404
    assert "as you see it or with all hands hidden" in text(response)
    assert page(match, None, **{"as": "1"}).status_code == 404


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_a_match_that_is_over_is_seen_with_all_hands_open_or_as_each_seat_saw_it(variant: str) -> None:
    match = stop_match(play_random_moves(variant, 6))
    step = match_steps_of(match).step(4)
    hands = state_at(match.pk, step).hands
    html = text(page(match, at=4))
    assert FACE_UP.findall(html) == [tile_list(hand) for hand in hands]
    for seat, hand in enumerate(hands):
        html = text(page(match, None, at=4, **{"as": seat}))
        assert f'aria-label="{tile_list(hand)}"' in html
        assert 'class="face-up' not in html
    assert 'class="face-up' not in text(page(match, None, at=4, **{"as": "public"}))


def test_own_seat_is_at_the_bottom_and_a_single_hand_has_a_name() -> None:
    match = stop_match(play_random_moves("kozel", 6))
    for client, perspective, seat in ((None, "open", 0), (sitting(match, 2), "open", 2), (sitting(match, 2), "1", 1)):
        html = page(match, client, at=4, **{"as": perspective}).content.decode()
        assert f"around-{match.seat_count}-{seat} south-{seat}" in html
    assert f'translate="no">{match.seats.get(index=1).name}</b><div class="figure-hand"' in html


# What cannot be shown


def test_unknown_step_has_an_error_page() -> None:
    match = stop_match(play_random_moves("kozel", 3))
    last = match_steps_of(match).last_number
    assert page(match, at=last).status_code == 200
    for number in (*NO_STEPS, str(last + 1)):
        response = page(match, at=number)
        assert response.status_code == 404, number
        assert f"this match has steps 1 to {last}" in text(response)
        assert reverse("match", args=[match.slug]) in text(response)


def test_review_begins_with_the_deal() -> None:
    match = tables.open_table([tables.person()], bots=1)
    response = page(match)
    assert response.status_code == 404
    assert "Nothing has been played" in text(response)
    assert Client().get("/match/nowhere/review/").status_code == 404


# The table leads here


def test_table_links_to_its_review() -> None:
    match = play_random_moves("kozel", 3)
    address = f'href="{reverse("match-review", args=[match.slug])}"'
    for client in (Client(), sitting(match, 0)):
        assert address in text(client.get(reverse("match", args=[match.slug])))
    stop_match(match)
    assert text(Client().get(reverse("match", args=[match.slug]))).count(address) == 2
