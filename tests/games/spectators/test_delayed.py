"""Watching with a delay: spectators see the match as it stood some time ago, everybody else as it stands."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from accounts import personal_data
from accounts.models import User
from games.broadcast import announcements
from games.lobby import open_tables
from games.match import record
from games.models import Match, MatchEvent
from games.services import chat, play, results
from games.services.clock import fire_due
from games.services.play import MoveRequest
from games.sockets.lobby import LOBBY_SECONDS
from games.spectators import delayed
from tests.games import tables
from tests.games.socket_browser import Browser, opened, watch

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
FACE_UP = 'class="face-up"'
SHOWN = re.compile(r'name="v" value="(\d+)"')
in_thread = database_sync_to_async


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def people(db) -> list[User]:
    return [tables.person("Ann"), tables.person("Bob")]


def version_shown(match: Match, user: User | None = None) -> int:
    return delayed.current(match.pk, user.pk if user else None).table.version


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


def rows_of_the_lobby() -> list[str]:
    return [line.slug for line in open_tables.lists().running]


class TestSeconds:
    @pytest.mark.parametrize(("delay", "seconds"), [("30", 30), ("120", 120)])
    def test_spectators_see_a_move_so_many_seconds_later(self, clock, people, delay, seconds):
        match = tables.running_table(people, delay=delay)
        clock.shift(1000)
        before = version_shown(match)
        after = tables.make_first_move(match).version
        clock.shift(seconds - 0.001)
        assert version_shown(match) == before
        assert version_shown(match, people[0]) == after
        clock.shift(0.001)
        assert version_shown(match) == after

    def test_the_start_too_is_shown_later(self, clock, people):
        match = tables.running_table(people, delay="30")
        assert SHOWN.search(page(match))[1] == "0"
        clock.shift(30)
        assert SHOWN.search(page(match))[1] == str(tables.row_of(match).version)

    def test_the_lobby_tells_the_round_that_spectators_see_and_players_theirs(self, clock, people):
        match = tables.running_table(people, delay="30", clock="none")
        assert rounds_in_the_lobby() == ["Starting"]
        assert rounds_in_the_lobby(people[0]) == ["Round 1", "Starting"]  # first among one's own tables
        clock.shift(30)
        tables.play_round(match)
        play.next_round(tables.row_of(match), datetime.now(UTC))
        assert rounds_in_the_lobby() == ["Round 1"]
        assert rounds_in_the_lobby(people[0]) == ["Round 2", "Round 1"]

    def test_clocks_and_who_is_ready_are_not_told(self, clock, people):
        match = tables.running_table(people, delay="30", clock="fast")
        clock.shift(31)
        assert "data-deadline" in page(match, user=people[0])
        assert "data-deadline" not in page(match)

    def test_the_chat_is_not_ahead_of_the_moves(self, clock, people):
        match = tables.running_table(people, delay="30")
        clock.shift(60)
        chat.post_message(match=match, user=people[0], text="I hold the 6-6")
        assert "I hold" in page(match, user=people[1])
        assert "I hold" not in page(match)
        clock.shift(30)
        assert "I hold" in page(match)

    def test_who_is_deleted_takes_the_lines_away_and_holds_up_no_move(self, clock, people):
        match = tables.running_table([*people, tables.person("Cleo")], delay="30")
        for text in ("I am Cleo", "from Minsk"):
            chat.post_message(match=match, user=User.objects.get(name="Cleo"), text=text)
        clock.shift(60)
        before = delayed.current(match.pk, None)
        personal_data.erase(User.objects.get(name="Cleo"))
        version = tables.row_of(match).version
        clock.shift(60)
        after = delayed.current(match.pk, None)
        assert after.table.messages == ()
        assert after.number > before.number
        assert after.table.version == version

    def test_a_bot_in_a_players_place_is_not_told(self, clock, people):
        match = tables.running_table([*people, tables.person("Cleo")], delay="30")
        clock.shift(60)
        before = page(match)
        lobby = Client().get("/").content.decode()
        play.leave(match_id=match.pk, user_id=people[0].pk)
        assert strip(page(match)) == strip(before)
        assert strip(Client().get("/").content.decode()) == strip(lobby)


def strip(text: str) -> str:
    return re.sub(r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=X-CSRFToken": ")\w+', "", text)


class TestOneRound:
    def test_a_round_is_shown_while_the_next_one_is_played(self, clock, people):
        match = tables.running_table(people, delay="round")
        assert version_shown(match) == 0
        dealt = tables.row_of(match).version
        clock.shift(10)
        first = tables.make_first_move(match).version
        clock.shift(10)
        tables.play_round(match)
        assert version_shown(match) == 0
        clock.shift(100)
        for user in people:
            play.ready(match_id=match.pk, user_id=user.pk)
        assert version_shown(match) == dealt
        clock.shift(9.9)
        assert version_shown(match) == dealt
        clock.shift(0.2)
        assert version_shown(match) == first
        clock.shift(3600)
        assert version_shown(match) == tables.row_of(match).deal_version - 1

    def test_the_last_round_follows_the_end(self, clock, people):
        match = tables.running_table(people, delay="round")
        dealt = version_shown(match, people[0])
        clock.shift(10)
        tables.make_first_move(match)
        clock.shift(10)
        play.stop(match_id=match.pk)
        assert version_shown(match) == dealt
        clock.shift(10.1)
        assert version_shown(match) == dealt + 1
        clock.shift(9.9)
        assert version_shown(match) == tables.row_of(match).version


class TestOpenHands:
    @pytest.fixture
    def match(self, clock, people) -> Match:
        """A match in its second round, the first of which was played ten seconds after its deal, at once."""
        match = tables.running_table(people, delay="open")
        clock.shift(10)
        tables.make_first_move(match)
        clock.shift(10)
        tables.play_round(match)
        for user in people:
            play.ready(match_id=match.pk, user_id=user.pk)
        return match

    def test_spectators_see_all_hands_of_the_round_before(self, clock, match, people):
        dealt = delayed.current(match.pk, None)
        hands = [seat.hand for seat in dealt.view(None).seats]
        assert hands == list(record.load(match.pk, dealt.table.version).hands)
        assert FACE_UP in page(match)
        clock.shift(10)
        hands = [len(seat.hand) for seat in delayed.current(match.pk, None).view(None).seats]
        assert sorted(hands) == [6, 7]

    def test_nothing_is_shown_before_a_round_is_over(self, clock, people):
        match = tables.running_table(people, delay="open")
        clock.shift(1000)
        assert delayed.current(match.pk, None).view(None) is None
        assert FACE_UP not in page(match)

    def test_a_seat_sees_its_own_hand_only(self, match, people):
        hands = [seat.hand for seat in delayed.current(match.pk, people[0].pk).view(0).seats]
        assert [hand is None for hand in hands] == [False, True]
        assert FACE_UP not in page(match, user=people[0])

    def test_looking_back_spectators_see_as_much(self, match, people):
        assert FACE_UP in page(match, "review/")
        assert FACE_UP not in page(match, "review/?as=public")
        assert Client().get(f"/match/{match.slug}/review/?as=0").status_code == 404
        assert FACE_UP not in page(match, "review/", people[0])
        player = Client()
        player.force_login(people[0])
        assert player.get(f"/match/{match.slug}/review/?as=open").status_code == 404

    def test_the_lobby_and_the_table_say_so(self, match, people):
        for address in ("/", f"/match/{match.slug}/"):
            assert "with everybody’s tiles face up" in Client().get(address).content.decode()


class TestTheEnd:
    @pytest.fixture
    def match(self, clock, people) -> Match:
        match = tables.running_table(people, delay="120")
        clock.shift(500)
        play.stop(match_id=match.pk)
        clock.shift(60)
        match.refresh_from_db()
        return match

    ADDRESSES = ("record/", "record.txt", "verify/")

    @pytest.mark.parametrize("address", ADDRESSES)
    def test_nothing_of_a_match_that_is_over_is_shown_before_its_time(self, clock, match, people, address):
        stranger, player = Client(), Client()
        player.force_login(people[0])
        url = f"/match/{match.slug}/{address}"
        assert stranger.get(url).status_code in (404, 409)
        assert player.get(url).status_code == 200
        clock.shift(60)
        assert stranger.get(url).status_code == 200

    def test_a_review_is_of_the_shown_past_with_closed_hands(self, clock, match, people):
        assert "as=open" not in page(match, "review/")
        assert 'value="open"' not in page(match, "review/")
        assert Client().get(f"/match/{match.slug}/review/?as=open").status_code == 404
        clock.shift(60)
        assert Client().get(f"/match/{match.slug}/review/?as=open").status_code == 200

    def test_no_list_tells_that_it_is_over(self, clock, match, people):
        lists = [Client().get(address).content.decode() for address in ("/", "/matches/", f"/people/{people[0].pk}/")]
        assert [match.slug in each for each in lists] == [True, False, False]
        clock.shift(60)
        lists = [Client().get(address).content.decode() for address in ("/", "/matches/", f"/people/{people[0].pk}/")]
        assert [match.slug in each for each in lists] == [False, True, True]

    def test_the_lobby_is_told_once_when_it_leaves_the_matches_that_run(
        self, clock, match, monkeypatch, django_capture_on_commit_callbacks
    ):
        told = []
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
        self, match, monkeypatch, django_capture_on_commit_callbacks
    ):
        told = []
        monkeypatch.setattr(announcements, "_publish", told.append)
        with django_capture_on_commit_callbacks(execute=True):
            results.take_back(match)
        assert announcements.LOBBY in [group for announced in told for group, _message in announced]
        assert rows_of_the_lobby() == []

    def test_a_refusal_does_not_tell_it_either(self, clock, people):
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
                answers.append(re.sub(r'id="m\d+"', "", numbered))
            assert answers[0] == answers[1], act

    def test_nor_does_one_in_the_same_transaction_as_a_move(self, people):
        match = tables.running_table(people, delay="120")
        version, move = tables.row_of(match).version, tables.first_move(match)
        users = (tables.to_move(match), tables.person("Eve"))
        answers = play.make_moves([MoveRequest(match.pk, version, move, user.pk) for user in users])
        assert answers[1].code == "not_seated"


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
class TestSockets:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch):
        monkeypatch.setitem(delayed.SECONDS, "30", 0.6)

    async def test_a_move_arrives_when_it_falls_due(self, people):
        match = await in_thread(tables.running_table)(people, delay="30")
        await asyncio.sleep(0.7)
        player, spectators = await watch(match, people[0]), [await watch(match), await watch(match)]
        version = (await in_thread(tables.make_first_move)(match)).version
        due = (await in_thread(MatchEvent.objects.get)(match=match, seq=version)).at + timedelta(seconds=0.6)
        assert f'name="v" value="{version}"' in await player.frame()
        for spectator in spectators:
            assert f'name="v" value="{version}"' in await spectator.frame()
            assert timezone.now() >= due
        for browser in (player, *spectators):
            await browser.disconnect()

    async def test_several_moves_fall_due_one_after_the_other(self, people):
        match = await in_thread(tables.running_table)(people, delay="30")
        spectator = await watch(match)
        versions = [(await in_thread(tables.row_of)(match)).version]
        for _move in range(2):
            await asyncio.sleep(0.2)
            versions.append((await in_thread(tables.make_first_move)(match)).version)
        frames = [await spectator.frame() for _version in versions]
        assert [int(SHOWN.search(frame)[1]) for frame in frames] == versions
        await spectator.disconnect()

    async def test_the_end_is_shown_when_its_time_has_come(self, people):
        match = await in_thread(tables.running_table)(people, delay="30")
        await asyncio.sleep(0.7)
        spectator = await watch(match)
        await in_thread(play.stop)(match_id=match.pk)
        assert await spectator.receive_nothing(timeout=0.2)
        assert 'data-status="stopped"' in await spectator.frame()
        await spectator.disconnect()

    async def test_open_hands_go_to_spectators_only(self, people):
        match = await in_thread(tables.running_table)(people, delay="open")
        await in_thread(tables.play_round)(match)
        for user in people:
            await in_thread(play.ready)(match_id=match.pk, user_id=user.pk)
        browsers = [await opened(match, user) for user in (people[0], None)]
        frames = [await browser.frame() for browser in browsers]
        assert [FACE_UP in frame for frame in frames] == [False, True]
        for browser in browsers:
            await browser.disconnect()

    async def test_hints_and_choices_are_as_late(self, people):
        match = await in_thread(tables.running_table)(people, delay="30", variant="rytmino")
        await asyncio.sleep(0.7)
        spectator = await watch(match)
        await spectator.say(type="hint", hints="on")
        before = await spectator.frame()
        await in_thread(tables.make_first_move)(match)
        await spectator.say(type="hint", hints="on")
        assert await spectator.frame() == before
        await spectator.disconnect()

    async def test_the_lobby_says_when_it_falls_due_what_spectators_see(self, people, monkeypatch):
        monkeypatch.setitem(delayed.SECONDS, "30", 2.0)
        await in_thread(tables.running_table)(people, delay="30", clock="none")
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        assert "Round 1" not in await lobby.frame()
        assert "Round 1" in await lobby.frame()
        await lobby.disconnect()

    async def test_the_lobby_is_silent_when_a_match_ends_that_goes_on_for_spectators(self, people):
        match = await in_thread(tables.running_table)(people, delay="120", clock="none")
        lobby = Browser("/ws/lobby/")
        await lobby.connect()
        await lobby.frame()
        await in_thread(play.stop)(match_id=match.pk)
        assert await lobby.receive_nothing(timeout=LOBBY_SECONDS + 0.3)
        await lobby.disconnect()
