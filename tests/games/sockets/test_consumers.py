"""Sockets: everybody sees each move, and bad input gets a clear answer."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import Counter
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from accounts.models import User
from accounts.services import session_mark
from games import rendering
from games.broadcast import announcements as broadcast_announcements
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.broadcast.memory_layer import AT_ONCE
from games.engine.deal import nonce_commitment
from games.match import snapshots
from games.models import Match, Seat
from games.services import chat, lobby, nonces, play
from games.sockets import feed, match_reads, move_queue
from games.sockets import table as sockets_table
from games.sockets.table import NOTHING_NEW, TableSocket
from infrastructure.rates import rates
from tests.games import tables
from tests.games.socket_browser import SITE, Browser, opened, watch

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]
in_thread = database_sync_to_async


@pytest.fixture(autouse=True)
def nothing_logged_as_our_error(caplog):
    with caplog.at_level(logging.WARNING):
        yield
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.fixture
def people(db) -> list[User]:
    return [tables.person("Ann"), tables.person("Bob")]


@pytest.fixture
def match(people) -> Match:
    return tables.running_table(people)


def turn(match: Match) -> dict:
    """Return the message that makes a legal move."""
    return {"type": "move", "move": tables.first_move(match), "v": tables.row_of(match).version}


async def test_a_move_is_on_every_screen(match, people):
    mover = await in_thread(tables.to_move)(match)
    browsers = [await watch(match, user) for user in (*people, None)]
    message = await in_thread(turn)(match)
    await browsers[people.index(mover)].say(**message)
    frames = [await browser.frame() for browser in browsers]
    assert all(f'name="v" value="{message["v"] + 1}"' in frame for frame in frames)
    assert len(set(frames)) == 3  # two hands and no hand


async def test_who_moves_sees_the_move_whatever_becomes_of_the_announcement(match, people, monkeypatch):
    monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    mover = await in_thread(tables.to_move)(match)
    browser = await watch(match, mover)
    message = await in_thread(turn)(match)
    await browser.say(**message)
    assert f'name="v" value="{message["v"] + 1}"' in await browser.frame()


async def test_the_version_may_be_text_as_forms_send_it(match, people):
    mover = await in_thread(tables.to_move)(match)
    browser = await watch(match, mover)
    message = await in_thread(turn)(match)
    await browser.say(**{**message, "v": str(message["v"]), "headers": {"HX-Request": "true"}})
    assert f'name="v" value="{message["v"] + 1}"' in await browser.frame()


def fitting_tile(match: Match) -> str:
    return re.split("[ =]", tables.first_move(match))[0]


async def test_the_places_of_a_chosen_tile_are_shown_to_who_chose_it(match, people):
    mover = await in_thread(tables.to_move)(match)
    browser, other = await watch(match, mover), await watch(match, next(each for each in people if each != mover))
    tile = await in_thread(fitting_tile)(match)
    await browser.say(type="choose", tile=tile)
    frame = await browser.frame()
    assert 'id="choice"' in frame
    assert f'data-move="{tile}' in frame
    assert 'id="board"' not in frame
    assert await other.receive_nothing(0.2)


async def test_a_choice_outlasts_what_is_no_move_and_ends_with_the_move(match, people):
    mover = await in_thread(tables.to_move)(match)
    browser = await watch(match, mover)
    message = await in_thread(turn)(match)
    await browser.say(type="choose", tile=await in_thread(fitting_tile)(match))
    await browser.frame()
    await in_thread(chat.post_message)(match=match, user=mover, text="A moment")
    assert 'id="choice"' in await browser.frame()
    await browser.say(**message)
    assert 'id="choice"' not in await browser.frame()


async def test_nobody_is_shown_the_places_of_a_tile_that_is_not_theirs_to_play(match, people):
    mover = await in_thread(tables.to_move)(match)
    tile = await in_thread(fitting_tile)(match)
    for viewer in (None, next(each for each in people if each != mover)):
        browser = await watch(match, viewer)
        before = await in_thread(lambda: tables.row_of(match).revision)()
        await browser.say(type="choose", tile=tile)
        assert "data-move" not in await browser.frame()
        assert await in_thread(lambda: tables.row_of(match).revision)() == before


async def test_a_choice_of_a_spectator_is_none_and_costs_no_frame_of_its_own(match):
    found = await in_thread(snapshots.current)(match.pk)
    assert feed.frame(found, None, "en", chosen="6-6") is feed.frame(found, None, "en")


async def test_a_spectator_sees_no_hand(match, people):
    browser = await opened(match)
    frame = await browser.frame()
    hand = (await in_thread(tables.state_of)(match)).hands[0]
    assert 'id="hand"' in frame
    assert not any(f'data-tile="{high}-{low}"' in frame for high, low in hand)


async def test_the_language_is_that_of_the_page(match, people, monkeypatch):
    spoken = []
    shared = rendering.shared
    monkeypatch.setattr(rendering, "shared", lambda *a: spoken.append(a[2]) or shared(*a))
    await watch(match, language="hu")
    people[0].language = "pl"
    await watch(match, people[0], language="hu")
    assert spoken == ["hu", "pl"]


async def test_a_second_socket_of_an_audience_costs_no_second_rendering(match, monkeypatch):
    rendered = []
    frame = rendering.frame
    monkeypatch.setattr(rendering, "frame", lambda *a, **k: rendered.append(1) or frame(*a, **k))
    for _ in range(4):
        await watch(match)
    assert len(rendered) == 1


async def test_a_move_is_rendered_once_a_seat_and_once_a_language_for_all_spectators(match, people, monkeypatch):
    browsers = [await watch(match, language=language) for language in ("en", "hu", "pl") * 4]
    browsers += [await watch(match, person) for person in people]
    rendered, frame = [], rendering.frame
    monkeypatch.setattr(rendering, "frame", lambda *a, **k: rendered.append((k["seat"], a[2])) or frame(*a, **k))
    version = (await in_thread(tables.make_first_move)(match)).version
    assert all([f'name="v" value="{version}"' in await browser.frame() for browser in browsers])
    audiences = [(None, "en"), (None, "hu"), (None, "pl"), *((seat, "en") for seat in range(len(people)))]
    assert Counter(rendered) == Counter(audiences)


async def test_an_older_announcement_is_dropped(match, people):
    browser = await watch(match)
    for group, message in broadcast_announcements.match_changed([(match.slug, match.revision)]):
        await get_channel_layer().group_send(group, message)
    assert await browser.receive_nothing(0.2)


async def test_the_heartbeat_mends_a_lost_announcement_and_shows_the_person_as_back(match, people, monkeypatch):
    browser = await watch(match, people[0])
    monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    await in_thread(tables.make_first_move)(match)
    await in_thread(lambda: Seat.objects.filter(match=match, user=people[0]).update(away=True))()
    assert await browser.receive_nothing(0.2)
    await browser.say(type="seen", v=1)
    assert f'name="v" value="{match.version + 1}"' in await browser.frame()
    assert not await in_thread(lambda: Seat.objects.get(match=match, user=people[0]).away)()


async def test_the_heartbeat_is_answered_even_if_nothing_is_new(match, people):
    browser = await watch(match, people[0])
    await browser.say(type="seen")
    assert await browser.frame() == NOTHING_NEW


async def test_a_closed_page_keeps_only_seconds_of_its_lease(match, people):
    browser = await watch(match, people[0])
    seat = await in_thread(lambda: Seat.objects.get(match=match, user=people[0]))()
    await browser.disconnect()
    left = await in_thread(lambda: Seat.objects.get(match=match, user=people[0]))()
    assert seat.last_seen - left.last_seen > play_lease()


def play_lease():
    from games.services import presence

    return presence.LEASE - presence.AFTER_CLOSING - timedelta(seconds=10)


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (" ", "did not understand"),
        ("no json", "did not understand"),
        ("[1, 2]", "did not understand"),
        ("[" * 4000, "did not understand"),
        ('{"type": "chat", "text": "' + "x" * 4000 + '"}', "did not understand"),
        ('{"type": "no such type"}', "did not understand"),
        ('{"type": ["move"]}', "did not understand"),
        ('{"type": "match_changed", "revision": 99}', "did not understand"),
        ('{"type": "move"}', "did not understand"),
        ('{"type": "move", "move": 6, "v": 2}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": "two"}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": -1}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": true}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": 1e9}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": 99999999999999999999}', "did not understand"),
        ('{"type": "choose", "tile": 64}', "did not understand"),
        ('{"type": "choose", "tile": "' + "6" * 41 + '"}', "did not understand"),
        ('{"type": "chat"}', "did not understand"),
        ('{"type": "chat", "text": {"a": 1}}', "did not understand"),
        ('{"type": "move", "move": "6-4", "v": 0}', "moved on"),
    ],
)
async def test_what_cannot_be_read_gets_an_answer_and_changes_nothing(match, people, frame, says):
    browser = await watch(match, people[0])
    await browser.send_to(text_data=frame)
    answer = await browser.frame()
    if 'id="notice"' not in answer:  # a stale page is brought up to date first
        answer = await browser.frame()
    assert says in answer
    assert (await in_thread(tables.row_of)(match)).version == match.version
    await browser.say(type="seen")
    assert await browser.frame() == NOTHING_NEW


async def test_bytes_get_an_answer(match, people):
    browser = await watch(match, people[0])
    await browser.send_to(bytes_data=b"\x00\xff")
    assert "did not understand" in await browser.frame()


@pytest.mark.parametrize(
    ("move", "says"), [("<b>6-4</b>", "did not understand that move"), ("9-9", "did not understand that move")]
)
async def test_an_unreadable_move_is_answered_without_an_echo(match, move, says):
    browser = await watch(match, await in_thread(tables.to_move)(match))
    await browser.say(type="move", move=move, v=match.version)
    answer = await browser.frame()
    assert says in answer
    assert move not in answer


async def test_somebody_elses_tile_and_turn_are_refused_in_words(match, people):
    mover = await in_thread(tables.to_move)(match)
    other = people[1 - people.index(mover)]
    browser = await watch(match, other)
    await browser.say(**await in_thread(turn)(match))
    assert "It is not your turn" in await browser.frame()
    hand = (await in_thread(tables.state_of)(match)).hands[people.index(other)]
    mine = await watch(match, mover)
    await mine.say(type="move", move=f"{hand[0][0]}-{hand[0][1]}", v=match.version)
    assert 'id="notice"' in await mine.frame()
    assert (await in_thread(tables.row_of)(match)).version == match.version


async def test_who_does_not_sit_there_is_told_so(match):
    for user in (None, await in_thread(tables.person)()):
        browser = await watch(match, user)
        await browser.say(**await in_thread(turn)(match))
        assert "You do not have a seat at this table" in await browser.frame()
        await browser.say(type="ready", v=1)
        assert "You do not have a seat at this table" in await browser.frame()


async def test_who_does_not_sit_there_is_refused_from_memory(match, monkeypatch):
    """A thousand visitors who press what they may not must not make the players wait for the database."""
    browsers = [await watch(match), await watch(match, await in_thread(tables.person)())]
    monkeypatch.setattr(sockets_table, "in_database", asked_in_vain)
    monkeypatch.setattr(move_queue, "in_database", asked_in_vain)
    monkeypatch.setattr(match_reads, "in_database", asked_in_vain)
    for browser in browsers:
        for act in ({"type": "ready"}, {"type": "move", "move": "6-4", "v": match.version}):
            await browser.say(**act)
            assert "You do not have a seat at this table" in await browser.frame()
    await browsers[0].say(type="chat", text="Hello")
    assert "You need a name" in await browsers[0].frame()


def asked_in_vain(*_args, **_kwargs):
    raise AssertionError("the database was asked")


async def test_a_choice_of_who_watches_is_drawn_once(match, monkeypatch):
    browsers = [await watch(match) for _ in range(3)]
    rendered, frame = [], rendering.frame
    monkeypatch.setattr(rendering, "frame", lambda *a, **k: rendered.append(1) or frame(*a, **k))
    for browser in browsers:
        await browser.say(type="choose", tile="6-4")
        assert 'id="hand"' in await browser.frame()
    assert len(rendered) == 1


async def test_an_address_sends_no_more_than_its_share(match, people, settings):
    settings.RATES = {"frames": rates("3+1/h address, 2+1/h account")}
    ann, visitor = await watch(match, people[0], client=("192.0.2.1", 1)), await watch(match, client=("192.0.2.1", 2))
    other = await watch(match, people[0], client=("192.0.2.2", 1))
    answers = []
    for browser in (ann, ann, ann, other, visitor, visitor, await watch(match, client=("192.0.2.2", 2))):
        await browser.say(type="seen")
        answers.append(await browser.frame())
    assert ["was too fast" in answer for answer in answers] == [False, False, True, True, False, True, False]


async def test_a_finished_match_takes_no_move(match, people):
    await in_thread(play.stop)(match_id=match.pk)
    browser = await watch(match, people[0])
    await browser.say(type="move", move="draw", v=match.version)
    assert "This match is over" in await browser.frame()


async def test_an_unknown_table_is_explained_and_closed_for_good():
    browser = Browser("/ws/match/nowhere/")
    await browser.connect()
    assert "table does not exist" in await browser.frame()
    assert await browser.closing_code() == 4404


async def test_a_table_that_was_deleted_is_explained_and_closed_for_good(match, people):
    browser = await watch(match)
    await in_thread(match.delete)()
    await browser.say(type="seen", v=1)
    assert "table does not exist" in await browser.frame()
    assert await browser.closing_code() == 4404


async def test_a_flood_is_told_once_and_then_closed(match, people):
    browser = await watch(match, people[0])
    for _ in range(80):
        await browser.say(type="seen", v=1)
    while (frame := await browser.frame()) == NOTHING_NEW:
        pass
    assert "was too fast" in frame
    assert "was too fast" in await browser.frame()
    assert await browser.closing_code() == 4429


async def test_a_log_out_closes_the_sockets_of_its_session_only(match, people):
    session = SessionStore()
    await in_thread(session.create)()
    here = await watch(match, people[0], session=session)
    elsewhere = await watch(match, people[0])
    await in_thread(broadcast_announcements.close_sockets)(
        people[0].pk, "logged_out", session_mark(session.session_key)
    )
    assert "logged out" in await here.frame()
    assert await here.closing_code() == 4401
    assert await elsewhere.receive_nothing(0.2)
    await in_thread(broadcast_announcements.close_sockets)(people[0].pk, "suspended")
    assert "suspended" in await elsewhere.frame()
    assert await elsewhere.closing_code() == 4401


async def test_the_heartbeat_renews_what_closes_the_socket(match, people, monkeypatch):
    layer, joined = get_channel_layer(), []
    group_add = layer.group_add

    async def noted(group: str, channel: str) -> None:
        await group_add(group, channel)
        joined.append((group, channel))

    monkeypatch.setattr(layer, "group_add", noted)
    table, lobby_page = await watch(match, people[0]), Browser("/ws/lobby/", people[0])
    await lobby_page.connect(timeout=5)
    await lobby_page.frame()
    own = {each for each in joined if each[0] == groups.user_group(people[0].pk)}
    assert len(own) == 2
    for group, channel in joined:  # as the layer forgets who was heard of too long ago
        await layer.group_discard(group, channel)
    joined.clear()
    await table.say(type="seen")
    await lobby_page.say(type="seen")
    async with asyncio.timeout(5):
        while not own <= set(joined):
            await asyncio.sleep(0.01)
    await in_thread(broadcast_announcements.close_sockets)(people[0].pk, "suspended")
    for browser in (table, lobby_page):
        while "suspended" not in await browser.frame():
            pass
        assert await browser.closing_code() == 4401


async def test_an_error_of_ours_ends_the_socket_so_that_browsers_do_not_come_back_each_second(
    match, people, monkeypatch, caplog
):
    def broken(*_args, **_kwargs):
        raise RuntimeError("planted")

    monkeypatch.setattr(sockets_table.feed, "frame", broken)
    browser = await opened(match, people[0])
    assert "went wrong" in await browser.frame()
    assert await browser.closing_code() == 4500
    assert "socket_broken" in caplog.text
    caplog.clear()


async def test_a_broadcast_passes_while_a_query_of_a_second_runs(match):
    """Channels' own dispatch hops to its database thread before every message: this took 951 ms."""
    browser = await watch(match)
    slow = asyncio.gather(in_thread(sleep_in_database)(1), in_database(sleep_in_database, 1))
    await asyncio.sleep(0.1)
    begun = time.perf_counter()
    await asyncio.to_thread(move_in_a_thread_of_its_own, match)
    assert f'value="{match.version + 1}"' in await browser.frame()
    assert time.perf_counter() - begun < 0.5
    await slow


def move_in_a_thread_of_its_own(match: Match) -> None:
    tables.make_first_move(match)
    connection.close()


def sleep_in_database(seconds: float) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_sleep(%s)", [seconds])
        else:
            connection.connection.create_function("sleep", 1, time.sleep)
            cursor.execute("SELECT sleep(%s)", [seconds])


async def test_a_slow_socket_skips_versions(match):
    browser = Browser(f"/ws/match/{match.slug}/")
    reads, sent = asyncio.Event(), []
    reads.set()

    async def send(message: dict) -> None:
        sent.append(message.get("text", ""))
        await reads.wait()

    task = asyncio.create_task(SITE(browser.scope, browser.input_queue.get, send))
    await browser.input_queue.put({"type": "websocket.connect"})
    await until(lambda: len(sent) == 2)  # accepted, and the first view
    reads.clear()
    await in_thread(tables.make_first_move)(match)
    await until(lambda: len(sent) == 3)
    for _ in range(4):
        await in_thread(tables.make_first_move)(match)
    reads.set()
    await until(lambda: len(sent) == 4)
    await asyncio.sleep(0.2)
    versions = [int(re.search(r'name="v" value="(\d+)"', frame)[1]) for frame in sent[1:]]
    assert versions == [match.version, match.version + 1, match.version + 5]
    await browser.input_queue.put({"type": "websocket.disconnect", "code": 1000})
    await task


async def test_a_spectator_who_is_stuck_delays_nobody(match, people):
    stuck, sent = Browser(f"/ws/match/{match.slug}/"), []

    async def send(message: dict) -> None:
        sent.append(message)
        if len(sent) > 2:  # accepted, and the first view
            await asyncio.Event().wait()

    task = asyncio.create_task(SITE(stuck.scope, stuck.input_queue.get, send))
    await stuck.input_queue.put({"type": "websocket.connect"})
    await until(lambda: len(sent) == 2)
    others = [await watch(match), await watch(match, people[0])]
    for number in range(1, 4):
        await in_thread(tables.make_first_move)(match)
        for other in others:
            assert f'name="v" value="{match.version + number}"' in await other.frame()
    assert sum('name="v"' in message.get("text", "") for message in sent) == 2
    task.cancel()


async def test_who_plays_is_served_before_all_who_watch(match, people, monkeypatch):
    spectators = [await watch(match) for _ in range(2 * AT_ONCE)]
    players = [await watch(match, user) for user in people]
    served, send = [], TableSocket.send

    async def noted(self: TableSocket, text_data: str) -> None:
        await send(self, text_data=text_data)
        if 'name="v"' in text_data:
            served.append(self.seated)

    monkeypatch.setattr(TableSocket, "send", noted)
    await in_thread(tables.make_first_move)(match)
    await until(lambda: len(served) == len(spectators) + len(players))
    assert served == [True, True] + [False] * len(spectators)


async def test_who_sits_down_while_watching_hears_everything_before_and_after_the_change_is_noticed(people):
    match = await in_thread(tables.open_table)(people)
    await in_thread(lobby.stand_up)(match=match, user=people[1])
    browser = await watch(match, people[1])
    await in_thread(lobby.sit)(match=match, user=people[1])
    await browser.frame()
    for text in ("Hello", "I am here"):
        await in_thread(chat.post_message)(match=match, user=people[1], text=text)
        assert text in await browser.frame()
        await browser.say(type="seen")
        assert NOTHING_NEW in await browser.frame()
    await get_channel_layer().group_send(groups.seats_group(match.slug), {"type": "user.closed", "code": "ended"})
    assert await browser.frame()
    assert await browser.closing_code() == 4401


async def test_the_heartbeats_of_many_visitors_share_a_look_into_the_database(match, monkeypatch):
    visitors = [await watch(match) for _ in range(20)]
    looks, current = [], snapshots.current
    monkeypatch.setattr(snapshots, "current", lambda match_id: looks.append(1) or current(match_id))
    monkeypatch.setattr(match_reads, "heartbeat_token", lambda: "beat 1")
    for visitor in visitors:
        await visitor.say(type="seen")
        assert await visitor.frame() == NOTHING_NEW
    assert len(looks) == 1


async def test_the_next_heartbeats_of_visitors_mend_a_lost_announcement(match, monkeypatch):
    visitor = await watch(match)
    for beat in ("beat 1", "beat 2"):
        monkeypatch.setattr(match_reads, "heartbeat_token", lambda token=beat: token)
        await visitor.say(type="seen")
        assert await visitor.frame() == NOTHING_NEW
        monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    await in_thread(tables.make_first_move)(match)
    monkeypatch.setattr(match_reads, "heartbeat_token", lambda: "beat 3")
    await visitor.say(type="seen")
    assert f'name="v" value="{match.version + 1}"' in await visitor.frame()


async def until(condition) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.01)


async def test_the_lobby_hears_of_a_new_table_at_most_once_a_second(people):
    browser = Browser("/ws/lobby/")
    await browser.connect()
    await browser.frame()
    for _ in range(3):
        await in_thread(tables.open_table)(people)
        await in_thread(broadcast_announcements.touch_lobby)()
    frame = await browser.frame()
    assert "open-tables" in frame
    assert await browser.receive_nothing(0.3)


async def test_who_enters_the_lobby_sees_a_table_that_nobody_was_there_to_hear_of(people):
    early = Browser("/ws/lobby/")
    await early.connect()
    assert "Ann" not in await early.frame()
    await early.disconnect()
    await in_thread(tables.open_table)(people)
    await in_thread(broadcast_announcements.touch_lobby)()
    late = Browser("/ws/lobby/")
    await late.connect()
    assert "Ann" in await late.frame()


async def test_moves_that_arrive_together_share_a_transaction(people, monkeypatch):
    matches = [await in_thread(tables.running_table)(people) for _ in range(6)]
    batches = []
    make_moves = move_queue.make_moves
    monkeypatch.setattr(move_queue, "make_moves", lambda batch: batches.append(len(batch)) or make_moves(batch))
    requests = [
        play.MoveRequest(
            match.pk,
            match.version,
            await in_thread(tables.first_move)(match),
            (await in_thread(tables.to_move)(match)).pk,
        )
        for match in matches
    ]
    queue = move_queue.move_queue()
    answers = await asyncio.gather(*(queue.make(request) for request in requests))
    assert all(isinstance(answer, play.Outcome) for answer in answers)
    assert sum(batches) == 6
    assert len(batches) < 6


async def test_a_move_that_breaks_the_transaction_fails_alone(people, monkeypatch, caplog):
    make_moves = move_queue.make_moves

    def fragile(batch):
        if any(request.move == "planted" for request in batch):
            raise RuntimeError("planted")
        return make_moves(batch)

    monkeypatch.setattr(move_queue, "make_moves", fragile)
    match = await in_thread(tables.running_table)(people)
    mover = await in_thread(tables.to_move)(match)
    good = play.MoveRequest(match.pk, match.version, await in_thread(tables.first_move)(match), mover.pk)
    bad = play.MoveRequest(match.pk, match.version, "planted", mover.pk)
    queue = move_queue.move_queue()
    answers = await asyncio.gather(*(queue.make(request) for request in (bad, bad, good)))
    assert [getattr(answer, "code", "won") for answer in answers] == ["failed", "failed", "won"]
    caplog.clear()


class TestNonces:
    """The page's part of the shuffle goes over the socket; what it has to know stands in its frames."""

    @pytest.fixture
    def table(self, people, settings) -> Match:
        settings.NONCE_SECONDS = 5
        match = tables.open_table(people)
        match.seats.update(nonce="", nonce_commitment="")
        return match

    async def test_a_start_is_two_frames_for_each_page(self, table, people):
        browsers = [await watch(table, user) for user in people]
        for number, browser in enumerate(browsers):
            await browser.say(type="nonce", commitment=nonce_commitment(f"secret {number}"), nonce="")
            for other in browsers:
                assert nonce_commitment(f"secret {number}") in await other.frame()
        await in_thread(lobby.start)(match=table, by=people[0])
        for browser in browsers:
            assert 'data-stage="reveal"' in await browser.frame()
        await browsers[0].say(type="nonce", commitment="", nonce="secret 0")
        for browser in browsers:
            assert "secret 0" not in await browser.frame()
        await browsers[1].say(type="nonce", commitment="", nonce="secret 1")
        for browser in browsers:
            frame = await browser.frame()
            assert 'class="tiles' in frame
            assert "secret 0" in frame
            assert "secret 1" in frame

    async def test_one_that_comes_too_late_is_nothing_to_tell(self, match, people):
        browser = await watch(match, people[0])
        await browser.say(type="nonce", nonce="late")
        await browser.say(type="seen")
        assert await browser.frame() == NOTHING_NEW

    @pytest.mark.parametrize("given", [{"commitment": "short"}, {"nonce": 7}, {"commitment": []}, {}])
    async def test_nonsense_is_refused(self, table, people, given):
        browser = await watch(table, people[0])
        await browser.say(type="nonce", **given)
        assert "The site did not understand that." in await browser.frame()

    async def test_a_visitor_is_refused_without_the_database(self, table, monkeypatch):
        browser = await watch(table)
        monkeypatch.setattr(nonces, "give", None)
        await browser.say(type="nonce", nonce="mine")
        assert "You do not have a seat at this table." in await browser.frame()
