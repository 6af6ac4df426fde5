"""Matches that are over are looked at once, and what is found opens a case."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.events import Drew, MatchEnded, Played
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.models import Case, ConductMark, Match, MatchEvent, Report
from games.moderation.cases import queue
from games.moderation.detectors import findings, looking, throwing
from games.moderation.detectors.partners import Fit
from games.moderation.detectors.throwing import Choice
from games.moderation.detectors.watch import Watch
from games.review import steps
from tests.games.finished import finished
from tests.games.moderation.detectors.trials.partners import Watched, knowing
from tests.games.tables import person, running_table

pytestmark = pytest.mark.django_db
FAST, SLOW = 3, 14
"""Seconds of turns with the fast clock, which gives 15."""


@pytest.fixture(autouse=True)
def forget_names() -> None:
    """The names of the staff and the leaders are kept for an hour."""
    cache.clear()


def look(match_id: int, now: datetime) -> list[Report]:
    """Look as the watch does."""
    taken = looking.take(match_id, now)
    return [told for find in findings.ALL for told in looking.look(match_id, find, now)] if taken else []


def stalled(people: list[User], seat: int | None = 0, variant: str = "kozel", **columns: Any) -> Match:
    """Return a match that is over now, in which the person in one seat took nearly all the time for each move."""
    now = timezone.now()
    events = [event for event in playout(rules_for(variant), 2, {}, "stalled") if not isinstance(event, MatchEnded)]
    match = finished(people, variant=variant, events=events, at=now, clock="fast", **{"rated": True} | columns)
    at = now - timedelta(hours=1)
    for seq, event in enumerate(events, 1):
        at += timedelta(seconds=SLOW if isinstance(event, Played | Drew) and event.seat == seat else FAST)
        MatchEvent.objects.filter(match=match, seq=seq).update(at=at)
    return match


def test_whoever_stalls_in_a_rated_match_gets_a_case_once_in_seven_days(ann: User, moderator: User) -> None:
    ben, now = person("Ben"), timezone.now()
    match = stalled([ann, ben])
    assert looking.waiting(now, 10) == [match.pk]
    (told,) = look(match.pk, now)
    assert (told.case.suspect, told.case.area, told.reporter, told.reason) == (ann, "conduct", None, "stalls")
    assert (told.detector, told.match) == ("stalling", match)
    assert told.words.endswith("took nearly all of their free time or more; 0 % of the others’.")
    assert told.case.score == 1.0  # gravity 2, and nothing is known of the detector: 1/2
    assert looking.waiting(now, 10) == []
    assert look(match.pk, now) == []
    queue.close(moderator=moderator, case=told.case, verdict="upheld", reason="so slow", now=now)
    assert look(stalled([ann, ben]).pk, now) == []
    (again,) = look(stalled([ann, ben]).pk, now + timedelta(days=8))
    # Upheld once: (1 + 1) / (1 + 2) of gravity 2.
    assert again.case != told.case
    assert again.case.score == pytest.approx(4 / 3)


def test_nobody_is_reported_for_a_casual_match_or_one_with_bots_or_where_nobody_stalls(ann: User) -> None:
    now = timezone.now()
    for match in (
        stalled([ann, person("Ben")], rated=False),
        stalled([ann], bots=1),
        stalled([ann, person("Cleo")], seat=None),
    ):
        assert look(match.pk, now) == []
    assert not Case.objects.exists()


def test_only_matches_whose_end_is_public_and_fresh_are_looked_at(ann: User) -> None:
    now, ben = timezone.now(), person("Ben")
    running_table([ann, ben])
    hidden = stalled([ann, ben])
    Match.objects.filter(pk=hidden.pk).update(public_at=now + timedelta(minutes=1))
    finished([ann, ben], at=now - timedelta(days=2))
    finished([ann, ben], at=now, reason="stopped")
    assert looking.waiting(now, 10) == []
    Match.objects.filter(pk=hidden.pk).update(public_at=now - timedelta(seconds=1))
    assert looking.waiting(now, 10) == [hidden.pk]


def test_the_page_of_the_case_says_that_the_site_measured_it(ann: User, moderator: User, client: Client) -> None:
    (told,) = look(stalled([ann, person("Ben")]).pk, timezone.now())
    client.force_login(moderator)
    page = client.get(f"/admin/games/case/{told.case.pk}/change/").content.decode()
    assert "measured by the site: slow turns" in page
    assert "a deleted person" not in page
    assert told.words in page


def test_whoever_is_given_rated_matches_again_and_again_is_reported_with_the_count(ann: User) -> None:
    ben, now = person("Ben"), timezone.now()
    events = [event for event in playout(rules_for("kozel"), 2, {}, "given") if not isinstance(event, MatchEnded)]
    found = []
    for number in range(6):
        at = now - timedelta(hours=6 - number)
        match = finished([ann, ben], events=events, at=at, rated=True, reason="left", leaver=1)
        found.append(look(match.pk, now))
    # Both are new. Four matches say nothing; five that were all won and left are less likely than one in 10,000.
    assert [len(reports) for reports in found] == [0, 0, 0, 0, 1, 0]
    (told,) = found[4]
    assert (told.case.suspect, told.reason, told.detector) == (ann, "colludes", "farming")
    assert told.words.startswith("Won 5 of 5 rated matches of a week against one person of this match; 5 of them")


def test_matches_won_in_earnest_are_no_farming(ann: User) -> None:
    ben, now = person("Ben"), timezone.now()
    events = [event for event in playout(rules_for("kozel"), 2, {}, "given") if not isinstance(event, MatchEnded)]
    for number in range(8):
        match = finished([ann, ben], events=events, at=now - timedelta(hours=9 - number), rated=True)
        assert look(match.pk, now) == []


@pytest.mark.stack
def test_floods_of_a_week_are_reported_also_those_of_spectators(ann: User) -> None:
    ben, cleo, now = person("Ben"), person("Cleo"), timezone.now()
    match = finished([ann, ben], at=now)
    for day, writers in enumerate(([cleo, ben],) * 5 + ([cleo],)):
        for writer in writers:
            at = now - timedelta(days=day)
            ConductMark.objects.create(user=writer, kind="flood", points=1, at=at, match=match)
    ConductMark.objects.create(user=ben, kind="flood", points=1, at=now - timedelta(days=8), match=match)
    (told,) = look(match.pk, now)
    assert (told.case.suspect, told.case.area, told.reason, told.detector) == (cleo, "chat", "spams", "floods")
    assert told.words == "Wrote too fast 6 times in a week, in different minutes."


def test_of_two_names_alike_the_later_is_reported_unless_it_is_that_of_the_staff() -> None:
    now, elder = timezone.now(), person("Magnus")
    younger = person("Mágnus")
    (told,) = look(finished([younger, elder], at=now).pk, now)
    assert (told.case.suspect, told.case.area, told.reason) == (younger, "accounts", "name")
    assert told.words == "“Mágnus” is easily read as “Magnus” (an older account)."
    cache.clear()
    imitator, staff = person("Teodoro"), person("Teodorro", is_staff=True)
    (told,) = look(finished([imitator, person("Ben")], at=now).pk, now)
    assert (told.case.suspect, told.words) == (imitator, "“Teodoro” is easily read as “Teodorro” (of the staff).")
    assert look(finished([staff, person("Cleo")], at=now).pk, now) == []


def test_whoever_comes_last_by_choices_worse_than_blind_ones_is_reported_at_the_worst_of_them(ann: User) -> None:
    ben, now = person("Ben"), timezone.now()
    match = stalled([ann, ben], seat=None)
    asked = looking.question(match.pk)
    assert asked is not None
    assert asked.seats == [1]
    of_ben = [seq for _state, _move, seq in throwing.decisions(asked.events, [1])[1]]
    blunder = Choice((9.0, 0.0), made=1, seq=of_ben[3])
    made = [Choice((1.0, 0.0), made=1, seq=seq) for seq in of_ben[:11]]
    (told,) = looking.judge(match.pk, {1: [*made, blunder]}, now)
    assert (told.case.suspect, told.reason, told.detector) == (ben, "throws", "throwing")
    assert told.words.startswith("Gave away 100 % of what was at stake in 12 decisions")
    assert "gives away 50 %" in told.words
    (step,) = [step for step in steps.past(match.pk, match.version).steps if step.number == told.step]
    assert MatchEvent.objects.get(match=match, seq=of_ben[3]).seq == step.version


def test_nothing_is_asked_about_casual_matches_or_bots(ann: User) -> None:
    assert looking.question(stalled([ann, person("Ben")], rated=False).pk) is None
    assert looking.question(stalled([ann], bots=1).pk) is None


def partnered(people: list[User], **columns: Any) -> Match:
    """Return a match of two pairs that is over now, in which the first pair knew each other's hands."""
    played = Watched("known-3", knowing, Random(1)).run()
    events = [event for event in played if not isinstance(event, MatchEnded)]
    options: dict[str, Any] = {"options": {"partners": "yes"}, "variant": "all_fives", "rated": True}
    return finished(people, events=events, at=timezone.now(), places=(1, 2, 1, 2), **options | columns)


def test_partners_who_fit_each_others_hands_are_both_reported_at_what_fits_best() -> None:
    people, now = [person(name) for name in ("Ann", "Ben", "Cleo", "Dora")], timezone.now()
    match = partnered(people)
    asked = looking.pairs(match.pk)
    assert asked is not None
    assert asked.seats == [0, 2, 1, 3]
    of_ann = [seq for _state, _move, seq in throwing.decisions(asked.events, [0])[0]][:15]
    fits = {seat: [Fit(1.0 + seq / 1e4, (0.0,) * 16, seq) for seq in of_ann] for seat in (0, 2)}
    fits |= {seat: [Fit(1.0, (0.0,) * 8 + (2.0,) * 8, seq) for seq in of_ann] for seat in (1, 3)}
    reports = looking.judge_pairs(match.pk, fits, now)
    assert [(told.case.suspect.name, told.detector, told.reason) for told in reports] == [
        ("Ann", "partners", "colludes"),
        ("Cleo", "partners", "colludes"),
    ]
    told = reports[0]
    # Thirty ranks of 1/2: 15 / sqrt(30 · 3/32) = 8.94.
    assert told.words.startswith("In 30 decisions the moves of two partners fit the other’s hand better")
    assert "by 8.9 standard deviations" in told.words
    assert told.words.endswith("at more matches.")
    (step,) = [step for step in steps.past(match.pk, match.version).steps if step.number == told.step]
    assert step.version >= of_ann[-1]


def test_nothing_is_asked_about_pairs_that_are_none_or_half_bots_or_casual() -> None:
    people = [person(name) for name in ("Ann", "Ben", "Cleo", "Dora")]
    assert looking.pairs(partnered(people, rated=False).pk) is None
    assert looking.pairs(partnered(people[:2], bots=2).pk) is None
    assert looking.pairs(stalled(people[:2], variant="kozel").pk) is None


@pytest.mark.django_db(transaction=True)
def test_the_watch_asks_about_pairs() -> None:
    match, watch = partnered([person(name) for name in ("Ann", "Ben", "Cleo", "Dora")]), Watch()
    try:
        async_to_sync(watch.ask_about_pairs)(match.pk)
    finally:
        watch.workers.close()
    # The other pair takes a move that scores most, whatever anybody holds.
    assert list(Report.objects.values_list("detector", "case__suspect__name")) == [
        ("partners", "Ann"),
        ("partners", "Cleo"),
    ]


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_the_watch_looks_at_all_that_waits_and_asks_the_bot_about_whoever_came_last(ann: User) -> None:
    match, watch = stalled([ann, person("Ben")], variant="rytmino"), Watch()
    try:
        async_to_sync(watch.tick)()
    finally:
        watch.workers.close()
    assert list(Report.objects.values_list("detector", "case__suspect")) == [("stalling", ann.pk)]
    assert look(match.pk, timezone.now()) == []
