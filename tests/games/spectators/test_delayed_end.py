"""The end of a match that spectators see with a delay: they hear of it when it is theirs to know."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from games.broadcast import announcements
from games.errors import Refused
from games.lobby import open_tables
from games.models import Match
from games.moderation import reversals
from games.services import play, rematch
from games.services.clock import fire_due
from games.services.moves import MoveRequest, make_moves
from tests.games import tables
from tests.games.spectators.test_delayed import NOON, page, strip


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def rows_of_the_lobby() -> list[str]:
    return [line.slug for line in open_tables.lists().running]


class TestTheEnd:
    @pytest.fixture
    def match(self, clock: time_machine.Traveller, people: list[User]) -> Match:
        match = tables.running_table(people, delay="120")
        clock.shift(500)
        play.stop(match_id=match.pk)
        clock.shift(60)
        match.refresh_from_db()
        return match

    ADDRESSES = ("record/", "record.txt", "verify/")

    @pytest.mark.parametrize("address", ADDRESSES)
    def test_nothing_of_a_match_that_is_over_is_shown_before_its_time(
        self, clock: time_machine.Traveller, match: Match, people: list[User], address: str
    ) -> None:
        stranger, player = Client(), Client()
        player.force_login(people[0])
        url = f"/match/{match.slug}/{address}"
        assert stranger.get(url).status_code in (404, 409)
        assert player.get(url).status_code == 200
        clock.shift(60)
        assert stranger.get(url).status_code == 200

    def test_a_review_is_of_the_shown_past_with_closed_hands(
        self, clock: time_machine.Traveller, match: Match, people: list[User]
    ) -> None:
        assert "as=open" not in page(match, "review/")
        assert 'value="open"' not in page(match, "review/")
        assert Client().get(f"/match/{match.slug}/review/?as=open").status_code == 404
        clock.shift(60)
        assert Client().get(f"/match/{match.slug}/review/?as=open").status_code == 200

    def test_no_list_tells_that_it_is_over(
        self, clock: time_machine.Traveller, match: Match, people: list[User]
    ) -> None:
        lists = [Client().get(address).content.decode() for address in ("/", "/matches/", f"/people/{people[0].pk}/")]
        assert [match.slug in each for each in lists] == [True, False, False]
        clock.shift(60)
        lists = [Client().get(address).content.decode() for address in ("/", "/matches/", f"/people/{people[0].pk}/")]
        assert [match.slug in each for each in lists] == [False, True, True]

    def test_nor_does_the_rematch_in_the_lobby(
        self, clock: time_machine.Traveller, match: Match, people: list[User]
    ) -> None:
        match.seats.update(last_seen=timezone.now())
        for person in people:
            rematch.agree(match=match, by=person)
        new = Match.objects.get(rematch_of=match)
        assert new.status == Match.Status.RUNNING
        assert rows_of_the_lobby() == [match.slug]
        assert new.slug in {table.slug for table in open_tables.own_tables(people[0].pk)}
        clock.shift(60)
        assert rows_of_the_lobby() == [new.slug]

    def test_the_lobby_is_told_once_when_it_leaves_the_matches_that_run(
        self,
        clock: time_machine.Traveller,
        match: Match,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        told: list[list[announcements.Announcement]] = []
        monkeypatch.setattr(announcements, "_publish", told.append)
        with django_capture_on_commit_callbacks(execute=True):
            clock.shift(59)
            assert fire_due(now=timezone.now()) == 0
            assert rows_of_the_lobby() == [match.slug]
            clock.shift(1)
            assert [fire_due(now=timezone.now()) for _time in range(2)] == [1, 0]
        assert [group for announced in told for group, _message in announced] == [announcements.LOBBY]
        assert rows_of_the_lobby() == []

    def test_one_that_is_made_void_leaves_the_lobby_at_once_since_nobody_may_look_any_more(
        self,
        match: Match,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        told: list[list[announcements.Announcement]] = []
        monkeypatch.setattr(announcements, "_publish", told.append)
        with django_capture_on_commit_callbacks(execute=True):
            reversals.make_void(match)
        assert announcements.LOBBY in [group for announced in told for group, _message in announced]
        assert rows_of_the_lobby() == []

    def test_a_refusal_does_not_tell_it_either(self, clock: time_machine.Traveller, people: list[User]) -> None:
        running = tables.running_table(people, delay="120")
        over = tables.running_table(people, delay="120")
        play.stop(match_id=over.pk)
        stranger = tables.person("Stranger")
        for act in ("move", "ready", "leave", "rematch", "sit", "chat"):
            answers = []
            for each in (running, over):
                client = Client()
                client.force_login(stranger)
                data = {"move": "x", "v": "1", "text": "Hello"}
                answer = client.post(f"/match/{each.slug}/{act}/", data, follow=True).content.decode()
                numbered = strip(answer).replace(each.slug, "").replace(each.commitment, "")
                answers.append(re.sub(r'id="m\d+"|line=\d+', "", numbered))
            assert answers[0] == answers[1], act

    def test_nor_does_one_in_the_same_transaction_as_a_move(self, people: list[User]) -> None:
        match = tables.running_table(people, delay="120")
        version, move = tables.row_of(match).version, tables.first_move(match)
        users = (tables.to_move(match), tables.person("Eve"))
        answers = make_moves([MoveRequest(match.pk, version, move, user.pk) for user in users])
        assert isinstance(answers[1], Refused)
        assert answers[1].code == "not_seated"
