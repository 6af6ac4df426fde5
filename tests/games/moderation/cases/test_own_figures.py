"""Moderators see their own figures, and learn what became of their proposals and on appeal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import time_machine
from django.contrib.auth.models import Group
from django.urls import reverse

from accounts.models import User
from accounts.sanctions import appeals
from games.models import Case
from games.moderation.cases.own_figures import OwnFigures, own_figures, proposal_outcomes
from games.moderation.cases.reporting import ReportedPlace, report_person
from tests.games.tables import browser_of, person
from tests.moderating import decide_case

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def staff(name: str, role: str) -> User:
    user = person(name, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


def new_case(suspect: User) -> Case:
    return report_person(reporter=person("Rita"), suspect=suspect, reason="insults", place=ReportedPlace()).case


def decide(moderator: User, case: Case, measure: str, **fields: str) -> None:
    decide_case(browser_of(moderator), reverse("admin:games_case_change", args=[case.pk]), measure, **fields)


def index_of(moderator: User) -> str:
    return browser_of(moderator).get(reverse("admin:index")).text


def test_figures_count_decisions_reversals_and_the_time_since_the_page_was_opened(ann: User, moderator: User) -> None:
    other = staff("Kai", "Match moderators")
    with time_machine.travel(NOON, tick=False) as clock:
        for seconds, measure in ((20, "mute"), (40, "dismiss"), (300, "uphold")):
            case = new_case(ann)
            browser_of(moderator).get(reverse("admin:games_case_change", args=[case.pk]))
            clock.shift(seconds)
            decide(moderator, case, measure)
        mute = ann.sanctions.get()
        appeal = appeals.submit_appeal(user=ann, sanction_id=mute.pk, words="It was not me.")
        appeals.decide_appeal(moderator=other, appeal=appeal, verdict="granted", reason="It was her brother.")
        assert own_figures(moderator, NOON + timedelta(hours=1)) == OwnFigures(3, 1, timedelta(seconds=40))
        assert own_figures(other, NOON + timedelta(hours=1)) == OwnFigures(0, 0, None)
        assert own_figures(moderator, NOON + timedelta(days=100)) == OwnFigures(0, 0, None)
        page = index_of(moderator)
    for text in ("3 cases decided", "within 40.0 s of opening", "1 sanction lifted on appeal", "It was her brother."):
        assert text in page
    assert "Your figures of 90 days" not in index_of(other)


def test_trainees_learn_whether_their_proposals_were_followed(ann: User, moderator: User) -> None:
    trainee = staff("Tom", "Trainees")
    for name, proposed, decided in (("Ben", "mute", "mute"), ("Cleo", "suspend", "warn"), ("Dora", "warn", "dismiss")):
        case = new_case(person(name))
        decide(trainee, case, proposed)
        decide(moderator, case, decided, reason=f"About {name}")
    decide(trainee, new_case(ann), "warn")
    outcomes = [
        (row.case.suspect.name, row.decided, row.was_followed)
        for row in proposal_outcomes(trainee)
        if row.case.suspect
    ]
    assert outcomes == [
        ("Ann", None, False),
        ("Dora", "dismiss", False),
        ("Cleo", "warn", False),
        ("Ben", "mute", True),
    ]
    page = index_of(trainee)
    assert "waits for another moderator" in page
    assert "decided otherwise: Warn" in page
    assert "About Ben" in page
