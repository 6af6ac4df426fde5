"""The list of a round's steps: draws in a row are one line, and what stands after a step is what the table shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from games.engine.events import Drew, Event, MatchEnded, Passed, Points, RoundDealt, Standing, Term
from games.match.time_control import TIME_CONTROLS
from games.rendering.scores import score_table
from games.rendering.standing import standing_score
from games.review import steps as review_steps
from games.review.match_steps import MatchSteps, Step, steps_from_events
from games.review.rendering import round_context
from games.review.step_list_rendering import step_lines
from games.review.time_banks import remaining_banks_ms
from games.words import offered_variants
from games.words.lookup import words_for
from tests.games.rendering.positions import WORDS, k_01, table_of
from tests.games.review.test_frames import seen_as
from tests.games.review.test_steps import match_steps_of, page, text
from tests.games.reviewed import import_recording, recording_files, view_at

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
DEALT = RoundDealt(1, 1, (), (), 0, (), "", (Standing(), Standing(), Standing(), Standing()))


def steps_after(*facts: tuple[Event, float]) -> list[Step]:
    """Return the steps of a round that was dealt, each made so many seconds after the one before."""
    at = START
    rows: list[tuple[Event, datetime | None]] = [(DEALT, START)]
    for event, seconds in facts:
        at += timedelta(seconds=seconds)
        rows.append((event, at))
    return steps_from_events(rows)


def test_draws_in_a_row_are_one_line_with_all_their_time() -> None:
    steps = steps_after(
        (Drew(1, (6, 4), 1), 1), (Drew(1, (5, 4), 1), 2.5), (Passed(1, 2), 1), (Drew(2, (1, 1), 2), 12)
    )
    lines = step_lines(table_of(), steps, WORDS)
    assert [(line.first_number, line.number, line.text, line.time_taken) for line in lines[1:]] == [
        (2, 3, "2 draws", "3.5\u00a0s"),
        (4, 4, "knock", "1.0\u00a0s"),
        (5, 5, "draw", "12.0\u00a0s"),
    ]


def test_draws_show_the_total_cost_and_the_score() -> None:
    lost = Points.of(Term("triominoes.draw", "", -5))
    steps = steps_after((Drew(1, (6, 4), 1, lost), 1), (Drew(1, (5, 4), 1, lost), 1))
    line = step_lines(table_of(), steps, WORDS)[-1]
    assert line.points == "\u221210"
    assert "10" in line.standing


def test_end_of_a_match_has_its_waiting_time() -> None:
    over = MatchEnded("timeout", 1, "", (), (), ())
    assert step_lines(table_of(), steps_after((over, 61)), WORDS)[-1].time_taken == "61.0\u00a0s"


def test_move_in_overtime_shows_the_rest_of_the_bank() -> None:
    """Of 15 free seconds and 60 spare ones: 21 s leave 54, the bot's 40 s take nothing, 70 s leave none of 54."""
    laid = replace(Drew(1, (6, 4), 1), by="bot")
    steps = steps_after((Drew(1, (6, 4), 1), 21), (Drew(2, (5, 4), 1), 15), (laid, 40), (Passed(1, 2), 70))
    match_steps = MatchSteps(tuple(steps))
    assert remaining_banks_ms(match_steps, TIME_CONTROLS["fast"]) == {2: 54_000, 5: 0}
    assert (
        remaining_banks_ms(match_steps, TIME_CONTROLS["none"])
        == remaining_banks_ms(match_steps, TIME_CONTROLS["1-day"])
        == {}
    )
    table = table_of()
    fast = replace(table, agreed=replace(table.agreed, clock="fast"))
    entries = round_context(fast, match_steps, steps[0], language="en")["entries"]
    assert [entry.bank_seconds for entry in entries] == [None, 54, None, None, 0]


@pytest.mark.parametrize("variant", offered_variants())
def test_score_of_a_step_is_that_of_the_table(variant: str) -> None:
    words = words_for(variant, "en")
    seen = 0
    for path in recording_files(variant)[:1]:
        match = import_recording(path)
        match_steps = match_steps_of(match)
        table = review_steps.table_at(match.pk, match_steps.steps[-1])
        for first in match_steps.round_starts().values():
            for line in step_lines(table, match_steps.steps_of_round(first), words):
                step = match_steps.step(line.number)
                if not line.standing:
                    continue
                view = view_at(table, step, None, open_hands=False)
                seats = [step.seat] if step.seat is not None and view.round.over is None else range(len(view.seats))
                for seat in seats:
                    assert standing_score(view.seats[seat].standing, words) in line.standing, (path.stem, line.number)
                seen += 1
    assert seen


def test_rows_of_the_score_table_lead_to_their_round() -> None:
    match = import_recording(recording_files("kozel")[0])
    match_steps = match_steps_of(match)
    starts = sorted(match_steps.round_starts().values())
    assert f'<a href="?at={starts[0]}&as=public">1</a>' in text(page(match, at=starts[1], **seen_as("public")))
    # At the table the numbers lead nowhere.
    assert "?at=" not in score_table(table_of(), [k_01()], WORDS)


def test_round_can_be_requested_by_number() -> None:
    match = import_recording(recording_files("kozel")[0])
    starts = match_steps_of(match).round_starts()
    assert page(match, round=2).context["step"].number == starts[2]
    assert page(match, round=2, at=1).context["step"].number == 1
    assert page(match, round=0).status_code == page(match, round="x").status_code == 404
