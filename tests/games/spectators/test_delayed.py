"""Watching with a delay: spectators see the match as it was some time ago, its end included, players as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts import personal_data
from accounts.models import User
from games.broadcast import announcements
from games.chat import posting
from games.errors import Refused
from games.lobby import open_tables
from games.match import record
from games.models import Match
from games.moderation import reversals
from games.services import play, rematch
from games.services.due_events import fire_due_events
from games.services.moves import MoveRequest, make_moves
from games.spectators import delayed
from tests.games import tables

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
FACE_UP = 'class="face-up'
SHOWN = re.compile(r'name="v" value="(\d+)"')


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def version_shown(match: Match, user: User | None = None) -> int:
    return delayed.snapshot_for(match.pk, user.pk if user else None).table.version


def page(match: Match, name: str = "", user: User | None = None) -> str:
    client = Client()
    if user:
        client.force_login(user)
    return client.get(f"/match/{match.slug}/{name}").content.decode()


def rounds_in_the_lobby(user: User | None = None) -> list[str]:
    client = Client()
    if user:
        client.force_login(user)
    return re.findall(r"<span>(Starting|Round \d)</span>", client.get("/").content.decode())


class TestSeconds:
    @pytest.mark.parametrize(("delay", "seconds"), [("30", 30), ("120", 120)])
    def test_spectators_see_a_move_after_the_delay(
        self, clock: time_machine.Traveller, people: list[User], delay: str, seconds: int
    ) -> None:
        match = tables.running_table(people, delay=delay)
        clock.shift(1000)
        before = version_shown(match)
        after = tables.make_first_move(match).version
        clock.shift(seconds - 0.001)
        assert version_shown(match) == before
        assert version_shown(match, people[0]) == after
        clock.shift(0.001)
        assert version_shown(match) == after

    def test_the_start_too_is_shown_later(self, clock: time_machine.Traveller, people: list[User]) -> None:
        match = tables.running_table(people, delay="30")
        assert SHOWN.search(page(match))[1] == "0"
        clock.shift(30)
        assert SHOWN.search(page(match))[1] == str(tables.locked_row(match).version)

    @pytest.mark.parametrize(("delay", "seconds"), [("30", 30), ("120", 120)])
    def test_spectators_see_when_the_match_will_be_shown(
        self, clock: time_machine.Traveller, people: list[User], delay: str, seconds: int
    ) -> None:
        match = tables.running_table(people, delay=delay)
        clock.shift(9)
        begins = round((NOON.timestamp() + seconds) * 1000)
        assert f'Starts here in <b role="timer" data-deadline="{begins}">' in page(match)
        assert "Spectators are " in page(match).partition('id="delayed"')[2].partition("</p>")[0]
        assert "Starts here" not in page(match, user=people[0])
        clock.shift(seconds)
        assert "Starts here" not in page(match)

    def test_lobby_shows_spectators_the_delayed_round(self, clock: time_machine.Traveller, people: list[User]) -> None:
        match = tables.running_table(people, delay="30", clock="none")
        assert rounds_in_the_lobby() == ["Starting"]
        assert rounds_in_the_lobby(people[0]) == ["Round 1"]  # among their own tables only
        clock.shift(30)
        tables.play_round(match)
        play.start_next_round(tables.locked_row(match), datetime.now(UTC))
        assert rounds_in_the_lobby() == ["Round 1"]
        assert rounds_in_the_lobby(people[0]) == ["Round 2"]

    def test_clocks_and_readiness_are_hidden(self, clock: time_machine.Traveller, people: list[User]) -> None:
        match = tables.running_table(people, delay="30", clock="fast")
        clock.shift(31)
        assert "data-deadline" in page(match, user=people[0])
        assert "data-deadline" not in page(match)

    def test_chat_is_delayed_with_the_moves(self, clock: time_machine.Traveller, people: list[User]) -> None:
        match = tables.running_table(people, delay="30")
        clock.shift(60)
        posting.post_message(match=match, user=people[0], text="I hold the 6-6")
        for name in ("", "review/", "review/round/"):
            assert "I hold" in page(match, name, people[1])
            assert "I hold" not in page(match, name)
        clock.shift(30)
        for name in ("", "review/", "review/round/"):
            assert "I hold" in page(match, name)

    def test_deleting_a_person_deletes_lines_without_delaying_moves(
        self, clock: time_machine.Traveller, people: list[User]
    ) -> None:
        match = tables.running_table([*people, tables.person("Cleo")], delay="30")
        for text in ("I am Cleo", "from Minsk"):
            posting.post_message(match=match, user=User.objects.get(name="Cleo"), text=text)
        clock.shift(60)
        before = delayed.snapshot_for(match.pk, None)
        personal_data.erase_person(User.objects.get(name="Cleo"))
        version = tables.locked_row(match).version
        clock.shift(60)
        after = delayed.snapshot_for(match.pk, None)
        assert after.table.messages == ()
        assert after.stage_and_revision > before.stage_and_revision
        assert after.table.version == version

    def test_hold_by_a_bot_is_hidden(self, clock: time_machine.Traveller, people: list[User]) -> None:
        match = tables.running_table([*people, tables.person("Cleo")], delay="30")
        clock.shift(60)
        before = page(match)
        lobby = Client().get("/").content.decode()
        play.leave_match(match_id=match.pk, user_id=people[0].pk)
        assert strip(page(match)) == strip(before)
        assert strip(Client().get("/").content.decode()) == strip(lobby)


def strip(text: str) -> str:
    return re.sub(r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=X-CSRFToken": ")\w+', "", text)


class TestOneRound:
    def test_a_round_is_shown_while_the_next_one_is_played(
        self, clock: time_machine.Traveller, people: list[User]
    ) -> None:
        match = tables.running_table(people, delay="round")
        assert version_shown(match) == 0
        dealt = tables.locked_row(match).version
        clock.shift(10)
        first = tables.make_first_move(match).version
        clock.shift(10)
        tables.play_round(match)
        assert version_shown(match) == 0
        clock.shift(100)
        for user in people:
            play.mark_ready(match_id=match.pk, user_id=user.pk)
        assert version_shown(match) == dealt
        clock.shift(9.9)
        assert version_shown(match) == dealt
        clock.shift(0.2)
        assert version_shown(match) == first
        clock.shift(3600)
        assert version_shown(match) == tables.locked_row(match).deal_version - 1

    def test_the_last_round_follows_the_end(self, clock: time_machine.Traveller, people: list[User]) -> None:
        match = tables.running_table(people, delay="round")
        dealt = version_shown(match, people[0])
        clock.shift(10)
        tables.make_first_move(match)
        clock.shift(10)
        play.stop_match(match_id=match.pk)
        assert version_shown(match) == dealt
        clock.shift(10.1)
        assert version_shown(match) == dealt + 1
        clock.shift(9.9)
        assert version_shown(match) == tables.locked_row(match).version


class TestOpenHands:
    @pytest.fixture
    def match(self, clock: time_machine.Traveller, people: list[User]) -> Match:
        """A match in its second round, the first of which was played ten seconds after its deal, at once."""
        match = tables.running_table(people, delay="open")
        clock.shift(10)
        tables.make_first_move(match)
        clock.shift(10)
        tables.play_round(match)
        for user in people:
            play.mark_ready(match_id=match.pk, user_id=user.pk)
        return match

    def test_spectators_see_all_hands_of_the_round_before(
        self, clock: time_machine.Traveller, match: Match, people: list[User]
    ) -> None:
        dealt = delayed.snapshot_for(match.pk, None)
        hands = [seat.hand for seat in dealt.view(None).seats]
        assert hands == list(record.load_state(match.pk, dealt.table.version).hands)
        assert FACE_UP in page(match)
        clock.shift(10)
        sizes = [len(seat.hand) for seat in delayed.snapshot_for(match.pk, None).view(None).seats]
        assert sorted(sizes) == [6, 7]

    def test_nothing_is_shown_before_a_round_is_over(self, clock: time_machine.Traveller, people: list[User]) -> None:
        match = tables.running_table(people, delay="open")
        clock.shift(1000)
        assert delayed.snapshot_for(match.pk, None).view(None) is None
        assert FACE_UP not in page(match)
        assert "appears here when its first round is over" in page(match)

    def test_a_seat_sees_its_own_hand_only(self, match: Match, people: list[User]) -> None:
        hands = [seat.hand for seat in delayed.snapshot_for(match.pk, people[0].pk).view(0).seats]
        assert [hand is None for hand in hands] == [False, True]
        assert FACE_UP not in page(match, user=people[0])

    def test_review_shows_spectators_the_same(self, match: Match, people: list[User]) -> None:
        assert FACE_UP in page(match, "review/")
        assert FACE_UP not in page(match, "review/?as=public")
        assert Client().get(f"/match/{match.slug}/review/?as=0").status_code == 404
        assert FACE_UP not in page(match, "review/", people[0])
        player = tables.browser_of(people[0])
        assert player.get(f"/match/{match.slug}/review/?as=open").status_code == 404

    def test_lobby_and_table_mention_open_hands(self, match: Match, people: list[User]) -> None:
        for address in ("/", f"/match/{match.slug}/"):
            assert "see all tiles face up" in Client().get(address).content.decode()


def rows_of_the_lobby() -> list[str]:
    return [line.slug for line in open_tables.load_lists().running]


class TestTheEnd:
    @pytest.fixture
    def match(self, clock: time_machine.Traveller, people: list[User]) -> Match:
        match = tables.running_table(people, delay="120")
        clock.shift(500)
        play.stop_match(match_id=match.pk)
        clock.shift(60)
        match.refresh_from_db()
        return match

    @pytest.fixture
    def published(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Return the groups to which something was announced."""
        sent: list[str] = []
        monkeypatch.setattr(announcements, "_publish", lambda announced: sent.extend(group for group, _ in announced))
        return sent

    @pytest.mark.parametrize("address", ["record/", "record.txt", "verify/"])
    def test_undisclosed_end_is_hidden(
        self, clock: time_machine.Traveller, match: Match, people: list[User], address: str
    ) -> None:
        stranger, player = Client(), Client()
        player.force_login(people[0])
        url = f"/match/{match.slug}/{address}"
        assert stranger.get(url).status_code in (404, 409)
        assert player.get(url).status_code == 200
        clock.shift(60)
        assert stranger.get(url).status_code == 200

    def test_review_ends_with_the_disclosed_step(
        self, clock: time_machine.Traveller, match: Match, people: list[User]
    ) -> None:
        assert "as=open" not in page(match, "review/")
        assert 'value="open"' not in page(match, "review/")
        assert Client().get(f"/match/{match.slug}/review/?as=open").status_code == 404
        clock.shift(60)
        assert Client().get(f"/match/{match.slug}/review/?as=open").status_code == 200

    def test_lists_hide_an_undisclosed_end(
        self, clock: time_machine.Traveller, match: Match, people: list[User]
    ) -> None:
        addresses = ("/", "/matches/", f"/people/{people[0].pk}/")
        assert [match.slug in Client().get(address).text for address in addresses] == [True, False, False]
        clock.shift(60)
        assert [match.slug in Client().get(address).text for address in addresses] == [False, True, True]

    def test_rematch_in_the_lobby_hides_an_undisclosed_end(
        self, clock: time_machine.Traveller, match: Match, people: list[User]
    ) -> None:
        match.seats.update(last_seen=timezone.now())
        for person in people:
            rematch.agree_to_rematch(match=match, by=person)
        new = Match.objects.get(rematch_of=match)
        assert new.status == Match.Status.RUNNING
        assert rows_of_the_lobby() == [match.slug]
        assert new.slug in {table.slug for table in open_tables.load_own_tables(people[0].pk)}
        clock.shift(60)
        assert rows_of_the_lobby() == [new.slug]

    def test_lobby_is_updated_once_at_the_disclosed_end(
        self,
        clock: time_machine.Traveller,
        match: Match,
        published: list[str],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            clock.shift(59)
            assert fire_due_events(now=timezone.now()) == 0
            assert rows_of_the_lobby() == [match.slug]
            clock.shift(1)
            assert [fire_due_events(now=timezone.now()) for _time in range(2)] == [1, 0]
        assert published == [announcements.LOBBY_GROUP]
        assert rows_of_the_lobby() == []

    def test_void_match_leaves_the_lobby_at_once(
        self,
        match: Match,
        published: list[str],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            reversals.make_void(match)
        assert announcements.LOBBY_GROUP in published
        assert rows_of_the_lobby() == []

    def test_refusals_hide_an_undisclosed_end(self, clock: time_machine.Traveller, people: list[User]) -> None:
        running = tables.running_table(people, delay="120")
        over = tables.running_table(people, delay="120")
        play.stop_match(match_id=over.pk)
        stranger = tables.person("Stranger")
        for act in ("move", "ready", "leave", "rematch", "sit", "chat"):
            answers = []
            for match in (running, over):
                client = tables.browser_of(stranger)
                data = {"move": "x", "v": "1", "text": "Hello"}
                answer = client.post(f"/match/{match.slug}/{act}/", data, follow=True).content.decode()
                numbered = strip(answer).replace(match.slug, "").replace(match.commitment, "")
                answers.append(re.sub(r'id="m\d+"|line=\d+|shown=[\w.]+', "", numbered))
            assert answers[0] == answers[1], act

    def test_refusals_in_a_shared_transaction_hide_it_too(self, people: list[User]) -> None:
        match = tables.running_table(people, delay="120")
        version, move = tables.locked_row(match).version, tables.first_legal_move(match)
        users = (tables.player_to_move(match), tables.person("Eve"))
        answers = make_moves([MoveRequest(match.pk, version, move, user.pk) for user in users])
        assert isinstance(answers[1], Refused)
        assert answers[1].code == "not_seated"
