"""The players' part of the shuffle: commitments at the open table, and the short time in which they are opened."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.deal import nonce_commitment
from games.engine.events import MatchStarted
from games.errors import Refused
from games.fair_dealing import nonces
from games.lobby import quick_play, tables
from games.match import record
from games.models import Match, Seat
from games.moderation import acts
from games.services import due_events, rematch, seating
from tests.games.lobby.test_tables import refused, sitting, table
from tests.games.services.test_rematch import finished
from tests.games.tables import person

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def noon() -> Iterator[Any]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def five_seconds(settings: Any) -> None:
    settings.NONCE_SECONDS = 5


def give(match: Match, user: User, **values: str) -> None:
    nonces.submit_nonce(match_id=match.pk, user_id=user.pk, **values)
    match.refresh_from_db()


def commit(match: Match, *users: User) -> None:
    for user in users:
        give(match, user, commitment=nonce_commitment(f"{user.name}'s"))


def open_all(match: Match, *users: User) -> None:
    for user in users:
        give(match, user, nonce=f"{user.name}'s")


def duel(ann: User, ben: User) -> Match:
    match = table(ann, seats=2)
    return tables.sit(match=match, user=ben)


def started(match: Match) -> MatchStarted:
    return record.start_event(match.pk)


def stage(match: Match) -> tuple[str, str]:
    match.refresh_from_db()
    return match.status, match.due_kind


def fire(match: Match, after: timedelta) -> tuple[str, str]:
    """Let the clock do what is due so long after noon."""
    due_events.fire_due_events(now=NOON + after)
    return stage(match)


class TestWhereItCounts:
    def test_nonce_sent_with_a_seat_is_ignored(self, ann: User, ben: User, client: Client) -> None:
        """The site draws its secret in the requests that open a table: it may not know a nonce by then."""
        client.force_login(ann)
        client.post(reverse("quick-play"), {"nonce": "mine"})
        client.post(reverse("table-new"), {"variant": "kozel", "preset": "duel", "nonce": "mine"})
        client.post(reverse("match-sit", args=[table(ben).slug]), {"nonce": "mine"})
        client.force_login(ben)
        client.post(reverse("match-rematch", args=[finished(ben).slug]), {"nonce": "mine"})
        assert (Seat.objects.filter(user=ann).count(), Seat.objects.filter(user=ben).count()) == (3, 3)
        assert not Seat.objects.exclude(nonce="", nonce_commitment="").exists()

    @pytest.mark.parametrize("name", ["lobby", "table-new"])
    def test_seat_forms_ask_for_no_nonce(self, ann: User, client: Client, name: str) -> None:
        table(person("Cleo"))
        client.force_login(ann)
        for address in (reverse(name), f"{reverse(name)}?game=kozel"):
            assert b"nonce" not in client.get(address).content

    def test_page_with_the_nonce_form_shows_the_commitment(self, ann: User, ben: User, client: Client) -> None:
        match = table(ann)
        client.force_login(ben)
        page = reverse("match", args=[match.slug])
        assert 'id="nonce"' not in client.get(page).content.decode()
        client.post(reverse("match-sit", args=[match.slug]))
        text = client.get(page).content.decode()
        assert f'data-commitment="{match.commitment}"' in text.partition('id="nonce"')[2].partition(">")[0]


class TestBeforeTheStart:
    def test_commitment_is_stored_and_can_be_replaced(self, ann: User) -> None:
        match = table(ann)
        give(match, ann, nonce="typed")
        give(match, ann, commitment=nonce_commitment("other"))
        seat = seating.seats_of(match)[0]
        assert (seat.nonce_commitment, seat.nonce) == (nonce_commitment("other"), "")

    def test_text_without_scripts_is_committed_and_opened_at_once(self, ann: User, client: Client) -> None:
        match = table(ann)
        client.force_login(ann)
        client.post(reverse("match-nonce", args=[match.slug]), {"nonce": "  my   lucky words \x00\n" + "x" * 100})
        seat = seating.seats_of(match)[0]
        text = "my   lucky words " + "x" * 47
        assert (seat.nonce, seat.nonce_commitment) == (text, nonce_commitment(text))

    @pytest.mark.parametrize(
        "posted",
        [
            {},
            {"nonce": ""},
            {"nonce": "\n\t "},
            {"commitment": "ab"},
            {"commitment": "AB" * 32},
            {"commitment": "é" * 64},
        ],
    )
    def test_invalid_nonces_are_refused(self, ann: User, client: Client, posted: dict[str, str]) -> None:
        match = table(ann)
        client.force_login(ann)
        client.post(reverse("match-nonce", args=[match.slug]), posted)
        assert client.session["refused"][0] == "bad_request"
        assert seating.seats_of(match)[0].nonce_commitment == ""

    def test_only_players_can_add_a_nonce(self, ann: User, ben: User) -> None:
        refused("not_seated", nonces.submit_nonce, match_id=table(ann).pk, user_id=ben.pk, nonce="mine")

    def test_standing_up_removes_the_nonce(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        commit(match, ben)
        tables.stand_up(match=match, user=ben)
        tables.sit(match=match, user=person("Cleo"))
        assert seating.seats_of(match)[1].nonce_commitment == ""


@pytest.mark.usefixtures("five_seconds")
class TestEveryWayToIt:
    def test_last_vote_begins_the_start(self, ann: User, ben: User) -> None:
        match = duel(ann, ben)
        commit(match, ann, ben)
        tables.start_or_agree(match=match, by=ben)
        assert stage(match) == ("open", "abandon")
        tables.start_or_agree(match=match, by=ann)
        assert stage(match) == ("open", "reveal")

    def test_quick_play_begins_the_start_after_20_seconds(self, ann: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        commit(match, ann)
        assert fire(match, quick_play.FILL_AFTER) == ("open", "reveal")
        assert sitting(match) == ["Ann", "bot", "bot", "bot"]
        open_all(match, ann)
        assert match.status == "running"

    def test_last_seat_of_a_quick_game_begins_the_start(self) -> None:
        people = [person(f"P{number}") for number in range(4)]
        for user in people:
            match = quick_play.join_quick_game(user=user, variant="kozel")
        assert stage(match) == ("open", "commit")
        commit(match, *people)
        open_all(match, *people)
        assert match.status == "running"

    @pytest.mark.stack
    def test_last_seat_of_a_rematch_begins_the_start(self, ann: User, settings: Any) -> None:
        settings.NONCE_SECONDS = 0
        old = finished(ann)
        settings.NONCE_SECONDS = 5
        match = rematch.agree_to_rematch(match=old, by=ann)
        assert stage(match) == ("open", "commit")
        assert rematch.agree_to_rematch(match=old, by=ann) == match
        commit(match, ann)
        open_all(match, ann)
        assert match.status == "running"


@pytest.mark.usefixtures("five_seconds")
class TestFrozenSeats:
    def starting(self, ann: User, ben: User) -> Match:
        match = duel(ann, ben)
        commit(match, ann, ben)
        return tables.start_or_agree(match=match, by=ann)

    def test_seats_cannot_be_changed(self, ann: User, ben: User) -> None:
        match = self.starting(ann, ben)
        refused("starting", tables.sit, match=match, user=person("Cleo"))
        refused("starting", tables.stand_up, match=match, user=ben)
        refused("starting", tables.fill_with_bots, match=match, by=ann)
        refused("starting", tables.start_or_agree, match=match, by=ann)

    def test_absent_players_keep_their_seats(self, ann: User, ben: User) -> None:
        match = self.starting(ann, ben)
        tables.abandon_due_table(match_id=match.pk, now=NOON + timedelta(hours=1))
        quick_play.fill_due_table(match_id=match.pk)
        assert quick_play.join_quick_game(user=person("Cleo"), variant="kozel") != match
        assert (stage(match), sitting(match)) == (("open", "reveal"), ["Ann", "Ben"])

    @pytest.mark.stack
    def test_each_step_of_the_start_happens_once(self, ann: User, ben: User) -> None:
        match = self.starting(ann, ben)
        nonces.end_commit_phase(match_id=match.pk)
        assert stage(match) == ("open", "reveal")
        for _ in range(2):
            nonces.end_reveal_phase(match_id=match.pk)
        assert (match.started_at, started(match).nonces) == (None, ("", ""))

    def test_suspension_aborts_the_start_and_deletes_nonces(self, ann: User, ben: User) -> None:
        match = self.starting(ann, ben)
        open_all(match, ann)
        acts.leave_all_tables(ben)
        assert (stage(match), sitting(match)) == (("open", "abandon"), ["Ann", ""])
        assert not Seat.objects.exclude(nonce="", nonce_commitment="").exists()
        with pytest.raises(Refused, match="empty_seats"):
            tables.start_or_agree(match=match, by=ann)
