"""Acts of moderators on tournaments: allowed to some, logged with a reason, never in their own case."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import ModerationAct, User
from games.errors import Refused
from games.models import Tournament
from games.moderation import tournament_acts
from games.tournaments import entering
from tests.accounts.test_admin import staff
from tests.games.tables import person
from tests.games.tournaments.site import MINUTE, START, announced, entrants

NOW = START - MINUTE
Act = Callable[[User, Tournament, str], None]
ACTS: dict[str, Act] = {
    "cancel_tournament": lambda moderator, row, reason: tournament_acts.cancel_tournament(
        moderator=moderator, tournament=row, reason=reason, now=NOW
    ),
    "remove_entry": lambda moderator, row, reason: tournament_acts.remove_entry(
        moderator=moderator, entry=row.entries.order_by("pk")[0], reason=reason, now=NOW
    ),
    "hide_name": lambda moderator, row, reason: tournament_acts.hide_name(
        moderator=moderator, tournament=row, reason=reason
    ),
}


@pytest.fixture
def tournament() -> Tournament:
    row = announced(name="A rude name")
    entrants(row, "Anna", "Bela")
    return row


@pytest.mark.parametrize("act", ACTS)
def test_each_act_needs_a_permission_and_a_reason_and_is_logged(
    act: str, tournament: Tournament, moderator: User
) -> None:
    with pytest.raises(PermissionDenied):
        ACTS[act](person("Trainee", is_staff=True), tournament, "Rude.")
    with pytest.raises(ValidationError, match="reason"):
        ACTS[act](moderator, tournament, " ")
    ACTS[act](moderator, tournament, "Rude.")
    logged = ModerationAct.objects.get()
    assert (logged.act, logged.target, logged.reason) == (act, f"tournament:{tournament.slug}", "Rude.")


@pytest.mark.parametrize("act", ACTS)
def test_nobody_acts_in_a_tournament_that_they_entered(act: str, tournament: Tournament, moderator: User) -> None:
    entering.enter(tournament=tournament, user=moderator, now=NOW)
    with pytest.raises(ValidationError, match="concerns you"):
        ACTS[act](moderator, tournament, "Rude.")


def test_what_the_acts_do(tournament: Tournament, moderator: User) -> None:
    ACTS["hide_name"](moderator, tournament, "Rude.")
    ACTS["remove_entry"](moderator, tournament, "Rude.")
    row = Tournament.objects.get(pk=tournament.pk)
    assert (row.name, row.parties) == ("", 1)
    with pytest.raises(Refused, match="entry_refused"):
        entering.enter(tournament=tournament, user=row.entries.order_by("pk")[0].user, now=NOW)
    for act in ("hide_name", "remove_entry"):
        with pytest.raises(ValidationError):
            ACTS[act](moderator, tournament, "Again.")
    ACTS["cancel_tournament"](moderator, tournament, "Rude.")
    assert Tournament.objects.get(pk=tournament.pk).stage == "cancelled"
    with pytest.raises(Refused, match="tournament_over"):
        ACTS["cancel_tournament"](moderator, tournament, "Again.")


def test_the_acts_are_on_the_admin_pages_of_the_tournament_and_the_entry(tournament: Tournament) -> None:
    client = staff("mo", "Match moderators")
    entry = tournament.entries.order_by("pk")[0]
    page = reverse("admin:games_tournament_change", args=[tournament.pk])
    pages = {"hide_name": page, "remove": reverse("admin:games_entry_change", args=[entry.pk]), "cancel": page}
    for act, address in pages.items():
        assert f'name="choice" value="{act}"' in client.get(address).text
        assert "This field is required" in client.post(address, {"choice": act}).text
        assert client.post(address, {"choice": act, "reason": "Rude."}).status_code == 302
    row = Tournament.objects.get(pk=tournament.pk)
    assert (row.name, row.parties, row.stage) == ("", 1, "cancelled")
    assert 'name="choice"' not in client.get(page).text
    assert "Rude." in client.get(reverse("admin:games_tournament_history", args=[tournament.pk])).text
    listed = client.get(reverse("admin:games_entry_changelist"), {"tournament__id__exact": tournament.pk}).text
    assert "Bela" in listed


def test_an_act_that_comes_too_late_is_explained(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    client = staff("mo", "Match moderators")
    monkeypatch.setattr(tournament_acts, "cancel_tournament", refuse)
    page = reverse("admin:games_tournament_change", args=[tournament.pk])
    answer = client.post(page, {"choice": "cancel", "reason": "Rude."})
    assert "This tournament is over." in answer.text


def refuse(**_values: object) -> None:
    """Refuse as for a tournament that has ended since the page was loaded."""
    raise Refused("tournament_over")


def test_the_admin_pages_read_no_secret_of_boards(
    tournament: Tournament, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client, entry = staff("mo", "Match moderators"), tournament.entries.order_by("pk")[0]
    with django_assert_max_num_queries(1000) as captured:
        for model, key in (("tournament", tournament.pk), ("entry", entry.pk)):
            assert client.get(reverse(f"admin:games_{model}_changelist")).status_code == 200
            assert client.get(reverse(f"admin:games_{model}_change", args=[key])).status_code == 200
    read = [query["sql"] for query in captured.captured_queries]
    assert not [sql for sql in read if '"secret"' in sql or '"nonce"' in sql]
