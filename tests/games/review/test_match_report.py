"""The report of a match in its review: what it says, and that nobody learns of it before its time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from math import ceil
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games.engine.events import Played
from games.explanations.rendering import explanation
from games.match import selectors
from games.match_reports import reports
from games.match_reports.plot import PlotScale
from games.match_reports.rendering import _luck_lines, chance_percents, signed_points, step_of_event
from games.match_reports.report import Choice, Report, RoundReport
from games.models import Match, Seat
from games.review.review import Review
from games.templatetags.rules import unbroken_tiles
from games.words.lookup import words_for
from tests.games.review.test_frames import answered, seen_as, whole
from tests.games.review.test_steps import match_steps_of, page, sitting, text
from tests.games.reviewed import SHORT_RECORD, TWO_GAMES, import_recording, play_random_moves, stop_match, store_report

MOMENT_LINK = re.compile(r'/review/\?at=(\d+)">\s*<b>')
TELLING = ('class="report-plot"', "badge-loss", "review-moments", "plot-mark", "seat-chance")
WAITING = "The report will be ready in a few seconds."
CHANCE = re.compile(r"(Person \d)\W*: </span>(\d+)%</button>")


def said(match: Match, client: Client | None = None, **query: Any) -> str:
    """Return all that the review says at its first step, with the frames of the round."""
    frames = answered(match, client, at=1, **query).content.decode()
    return page(match, client, at=1, **query).content.decode() + frames


def told(match: Match, client: Client | None = None) -> list[str]:
    html = said(match, client)
    return [part for part in TELLING if part in html]


@pytest.mark.parametrize(("variant", "moves"), zip(TWO_GAMES, (30, 15), strict=True))
def test_the_review_shows_the_report_with_links_to_its_key_moments(variant: str, moves: int) -> None:
    match = store_report(stop_match(play_random_moves(variant, moves)))
    report = reports.report_of(match)
    assert report
    match_steps, html = match_steps_of(match), unescape(said(match))
    assert report.key_moments
    for choice in report.key_moments:
        step = step_of_event(match_steps, choice.seq)
        assert step.seat == choice.seat
        assert f'href="?at={step.number - 1}&as=open">' in html
        assert f'<option value="{step.number - 1}">' in html
        table, words = selectors.read_table(match.pk), words_for(variant, "en")
        for sentence in explanation(choice.facts, table, words, better=choice.best, worse=choice.made, reader=None):
            assert unbroken_tiles(sentence) in html
    assert any(choice.facts for choice in report.key_moments)
    assert html.count('class="plot-mark') == len(report.key_moments)
    for seat in range(match.seat_count):
        assert f'<td class="number">{report.player_report(seat).choices}</td>' in html


def test_a_key_moment_is_marked_in_the_list_of_its_round() -> None:
    match = store_report(stop_match(play_random_moves("kozel", 30)))
    report = reports.report_of(match)
    assert report
    choice = report.key_moments[0]
    html = text(page(match, at=step_of_event(match_steps_of(match), choice.seq).number))
    assert f"cost {chance_percents(choice)[2]}%" in html
    assert html.count("badge-loss") >= 1


def test_each_step_shows_who_is_ahead() -> None:
    match = store_report(stop_match(play_random_moves("triominoes", 15)))
    report = reports.report_of(match)
    assert report
    frames = whole(answered(match, at=1))
    chances_on_page = [CHANCE.findall(frame["chances"]) for frame in frames]
    chances = [report.chances_at(step.version) or () for step in match_steps_of(match).steps]
    assert chances_on_page == [[(f"Person {seat}", str(chance)) for seat, chance in enumerate(row)] for row in chances]
    assert len(set(chances)) > 5
    html = page(match, at=9).content.decode()
    assert frames[8]["chances"] in html
    assert "what spectators saw at this step" in text(page(match, at=9))
    assert html.count('class="report-plot"') == 2


def test_rounds_state_the_chances_after_them() -> None:
    match = store_report(import_recording(SHORT_RECORD))
    report = reports.report_of(match)
    assert report
    _seq, chances = report.chances[-1]
    assert sorted(chances)[-1] == 100
    row = " : ".join(f"{chance}%" for chance in chances)
    assert f'Chance to win:</span> <span class="numeric">{row}</span>' in text(page(match, at=1))


def test_luck_has_a_sentence_for_the_perspective() -> None:
    match = store_report(import_recording(SHORT_RECORD))
    report = reports.report_of(match)
    assert report
    whole = report.match_total
    if whole is None:
        pytest.fail("no round was finished")
    html = text(page(match, **seen_as("1")))
    luck, choices, result = (round(column[1]) for column in (whole.luck, whole.choices, whole.result))
    rest = signed_points(result - luck - choices)
    assert f"Result {signed_points(result)}, of which choices {signed_points(choices)} and the rest {rest}." in html
    assert f"± {ceil(1.96 * whole.error[1])}" in html


def test_parts_of_a_result_are_whole_points_that_add_up() -> None:
    """6.6 are 3.4 by the tiles, 4.4 by choices and -1.2 by the rest: 7 = 3 + 4 + 0. An error of 1.1 means ± 3."""
    table = selectors.read_table(store_report(stop_match(play_random_moves("kozel", 4))).pk)
    row = RoundReport(1, (6.6, -6.6, 0, 0), (3.4, -3.4, 0, 0), (1.1, 1.1, 1, 1), (4.4, -4.4, 0, 0))
    first, second, *_others = _luck_lines(table, row)
    assert (first.luck, first.choices, first.rest, first.result, first.error) == ("+3", "+4", "0", "+7", 3)
    assert (second.luck, second.choices, second.rest, second.result) == ("−3", "−4", "0", "−7")
    assert (first.luck_sign, second.luck_sign) == (0, 0), "3 points are within the error"


def stored(match: Match, *choices: Choice) -> Match:
    """Keep a report with these choices."""
    reports.store_report(match.pk, Report(choices, (), ((2, (0, 0, 0, 0)),)).to_data(), 1.0)
    return match


def moment(match: Match, chance_loss: float, move: str) -> Choice:
    """Return a key moment: the first tile played after the lead, which wins in 26 of 100."""
    plays = [step for step in match_steps_of(match).steps if isinstance(step.events[0], Played)]
    event = plays[1].events[0]
    assert isinstance(event, Played)
    return Choice(plays[1].version, event.seat, 12.4, move, "draw", chance_loss, chance=0.26, checks=60, error=0.01)


@pytest.mark.parametrize(
    ("variant", "sentence"),
    [
        ("kozel", "Not the goat in 26 of 100, after draw in 60. In points: +12."),
        ("triominoes", "Wins in 26 of 100, after draw in 60. In points: +12."),
    ],
)
def test_a_key_moment_states_both_chances_and_the_points(variant: str, sentence: str) -> None:
    match = stop_match(play_random_moves(variant, 15))
    move = "6-6 left" if variant == "kozel" else "U(0,0)=1/2/3"
    html = text(page(stored(match, moment(match, 0.34, move)), at=1))
    assert sentence in html
    assert "Another" not in html
    assert "34% of the chance to win" in html


def test_small_losses_are_no_key_moments() -> None:
    match = stop_match(play_random_moves("kozel", 15))
    html = text(page(stored(match, moment(match, 0.0199, "6-6 left")), at=1))
    assert "No choice clearly cost 2% of the chance to win or more." in html
    assert "Not the goat in" not in html


def test_report_explains_why_points_and_chances_differ() -> None:
    """Seat 0 lost 20 points and 5 % of the chance, seat 1 lost 8 points and 30 %."""
    match = stop_match(play_random_moves("kozel", 15))
    choices = (Choice(3, 0, 20.0, "a", "b", 0.05), Choice(4, 1, 8.0, "a", "b", 0.3))
    explanation = "Person 0 lost more points, Person 1 more of the chance to win."
    assert explanation in text(page(stored(match, *choices), at=1))
    third = Choice(5, 2, 30.0, "a", "b", 0.4)
    assert explanation in text(page(stored(match, *choices, third), at=1)), "seat 2 lost most of both"
    agreeing = (choices[0], choices[1]._replace(chance_loss=0.04))
    assert "lost more points" not in text(page(stored(match, *agreeing), at=1))


def test_a_match_without_a_report_has_none_in_its_review() -> None:
    match = stop_match(play_random_moves("kozel", 20))
    assert told(match) == []
    assert WAITING in said(match)
    Match.objects.filter(pk=match.pk).update(finished_at=BEGAN)
    assert WAITING not in said(match)
    assert WAITING not in said(play_random_moves("kozel", 2))


BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)
# Spectators see moves half a minute later, and the end of the match after that.
WITHHELD, PUBLIC = BEGAN + timedelta(seconds=40), BEGAN + timedelta(seconds=61)


@pytest.fixture
def later() -> Match:
    """Return a match that is over, and whose end is not public for a minute."""
    with time_machine.travel(BEGAN, tick=False):
        match = store_report(stop_match(play_random_moves("kozel", 20)))
    public_at = BEGAN + timedelta(minutes=1)
    Match.objects.filter(pk=match.pk).update(delay=Match.Delay.SHORT, public_at=public_at)
    return match


def test_the_report_of_a_match_that_runs_is_shown_to_nobody() -> None:
    match = store_report(play_random_moves("kozel", 20))
    assert told(match) == told(match, sitting(match, 0)) == []


def test_spectators_see_the_report_once_the_end_is_public(later: Match) -> None:
    with time_machine.travel(WITHHELD, tick=False):
        assert said(later).count('id="review-steps"') == 1
        assert told(later) == []
        assert WAITING not in said(later)
        assert told(later, sitting(later, 0)) == list(TELLING)
    with time_machine.travel(PUBLIC, tick=False):
        assert told(later) == list(TELLING)


def test_premature_report_is_found(later: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Review, "report", property(lambda reviewed: reports.report_of(reviewed.match)))
    with time_machine.travel(WITHHELD, tick=False):
        assert told(later) == list(TELLING)


def test_a_match_that_is_void_has_no_report_for_anybody() -> None:
    match = store_report(stop_match(play_random_moves("kozel", 20)))
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    match.refresh_from_db()
    assert told(match, sitting(match, 0)) == []
    assert Client().get(reverse("match-review", args=[match.slug])).status_code == 404


def test_graph_covers_all_scores_and_zero() -> None:
    """360 wide with 30 and 8 beside it, 170 high with 8 above and below."""
    scale = PlotScale(101, [[(1, 0), (51, 40)], [(1, 0), (101, 20)]])
    assert (scale.low, scale.high) == (0, 40)
    assert (scale.x(1), scale.x(51), scale.x(101)) == (30.0, 191.0, 352.0)
    assert (scale.y(40), scale.y(20), scale.y(0)) == (8.0, 85.0, 162.0)


def card(match: Match, client: Client | None = None) -> str:
    """Return what the card of the result at the table loads."""
    return unescape((client or Client()).get(reverse("match-moments", args=[match.slug])).content.decode())


def test_result_card_shows_three_key_moments() -> None:
    match = stop_match(play_random_moves("kozel", 20))
    table = Client().get(reverse("match", args=[match.slug])).content.decode()
    assert f'hx-get="{reverse("match-moments", args=[match.slug])}" hx-trigger="load"' in table
    assert "load delay:5s" in card(match)
    report = reports.report_of(store_report(match))
    assert report
    html = card(match)
    assert "load delay:5s" not in html
    steps = [step_of_event(match_steps_of(match), choice.seq).number for choice in report.key_moments]
    links = [f'/review/?at={number - 1}"' for number in steps]
    assert [link in html for link in links] == [True] * 3 + [False] * (len(links) - 3)


def test_result_card_begins_with_the_moments_of_its_reader_and_ends_with_those_of_bots() -> None:
    match = store_report(stop_match(play_random_moves("kozel", 40)))
    report = reports.report_of(match)
    assert report
    match_steps = match_steps_of(match)
    steps = {choice: step_of_event(match_steps, choice.seq).number - 1 for choice in report.key_moments}
    seats = {choice.seat for choice in report.key_moments}
    assert len(seats) > 1
    for seat in seats:
        own = [number for choice, number in steps.items() if choice.seat == seat]
        by_others = [number for choice, number in steps.items() if choice.seat != seat]
        html = card(match, sitting(match, seat))
        assert MOMENT_LINK.findall(html) == [str(number) for number in (own + by_others)[:3]]
        assert f'class="button" href="/match/{match.slug}/review/?at={own[0]}">Review</a>' in html
    first, *_rest = report.key_moments
    Seat.objects.filter(match=match, index=first.seat).update(user=None, bot="steady")
    by_people = [number for choice, number in steps.items() if choice.seat != first.seat]
    by_bots = [number for choice, number in steps.items() if choice.seat == first.seat]
    assert MOMENT_LINK.findall(card(match)) == [str(number) for number in (by_people + by_bots)[:3]]
    assert f'class="button" href="/match/{match.slug}/review/">Review</a>' in card(match)


def test_result_card_stops_waiting_for_a_report() -> None:
    match = stop_match(play_random_moves("kozel", 4))
    Match.objects.filter(pk=match.pk).update(finished_at=BEGAN)
    assert "hx-trigger" not in card(match)


def test_result_card_does_not_reveal_an_undisclosed_end(later: Match) -> None:
    running = store_report(play_random_moves("kozel", 20))
    assert "/review/" not in card(running, sitting(running, 0)) + card(running)
    with time_machine.travel(WITHHELD, tick=False):
        assert "/review/" not in card(later)
        assert "/review/" in card(later, sitting(later, 0))
