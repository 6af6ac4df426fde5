"""Spectators' chat on the wire: small, once a language, and in no byte to a player before the match is over."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from accounts.models import User
from games.broadcast import announcements
from games.chat import posting
from games.chat import spectators as spectator_chat
from games.chat.rendering import spectator_chat_zones
from games.chat.spectators import load_spectator_chat as read_spectator_chat
from games.lobby import tables
from games.models import Match, Message
from games.services import play
from games.sockets import match_reads, shared_frames
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread
from tests.games.tables import make_first_move, open_table, person, running_table

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "the left end is blocked for good"
say = in_thread(posting.post_message)
move, stop = in_thread(make_first_move), in_thread(play.stop_match)


@pytest.fixture
def people(db: None) -> list[User]:
    """Return two players and two spectators."""
    return [person(name) for name in ("Ann", "Ben", "Eve", "Fay")]


@pytest.fixture
def match(people: list[User]) -> Match:
    return running_table(people[:2])


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "SPECTATOR_CHAT_INTERVAL_SECONDS", 0.0)


async def pending_frames(browser: Browser) -> str:
    """Return all that comes until it is quiet."""
    frames = []
    while not await browser.receive_nothing(timeout=0.1, interval=0.02):
        frames.append(await browser.next_frame())
    return "".join(frames)


async def bytes_to_players(match: Match, people: list[User]) -> str:
    """Let spectators talk while moves are made, and return all that the players get."""
    sockets = [await connect_and_read_frame(match, user) for user in people]
    frames = ""
    for _turn in range(2):
        await say(match=match, user=people[2], text=SECRET)
        await move(match)
        for player in sockets[:2]:
            await player.send_message(type="seen", v=1)
            frames += await pending_frames(player)
    assert [SECRET in await pending_frames(socket) for socket in sockets[2:]] == [True, True]
    for socket in sockets:
        await socket.disconnect()
    return frames


async def test_players_receive_no_spectator_line_before_the_end(match: Match, people: list[User]) -> None:
    sent = await bytes_to_players(match, people)
    assert sent
    assert SECRET not in sent
    assert "spectator-chat" not in sent


def to_the_table(match_id: int, user: User) -> Message:
    return Message(match_id=match_id, user=user, name=user.name)


def to_everybody(_spectator_chat: spectator_chat.SpectatorChat, _user_id: int) -> bool:
    return True


PLANTED = {
    "games.chat.spectators.SpectatorChat.is_open_to": to_everybody,
    "games.chat.posting._new_spectator_message": to_the_table,
}


@pytest.mark.parametrize("name", PLANTED)
async def test_a_planted_leak_is_found(
    match: Match, people: list[User], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name, PLANTED[name])
    monkeypatch.setattr("games.match.table.Table.is_played_by", lambda _table, _user_id: False)
    assert SECRET in await bytes_to_players(match, people)


async def test_a_spectators_line_is_one_small_frame_of_its_own(match: Match, people: list[User]) -> None:
    reader = await connect_and_read_frame(match, people[3])
    await say(match=match, user=people[2], text=SECRET)
    frame = await reader.next_frame()
    assert frame.startswith('<hx-partial id="spectator-chat"')
    assert frame.count("<hx-partial") == 1
    assert len(frame) < 700
    await reader.disconnect()


async def test_line_is_read_once_and_rendered_once_per_language(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    languages = ["en", "en", "en", "pl", "pl"]
    readers = [await connect_and_read_frame(match, language=language) for language in languages]
    rendered, read = [], []
    once, reading = spectator_chat_zones, read_spectator_chat
    monkeypatch.setattr(
        shared_frames,
        "spectator_chat_zones",
        lambda lines, language: (rendered.append(language), once(lines, language))[1],
    )
    monkeypatch.setattr(
        match_reads, "read_spectator_chat", lambda match_id: (read.append(match_id), reading(match_id))[1]
    )
    await say(match=match, user=people[2], text=SECRET)
    assert [SECRET in await reader.next_frame() for reader in readers] == [True] * 5
    assert sorted(rendered) == ["en", "pl"]
    assert read == [match.pk]
    for reader in readers:
        await reader.disconnect()


@pytest.mark.stack
async def test_players_get_spectator_lines_from_the_end_on(match: Match, people: list[User]) -> None:
    player = await connect_and_read_frame(match, people[0])
    await say(match=match, user=people[2], text=SECRET)
    assert await player.receive_nothing()
    await stop(match_id=match.pk, reason="stopped")
    assert SECRET in await player.next_frame()
    await say(match=match, user=people[2], text="well played")
    assert "well played" in await player.next_frame()
    await player.disconnect()


async def test_new_player_gets_no_more_spectator_lines(people: list[User]) -> None:
    match = await in_thread(free_seat)(people[0])
    reader = await connect_and_read_frame(match, people[3])
    await in_thread(tables.sit)(match=match, user=people[3])
    await say(match=match, user=people[2], text=SECRET)
    assert SECRET not in await pending_frames(reader)
    await reader.disconnect()


def free_seat(host: User) -> Match:
    match = open_table([host], bots=1)
    match.seats.filter(bot="steady").update(bot="", name="")
    return match


async def test_spectator_chat_of_a_delayed_table_is_live(people: list[User]) -> None:
    match = await in_thread(running_table)(people[:2], delay="120")
    reader = await connect_and_read_frame(match, people[3])
    await say(match=match, user=people[2], text=SECRET)
    assert SECRET in await reader.next_frame()
    await reader.disconnect()


async def test_guests_write_over_the_socket_and_visitors_get_a_link(match: Match, people: list[User]) -> None:
    writer, visitor = await connect_and_read_frame(match, people[2]), await connect_and_read_frame(match)
    await writer.send_message(type="chat", text=SECRET)
    assert SECRET in await writer.next_frame()
    assert SECRET in await visitor.next_frame()
    await visitor.send_message(type="chat", text="me too")
    assert "You need a name" in await visitor.next_frame()
    await writer.disconnect()
    await visitor.disconnect()


@pytest.mark.stack
async def test_heartbeat_repairs_a_lost_line(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = await connect_and_read_frame(match, people[3])
    monkeypatch.setattr(announcements, "_publish_spectator_chat", lambda slug: None)
    await say(match=match, user=people[2], text=SECRET)
    await reader.send_message(type="seen", v=1)
    assert SECRET in await reader.next_frame()
    await reader.disconnect()


async def test_many_lines_are_announced_at_most_twice_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "SPECTATOR_CHAT_INTERVAL_SECONDS", 0.5)
    announced: list[Any] = []
    monkeypatch.setattr(announcements, "_send_in_task", announced.extend)
    for _line in range(50):
        announcements._announce_spectator_chat("slug")
    await asyncio.sleep(0.05)
    assert len(announced) == 1
    announcements._announce_spectator_chat("slug")
    await asyncio.sleep(0.1)
    assert len(announced) == 1
    await asyncio.sleep(0.5)
    assert len(announced) == 2
