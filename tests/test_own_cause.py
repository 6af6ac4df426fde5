"""Nobody who moderates acts on their own matter: not on themselves, and not on a match at which they had a seat."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Appeal, ModerationAct, Sanction, User
from accounts.sanctions import imposing
from games.enums import Correction, Measure
from games.models import Case, Match, Message
from games.moderation import moderation
from games.moderation.cases import queue
from games.moderation.cases.reporting import Place, report
from games.moderation.decisions import decide
from infrastructure.admin import HistoryAdmin
from infrastructure.admin_acts import AdminAction
from tests.games import tables
from tests.games.tables import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    """Return an administrator, who may do everything, and who plays."""
    return User.objects.create_superuser("boss", name="Boss")


@pytest.fixture
def match(boss: User) -> Match:
    return tables.running_table([boss, person("Ben")])


def line(match: Match) -> Message:
    ben = match.seats.get(name="Ben").user
    return Message.objects.create(match=match, user=ben, name="Ben", text="You idiot")


def sanction(match: Match) -> Sanction:
    return Sanction.objects.create(user=User.objects.get(username="boss"), kind="mute", reason="spam")


ROWS: dict[str, Callable[[Match], Any]] = {
    "accounts.user": lambda match: User.objects.get(username="boss"),
    "accounts.sanction": sanction,
    "accounts.appeal": lambda match: Appeal.objects.create(sanction=sanction(match), words="It was not me"),
    "games.match": lambda match: match,
    "games.seat": lambda match: match.seats.get(name="Ben"),
    "games.message": line,
}
"""A row of each model with acts that concerns the administrator."""


def all_acts() -> list[tuple[str, AdminAction]]:
    return [
        (model._meta.label_lower, act)
        for model, pages in admin.site._registry.items()
        if isinstance(pages, HistoryAdmin)
        for act in pages.row_actions
    ]


ACTS = [pytest.param(model, act, id=f"{model} {act.name}") for model, act in all_acts()]


def fields_of(act: AdminAction) -> dict[str, Any]:
    """Return what the form of an act gives it."""
    names = act.form().fields.keys()
    until = {"until": timezone.now() + timedelta(days=1)} if "length" in names else {}
    return {"reason": "Because"} | until | ({"scope": ""} if "scope" in names else {})


@pytest.mark.parametrize(("model", "act"), ACTS)
def test_no_act_is_done_by_a_party(boss: User, match: Match, model: str, act: AdminAction) -> None:
    row = ROWS[model](match)
    with pytest.raises(ValidationError) as refusal:
        act.perform(moderator=boss, rows=[row], **fields_of(act))
    assert refusal.value.code == "party"
    assert not ModerationAct.objects.exists()


@pytest.mark.parametrize("measure", Measure)
def test_no_measure_of_a_case_is_taken_by_somebody_who_sat_at_the_reported_match(
    boss: User, match: Match, measure: str
) -> None:
    ben = match.seats.get(name="Ben").user
    case = report(reporter=person("Eve"), suspect=ben, reason="insults", place=Place(match)).case
    with pytest.raises(ValidationError) as refusal:
        decide(moderator=boss, case=case, measure=measure, reason="Because")
    assert refusal.value.code == "party"
    assert Case.objects.get().closed_at is None


@pytest.mark.parametrize("correction", [each for each in Correction if each])
def test_no_correction_of_the_own_match_is_made(boss: User, match: Match, correction: str) -> None:
    ben = match.seats.get(name="Ben").user
    case = report(reporter=person("Eve"), suspect=ben, reason="throws", place=Place(match)).case
    with pytest.raises(ValidationError):
        decide(moderator=boss, case=case, measure=Measure.UPHOLD, correction=correction, reason="Because")
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_a_case_about_the_own_match_is_neither_given_nor_offered_to_decide(boss: User, match: Match) -> None:
    ben = match.seats.get(name="Ben").user
    case = report(reporter=person("Eve"), suspect=ben, reason="insults", place=Place(match)).case
    client = Client()
    client.force_login(boss)
    assert queue.take_next(boss, timezone.now()) is None
    assert 'name="measure"' not in client.get(reverse("admin:games_case_change", args=[case.pk])).text
    other = User.objects.create_superuser("other", name="Other")
    assert queue.take_next(other, timezone.now()) == case


def test_who_was_removed_from_a_seat_stays_a_party(boss: User, match: Match) -> None:
    other = User.objects.create_superuser("other", name="Other")
    moderation.remove_from_seat(moderator=other, seat=match.seats.get(user=boss), reason="Rude")
    assert not match.seats.filter(user=boss).exists()
    with pytest.raises(ValidationError) as refusal:
        moderation.void_match(moderator=boss, match=match, reason="Because")
    case = report(reporter=person("Eve"), suspect=other, reason="insults", place=Place(match)).case
    assert (refusal.value.code, queue.take_next(boss, timezone.now()), case.closed_at) == ("party", None, None)


@pytest.mark.parametrize("kind", ["suspend", "close"])
def test_nobody_shuts_out_an_opponent_of_a_match_that_runs(boss: User, match: Match, kind: str) -> None:
    ben = match.seats.get(name="Ben").user
    with pytest.raises(ValidationError) as refusal:
        imposing.impose(moderator=boss, user=ben, kind=kind, reason="Because")
    assert (refusal.value.code, ben.sanctions.count()) == ("party", 0)


def test_what_is_refused_is_said_on_the_page(boss: User, match: Match) -> None:
    client = Client()
    client.force_login(boss)
    page = reverse("admin:games_match_act", args=["void"]) + f"?id={match.pk}"
    answer = client.post(page, {"reason": "Because"}, follow=True)
    assert "You are concerned yourself, so another moderator has to do this." in answer.text
