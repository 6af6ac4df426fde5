"""Staff who view private data leave a row in the log, which stays readable."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib import admin
from django.db import DatabaseError, transaction
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ModerationAct, User
from games.models import Case
from games.moderation.admin.private import PRIVATE_PAGES
from games.moderation.cases import queue
from games.moderation.cases.figures import monthly_figures
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.permissions import ROLE_PERMISSIONS
from tests.accounts.test_admin import staff
from tests.games import tables
from tests.games.tables import person
from tests.test_admin_roles import READING, rows

__all__ = ["rows"]
NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)
# Rows that show only public data, the log itself, and rights.
OPEN_TO_ALL = {
    *("accounts_moderationact", "games_match", "games_seat", "games_ratingpoints", "auth_group", "games_tournament"),
    "games_club",
}


def looks() -> list[tuple[str, int | None]]:
    looks = ModerationAct.objects.filter(act="look").order_by("pk")
    return list(looks.values_list("target", "user"))


def case_of(suspect: User) -> Case:
    return report_person(reporter=person("Rita"), suspect=suspect, reason="name", place=ReportedPlace()).case


def page_of(case: Case) -> str:
    return reverse("admin:games_case_change", args=[case.pk])


def test_every_model_of_the_admin_is_private_or_open_to_all() -> None:
    models = {f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry}
    models.remove("games_siteswitches")  # a page of its own, which shows no rows
    assert models == set(READING) == set(PRIVATE_PAGES) | OPEN_TO_ALL
    assert not set(PRIVATE_PAGES) & OPEN_TO_ALL


@pytest.mark.parametrize("model", PRIVATE_PAGES)
def test_a_look_at_each_private_row_is_logged(rows: dict[str, Model], model: str) -> None:
    row, client = rows[model], staff("root")
    assert client.get(reverse(f"admin:{model}_change", args=[row.pk])).status_code == 200
    ((target, user_id),) = looks()
    assert target == f"{model.partition('_')[2]}:{row.pk}"
    assert user_id == getattr(PRIVATE_PAGES[model].owner(row), "pk", None)
    act = ModerationAct.objects.get(act="look")
    assert (act.moderator, act.reason) == (User.objects.get(username="root"), "")


@pytest.mark.stack
def test_list_looks_are_logged_once(ann: User) -> None:
    client, listed = staff("root"), reverse("admin:games_conductmark_changelist")
    client.get(listed)
    client.get(f"{listed}?user__id__exact={ann.pk}")
    client.get(f"{listed}?user__id__exact=987654")
    client.get(reverse("admin:games_case_changelist"))
    client.get(reverse("admin:accounts_user_changelist"))
    assert looks() == [("conductmark:list", None), ("conductmark:list", ann.pk)]


@pytest.mark.stack
def test_a_second_look_within_the_hour_makes_no_second_row(ann: User) -> None:
    case = case_of(ann)
    first, second = staff("root"), staff("mo", "Trainees")
    with time_machine.travel(NOON, tick=False) as clock:
        for client in (first, first, second):
            client.get(page_of(case))
        assert looks() == [(f"case:{case.pk}", ann.pk)] * 2
        clock.shift(timedelta(minutes=59))
        first.get(page_of(case))
        assert len(looks()) == 2
        clock.shift(timedelta(minutes=1))
        first.get(page_of(case))
        assert len(looks()) == 3


def test_refused_and_missing_pages_are_no_looks(rows: dict[str, Model]) -> None:
    client = staff("tom", "Trainees")
    key = rows["games_conductmark"].pk
    assert client.get(reverse("admin:games_conductmark_change", args=[key])).status_code == 403
    assert client.get(reverse("admin:games_case_change", args=[987654])).status_code == 302
    assert Client().get(reverse("admin:games_case_change", args=[1])).status_code == 302
    assert looks() == []


def test_look_at_ones_own_data_is_not_logged() -> None:
    client = staff("root")
    client.get(reverse("admin:accounts_user_change", args=[User.objects.get(username="root").pk]))
    assert looks() == []


def test_the_log_shows_looks_by_filter_but_nobody_those_at_their_own_data() -> None:
    mo, eve = staff("mo", "Match moderators"), person("Eve")
    suspect = User.objects.get(username="mo")
    root, listed = staff("root"), reverse("admin:accounts_moderationact_changelist")
    for case in (case_of(eve), case_of(suspect)):
        root.get(page_of(case))
    seen = [client.get(f"{listed}?act__exact=look").text.count("looked at private data</t") for client in (root, mo)]
    assert seen == [2, 1]
    assert "looked at private data</t" not in root.get(f"{listed}?act__exact=mute").text


def test_nobody_reads_what_is_proposed_about_themselves_before_it_is_decided() -> None:
    mo, case = staff("mo", "Match moderators"), case_of(User.objects.get(username="mo"))
    staff("tom", "Trainees")
    tom = User.objects.get(username="tom")
    queue.propose_decision(moderator=tom, case=case, proposal={}, reason="He sleeps", now=timezone.now())
    root = staff("root")
    pages = [
        reverse("admin:accounts_moderationact_changelist"),
        *(reverse(f"admin:accounts_user_{page}", args=[case.suspect_id]) for page in ("change", "history")),
    ]
    assert ["He sleeps" in mo.get(page).text for page in pages] == [False, False, False]
    assert "He sleeps" in root.get(pages[0]).text


def test_looks_are_no_measures(ann: User, client: Client) -> None:
    case, root = case_of(ann), staff("root")
    with time_machine.travel(NOON - timedelta(days=40), tick=False):
        for number in range(6):
            ModerationAct.objects.create(act="look", user=ann, target=f"case:{number}")
    root.get(page_of(case))
    assert monthly_figures(NOON) == []
    history = reverse("admin:accounts_user_history", args=[ann.pk])
    assert "looked at private data" not in root.get(history).text
    assert "looked at private data" not in root.get(reverse("admin:accounts_user_change", args=[ann.pk])).text


@pytest.mark.stack
def test_the_database_keeps_looks(ann: User) -> None:
    staff("root").get(page_of(case_of(ann)))
    acts = ModerationAct.objects.filter(act="look")
    for forget in (acts.delete, lambda: acts.update(target="case:0"), lambda: acts.update(at=NOON)):
        with pytest.raises(DatabaseError, match="moderation acts are kept"), transaction.atomic():
            forget()
    assert len(looks()) == 1


def test_every_role_is_logged(ann: User) -> None:
    case = case_of(ann)
    tables.running_table([ann, person("Ben")])
    for number, role in enumerate(ROLE_PERMISSIONS):
        staff(f"mo{number}", role).get(page_of(case))
    assert looks() == [(f"case:{case.pk}", ann.pk)] * len(ROLE_PERMISSIONS)
