"""Finished matches are scanned once, and findings open a case."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache, partial
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.cache import cache as django_cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.events import Drew, Event, MatchEnded, Played
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.models import Case, ConductMark, Match, MatchEvent, Report
from games.moderation.cases import queue
from games.moderation.detectors import findings, scans, throwing
from games.moderation.detectors.partners import HandFit
from games.moderation.detectors.scanner import MatchScanner
from games.moderation.detectors.throwing import JudgedChoice
from games.review import steps
from tests.games.finished import create_finished_match
from tests.games.moderation.detectors.trials.partners import Watched, knowing
from tests.games.tables import person, running_table

FAST_SECONDS, SLOW_SECONDS = 3, 14  # of 15 that the fast clock gives for a turn


@pytest.fixture(autouse=True)
def forget_names() -> None:
    """Names of the staff and the leaders are cached for an hour."""
    django_cache.clear()


def scan(match_id: int, now: datetime) -> list[Report]:
    """Scan a match like the background task does."""
    if not scans.claim_match(match_id, now):
        return []
    return [report for detect in findings.FAST_DETECTORS for report in scans.report_findings(match_id, detect, now)]


def step_version(match: Match, report: Report) -> int:
    """Return the number of the event that the step of a report shows."""
    match_steps = steps.load_match_steps(match.pk, match.version)
    return next(step.version for step in match_steps.steps if step.number == report.step)


def stalled(people: list[User], seat: int | None = 0, variant: str = "kozel", **columns: Any) -> Match:
    """Return a match that ends now, in which one seat took nearly all of its time for each move."""
    now, events = timezone.now(), stalled_events(variant)
    match = create_finished_match(
        people, variant=variant, events=events, at=now, clock="fast", **{"rated": True} | columns
    )
    at = now - timedelta(hours=1)
    rows = list(MatchEvent.objects.filter(match=match).order_by("seq"))
    for row, event in zip(rows, events, strict=True):
        is_slow = isinstance(event, Played | Drew) and event.seat == seat
        at += timedelta(seconds=SLOW_SECONDS if is_slow else FAST_SECONDS)
        row.at = at
    MatchEvent.objects.bulk_update(rows, ["at"])
    return match


@cache
def stalled_events(variant: str) -> list[Event]:
    return [event for event in playout(rules_for(variant), 2, {}, "stalled") if not isinstance(event, MatchEnded)]


def test_stalling_in_a_rated_match_opens_a_case_once_in_seven_days(ann: User, moderator: User) -> None:
    ben, now = person("Ben"), timezone.now()
    match = stalled([ann, ben])
    assert scans.unscanned_matches(now, 10) == [match.pk]
    (report,) = scan(match.pk, now)
    assert (report.case.suspect, report.case.area, report.reporter, report.reason) == (ann, "conduct", None, "stalls")
    assert (report.detector, report.match) == ("stalling", match)
    assert report.words.endswith("took nearly all of their free time or more; 0 % of the others’.")
    assert report.case.score == 1.0  # gravity 2, and the detector has no record yet: 1/2
    assert scans.unscanned_matches(now, 10) == []
    assert scan(match.pk, now) == []
    queue.close_case(moderator=moderator, case=report.case, verdict="upheld", reason="so slow", now=now)
    assert scan(stalled([ann, ben]).pk, now) == []
    (again,) = scan(stalled([ann, ben]).pk, now + timedelta(days=8))
    # Upheld once: (1 + 1) / (1 + 2) of gravity 2.
    assert again.case != report.case
    assert again.case.score == pytest.approx(4 / 3)


def test_casual_matches_matches_with_bots_and_quick_players_are_not_reported(ann: User) -> None:
    now = timezone.now()
    for match in (
        stalled([ann, person("Ben")], rated=False),
        stalled([ann], bots=1),
        stalled([ann, person("Cleo")], seat=None),
    ):
        assert scan(match.pk, now) == []
    assert not Case.objects.exists()


def test_only_recent_matches_with_a_public_end_are_scanned(ann: User) -> None:
    now, ben = timezone.now(), person("Ben")
    running_table([ann, ben])
    hidden = stalled([ann, ben])
    Match.objects.filter(pk=hidden.pk).update(public_at=now + timedelta(minutes=1))
    create_finished_match([ann, ben], at=now - timedelta(days=2))
    create_finished_match([ann, ben], at=now, reason="stopped")
    assert scans.unscanned_matches(now, 10) == []
    Match.objects.filter(pk=hidden.pk).update(public_at=now - timedelta(seconds=1))
    assert scans.unscanned_matches(now, 10) == [hidden.pk]


def test_case_page_names_the_detector(ann: User, moderator: User, client: Client) -> None:
    (report,) = scan(stalled([ann, person("Ben")]).pk, timezone.now())
    client.force_login(moderator)
    page = client.get(f"/admin/games/case/{report.case.pk}/change/").content.decode()
    assert "measured by the site: slow turns" in page
    assert "a deleted person" not in page
    assert report.words in page


def scan_series(winner: User, count: int, now: datetime, **columns: Any) -> list[list[Report]]:
    """Return the reports of each of several matches that the same person wins against a newcomer."""
    loser = person("Ben")
    events = [event for event in playout(rules_for("kozel"), 2, {}, "given") if not isinstance(event, MatchEnded)]
    series = []
    for hours in range(count, 0, -1):
        match = create_finished_match(
            [winner, loser], events=events, at=now - timedelta(hours=hours), rated=True, **columns
        )
        series.append(scan(match.pk, now))
    return series


def test_farming_is_reported_with_the_number_of_matches(ann: User) -> None:
    now = timezone.now()
    reports = scan_series(ann, 6, now, reason="left", leaver=1)
    # Both are new. Four matches prove nothing; five that were all won and left are less likely than one in 10,000.
    assert [len(of_match) for of_match in reports] == [0, 0, 0, 0, 1, 0]
    (report,) = reports[4]
    assert (report.case.suspect, report.reason, report.detector) == (ann, "colludes", "farming")
    assert report.words.startswith("Won 5 of 5 rated matches of a week against one person of this match; 5 of them")


def test_matches_that_are_played_out_are_not_farming(ann: User) -> None:
    assert scan_series(ann, 8, timezone.now()) == [[]] * 8


@pytest.mark.stack
def test_floods_of_a_week_are_reported_including_spectators(ann: User) -> None:
    ben, cleo, now = person("Ben"), person("Cleo"), timezone.now()
    match = create_finished_match([ann, ben], at=now)
    for day, writers in enumerate(([cleo, ben],) * 5 + ([cleo],)):
        for writer in writers:
            at = now - timedelta(days=day)
            ConductMark.objects.create(user=writer, kind="flood", points=1, at=at, match=match)
    ConductMark.objects.create(user=ben, kind="flood", points=1, at=now - timedelta(days=8), match=match)
    (report,) = scan(match.pk, now)
    assert (report.case.suspect, report.case.area, report.reason, report.detector) == (cleo, "chat", "spams", "floods")
    assert report.words == "Wrote too fast 6 times in a week, in different minutes."


def test_later_of_two_similar_names_is_reported_unless_it_is_of_the_staff() -> None:
    now, elder = timezone.now(), person("Magnus")
    younger = person("Mágnus")
    (report,) = scan(create_finished_match([younger, elder], at=now).pk, now)
    assert (report.case.suspect, report.case.area, report.reason) == (younger, "accounts", "name")
    assert report.words == "“Mágnus” is easily read as “Magnus” (an older account)."
    django_cache.clear()
    imitator, staff = person("Teodoro"), person("Teodorro", is_staff=True)
    (report,) = scan(create_finished_match([imitator, person("Ben")], at=now).pk, now)
    assert (report.case.suspect, report.words) == (imitator, "“Teodoro” is easily read as “Teodorro” (of the staff).")
    assert scan(create_finished_match([staff, person("Cleo")], at=now).pk, now) == []


def test_loser_with_choices_worse_than_random_is_reported_at_the_worst_one(ann: User) -> None:
    ben, now = person("Ben"), timezone.now()
    match = stalled([ann, ben], seat=None)
    sample = scans.load_losers_choices(match.pk)
    assert sample is not None
    assert sample.seats == [1]
    of_ben = [seq for _state, _move, seq in throwing.find_decisions(sample.events, [1])[1]]
    blunder = JudgedChoice((9.0, 0.0), chosen=1, seq=of_ben[3])
    choices = {1: [*(JudgedChoice((1.0, 0.0), chosen=1, seq=seq) for seq in of_ben[:11]), blunder]}
    (report,) = scans.report_findings(match.pk, partial(findings.detect_throwing, choices), now)
    assert (report.case.suspect, report.reason, report.detector) == (ben, "throws", "throwing")
    assert report.words.startswith("Gave away 100 % of what was at stake in 12 decisions")
    assert "gives away 50 %" in report.words
    assert step_version(match, report) == of_ben[3]


def test_choices_in_casual_matches_and_against_bots_are_not_judged(ann: User) -> None:
    assert scans.load_losers_choices(stalled([ann, person("Ben")], rated=False).pk) is None
    assert scans.load_losers_choices(stalled([ann], bots=1).pk) is None


@cache
def partnered_events() -> list[Event]:
    record = Watched("known-3", knowing, Random(1)).play_match()
    return [event for event in record if not isinstance(event, MatchEnded)]


def partnered(people: list[User], **columns: Any) -> Match:
    """Return a match of two pairs that ends now, in which the first pair knew each other's hands."""
    options: dict[str, Any] = {"options": {"partners": "yes"}, "variant": "all_fives", "rated": True}
    return create_finished_match(
        people, events=partnered_events(), at=timezone.now(), places=(1, 2, 1, 2), **options | columns
    )


def test_partners_who_fit_each_others_hands_are_both_reported_at_the_best_fit() -> None:
    people, now = [person(name) for name in ("Ann", "Ben", "Cleo", "Dora")], timezone.now()
    match = partnered(people)
    sample = scans.load_partners_choices(match.pk)
    assert sample is not None
    assert sample.seats == [0, 2, 1, 3]
    of_ann = [seq for _state, _move, seq in throwing.find_decisions(sample.events, [0])[0]][:15]
    fits = {seat: [HandFit(1.0 + seq / 1e4, (0.0,) * 16, seq) for seq in of_ann] for seat in (0, 2)}
    fits |= {seat: [HandFit(1.0, (0.0,) * 8 + (2.0,) * 8, seq) for seq in of_ann] for seat in (1, 3)}
    reports = scans.report_findings(match.pk, partial(findings.detect_knowing_partners, fits), now)
    assert [(report.case.suspect.name, report.detector, report.reason) for report in reports] == [
        ("Ann", "partners", "colludes"),
        ("Cleo", "partners", "colludes"),
    ]
    report = reports[0]
    # Thirty ranks of 1/2: 15 / sqrt(30 · 3/32) = 8.94.
    assert report.words.startswith("In 30 decisions the moves of two partners fit the other’s hand better")
    assert "is 8.9 standard deviations" in report.words
    assert report.words.endswith("at more matches.")
    assert step_version(match, report) >= of_ann[-1]


def test_partners_in_casual_matches_or_with_bots_are_not_judged() -> None:
    people = [person(name) for name in ("Ann", "Ben", "Cleo", "Dora")]
    assert scans.load_partners_choices(partnered(people, rated=False).pk) is None
    assert scans.load_partners_choices(partnered(people[:2], bots=2).pk) is None
    assert scans.load_partners_choices(stalled(people[:2], variant="kozel").pk) is None


@pytest.mark.django_db(transaction=True)
def test_scanner_judges_partners() -> None:
    match, scanner = partnered([person(name) for name in ("Ann", "Ben", "Cleo", "Dora")]), MatchScanner()
    try:
        async_to_sync(scanner.judge_partners)(match.pk)
    finally:
        scanner.workers.close()
    # The other pair plays greedily, whatever anybody holds.
    assert list(Report.objects.values_list("detector", "case__suspect__name")) == [
        ("partners", "Ann"),
        ("partners", "Cleo"),
    ]


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_scanner_scans_waiting_matches_and_judges_losers(ann: User) -> None:
    match, scanner = stalled([ann, person("Ben")], variant="rytmino"), MatchScanner()
    try:
        async_to_sync(scanner.scan_waiting)()
    finally:
        scanner.workers.close()
    assert list(Report.objects.values_list("detector", "case__suspect")) == [("stalling", ann.pk)]
    assert scan(match.pk, timezone.now()) == []
