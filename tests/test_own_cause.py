"""Moderators cannot act in their own case: on themselves, or on a match at which they had a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from accounts.admin import open_case_url
from accounts.models import Appeal, ModerationAct, Sanction, User
from accounts.sanctions import imposing
from games.clubs import joining
from games.enums import MatchCorrection, VerdictOnly
from games.models import Case, Club, Entry, Match, Message, Report
from games.moderation import acts
from games.moderation.cases import queue
from games.moderation.cases.reporting import ReportedPlace, open_case, report_person
from games.moderation.decisions import decide_case
from games.tournaments import entering
from infrastructure.admin import HistoryAdmin, RowAction
from tests.games import tables
from tests.games.clubs.site import founded
from tests.games.finished import create_finished_match
from tests.games.tables import browser_of, person
from tests.games.tournaments.site import MINUTE, START, announced

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    """Return an administrator with all permissions, who plays."""
    return User.objects.create_superuser("boss", name="Boss")


@pytest.fixture
def match(boss: User) -> Match:
    return tables.running_table([boss, person("Ben")])


def line(match: Match) -> Message:
    ben = match.seats.get(name="Ben").user
    return Message.objects.create(match=match, user=ben, name="Ben", text="You idiot")


def sanction(match: Match) -> Sanction:
    return Sanction.objects.create(user=User.objects.get(username="boss"), kind="mute", reason="spam")


def entry(match: Match) -> Entry:
    """Enter the administrator in a tournament."""
    boss = match.seats.get(name="Boss").user
    assert boss is not None
    return entering.enter(tournament=announced(name="Sunday cup"), user=boss, now=START - MINUTE)


def club(match: Match) -> Club:
    """Let the administrator join a club."""
    row = founded(text="We meet on Fridays.")
    joining.join(club=row, user=User.objects.get(username="boss"), now=timezone.now())
    return row


# A row for every model with choices that concerns the administrator.
ROWS: dict[str, Callable[[Match], Any]] = {
    "accounts.sanction": sanction,
    "accounts.appeal": lambda match: Appeal.objects.create(sanction=sanction(match), words="It was not me"),
    "games.case": lambda match: (
        report_person(reporter=person("Eve"), suspect=match.host, reason="insults", place=ReportedPlace(match)).case
    ),
    "games.match": lambda match: match,
    "games.message": line,
    "games.tournament": lambda match: entry(match).tournament,
    "games.entry": entry,
    "games.club": club,
}
CHOICES = [
    pytest.param(model._meta.label_lower, choice, id=f"{model.__name__} {choice.name}")
    for model, pages in admin.site._registry.items()
    if isinstance(pages, HistoryAdmin)
    for choice in pages.row_actions
]


@pytest.mark.parametrize(("model", "choice"), CHOICES)
def test_choices_about_a_row_refuse_parties(boss: User, match: Match, model: str, choice: RowAction) -> None:
    row = ROWS[model](match)
    with pytest.raises(ValidationError) as refusal:
        choice.perform(boss, row, "Because")
    assert refusal.value.code == "party"
    assert not ModerationAct.objects.exists()


SUBJECTS: dict[str, Callable[[Match], Any]] = {
    "user": lambda match: match.seats.get(name="Boss").user,
    "seat": lambda match: match.seats.get(name="Ben"),
    "message": line,
    "match": lambda match: match,
}


@pytest.mark.parametrize("model", SUBJECTS)
def test_parties_cannot_open_a_case(boss: User, match: Match, model: str) -> None:
    client = browser_of(boss)
    answer = client.post(open_case_url(model, SUBJECTS[model](match).pk), {"area": "conduct"})
    assert "This concerns you, so another moderator has to do it." in answer.text
    assert not Case.objects.exists()
    assert not ModerationAct.objects.exists()


def test_reporter_cannot_join_the_case_by_hand(boss: User) -> None:
    ben = person("Ben")
    report_person(reporter=boss, suspect=ben, reason="insults", place=ReportedPlace())
    client = browser_of(boss)
    answer = client.post(open_case_url("user", ben.pk), {"area": "chat"})
    assert "This concerns you" in answer.text
    assert Report.objects.count() == 1


@pytest.mark.parametrize("hide", [True, False])
def test_party_cannot_decide_a_case_opened_by_another(boss: User, match: Match, hide: bool) -> None:
    other = User.objects.create_superuser("other", name="Other")
    places = [ReportedPlace(match, None, line(match))]
    ben = match.seats.get(name="Ben").user
    opened: dict[str, Any] = {"area": "chat", "places": places, "words": "", "now": timezone.now()}
    for suspect in (ben, None):
        case = open_case(moderator=other, suspect=suspect, **opened)
        with pytest.raises(ValidationError) as refusal:
            decide_case(moderator=boss, case=case, measure=VerdictOnly.UPHOLD, hide=hide, reason="Because")
        assert refusal.value.code == "party"
    assert not Message.objects.filter(hidden=True).exists()


@pytest.mark.parametrize("measure", [*VerdictOnly, *Sanction.Kind])
def test_player_of_the_reported_match_cannot_decide_measures(boss: User, match: Match, measure: str) -> None:
    ben = match.seats.get(name="Ben").user
    case = report_person(reporter=person("Eve"), suspect=ben, reason="insults", place=ReportedPlace(match)).case
    with pytest.raises(ValidationError) as refusal:
        decide_case(moderator=boss, case=case, measure=measure, reason="Because")
    assert refusal.value.code == "party"
    assert Case.objects.get().closed_at is None


def test_player_of_the_reported_match_cannot_leave_the_case_to_others(boss: User, match: Match) -> None:
    ben = match.seats.get(name="Ben").user
    case = report_person(reporter=person("Eve"), suspect=ben, reason="insults", place=ReportedPlace(match)).case
    with pytest.raises(ValidationError) as refusal:
        queue.leave_case(moderator=boss, case=case, note="Not mine", now=timezone.now())
    assert refusal.value.code == "party"


@pytest.mark.parametrize("correction", [correction for correction in MatchCorrection if correction])
def test_player_of_the_reported_match_cannot_correct_it(boss: User, match: Match, correction: str) -> None:
    ben = match.seats.get(name="Ben").user
    case = report_person(reporter=person("Eve"), suspect=ben, reason="throws", place=ReportedPlace(match)).case
    with pytest.raises(ValidationError):
        decide_case(moderator=boss, case=case, measure=VerdictOnly.UPHOLD, correction=correction, reason="Because")
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_player_of_the_reported_match_is_not_offered_the_case(boss: User, match: Match) -> None:
    ben = match.seats.get(name="Ben").user
    case = report_person(reporter=person("Eve"), suspect=ben, reason="insults", place=ReportedPlace(match)).case
    client = browser_of(boss)
    assert queue.reserve_next_case(boss, timezone.now()) is None
    assert 'name="measure"' not in client.get(reverse("admin:games_case_change", args=[case.pk])).text
    other = User.objects.create_superuser("other", name="Other")
    assert queue.reserve_next_case(other, timezone.now()) == case


def test_person_removed_from_a_seat_stays_a_party(boss: User, match: Match) -> None:
    other = User.objects.create_superuser("other", name="Other")
    acts.remove_from_seat(moderator=other, seat=match.seats.get(user=boss), reason="Rude")
    assert not match.seats.filter(user=boss).exists()
    with pytest.raises(ValidationError) as refusal:
        acts.void_match(moderator=boss, match=match, reason="Because")
    case = report_person(reporter=person("Eve"), suspect=other, reason="insults", place=ReportedPlace(match)).case
    assert (refusal.value.code, queue.reserve_next_case(boss, timezone.now()), case.closed_at) == ("party", None, None)


@pytest.mark.parametrize("kind", ["suspend", "close"])
def test_players_cannot_suspend_a_current_opponent(boss: User, match: Match, kind: str) -> None:
    ben = match.seats.get(name="Ben").user
    with pytest.raises(ValidationError) as refusal:
        imposing.impose(moderator=boss, user=ben, kind=kind, reason="Because")
    assert (refusal.value.code, ben.sanctions.count()) == ("party", 0)


def test_page_shows_the_refusal(boss: User) -> None:
    match = create_finished_match([boss, person("Ben")])
    other = User.objects.create_superuser("other", name="Other")
    acts.void_match(moderator=other, match=match, reason="Because")
    client = browser_of(boss)
    page = reverse("admin:games_match_change", args=[match.pk])
    answer = client.post(page, {"choice": "restore", "reason": "Because"})
    assert "This concerns you, so another moderator has to do it." in answer.text
