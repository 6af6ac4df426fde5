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
from games.chat.spectators import read as read_spectator_chat
from games.lobby import tables
from games.models import Match, Message
from games.services import play
from games.sockets import match_reads, shared_frames
from tests.games.socket_browser import Browser, in_thread, watch
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


async def everything(browser: Browser) -> str:
    """Return all that comes until it is quiet."""
    frames = []
    while not await browser.receive_nothing(timeout=0.1, interval=0.02):
        frames.append(await browser.frame())
    return "".join(frames)


async def bytes_to_players(match: Match, people: list[User]) -> str:
    """Let spectators talk while moves are made, and return all that the players get."""
    sockets = [await watch(match, user) for user in people]
    frames = ""
    for _turn in range(2):
        await say(match=match, user=people[2], text=SECRET)
        await move(match)
        for player in sockets[:2]:
            await player.say(type="seen", v=1)
            frames += await everything(player)
    assert [SECRET in await everything(socket) for socket in sockets[2:]] == [True, True]
    for socket in sockets:
        await socket.disconnect()
    return frames


async def test_no_byte_to_a_seat_holds_it_before_the_end(match: Match, people: list[User]) -> None:
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
    "games.chat.posting._message_of_spectator": to_the_table,
}


@pytest.mark.parametrize("name", PLANTED)
async def test_a_planted_leak_is_found(
    match: Match, people: list[User], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name, PLANTED[name])
    monkeypatch.setattr("games.match.table.Table.is_played_by", lambda _table, _user_id: False)
    assert SECRET in await bytes_to_players(match, people)


async def test_a_spectators_line_is_one_small_frame_of_its_own(match: Match, people: list[User]) -> None:
    reader = await watch(match, people[3])
    await say(match=match, user=people[2], text=SECRET)
    frame = await reader.frame()
    assert frame.startswith('<hx-partial id="spectator-chat"')
    assert frame.count("<hx-partial") == 1
    assert len(frame) < 700
    await reader.disconnect()


async def test_it_is_read_once_and_rendered_once_a_language_for_all(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    languages = ["en", "en", "en", "pl", "pl"]
    readers = [await watch(match, language=language) for language in languages]
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
    assert [SECRET in await reader.frame() for reader in readers] == [True] * 5
    assert sorted(rendered) == ["en", "pl"]
    assert read == [match.pk]
    for reader in readers:
        await reader.disconnect()


@pytest.mark.stack
async def test_players_get_it_with_the_end_and_live_from_then_on(match: Match, people: list[User]) -> None:
    player = await watch(match, people[0])
    await say(match=match, user=people[2], text=SECRET)
    assert await player.receive_nothing()
    await stop(match_id=match.pk, reason="stopped")
    assert SECRET in await player.frame()
    await say(match=match, user=people[2], text="well played")
    assert "well played" in await player.frame()
    await player.disconnect()


async def test_who_sits_down_hears_no_more_on_a_page_that_is_still_open(people: list[User]) -> None:
    match = await in_thread(free_seat)(people[0])
    reader = await watch(match, people[3])
    await in_thread(tables.sit)(match=match, user=people[3])
    await say(match=match, user=people[2], text=SECRET)
    assert SECRET not in await everything(reader)
    await reader.disconnect()


def free_seat(host: User) -> Match:
    match = open_table([host], bots=1)
    match.seats.filter(bot="steady").update(bot="", name="")
    return match


async def test_spectators_of_a_table_shown_late_hear_each_other_at_once(people: list[User]) -> None:
    match = await in_thread(running_table)(people[:2], delay="120")
    reader = await watch(match, people[3])
    await say(match=match, user=people[2], text=SECRET)
    assert SECRET in await reader.frame()
    await reader.disconnect()


async def test_a_spectator_writes_through_the_socket_and_a_visitor_is_told_what_it_takes(
    match: Match, people: list[User]
) -> None:
    writer, visitor = await watch(match, people[2]), await watch(match)
    await writer.say(type="chat", text=SECRET)
    assert SECRET in await writer.frame()
    assert SECRET in await visitor.frame()
    await visitor.say(type="chat", text="me too")
    assert "You need a name" in await visitor.frame()
    await writer.disconnect()
    await visitor.disconnect()


@pytest.mark.stack
async def test_the_heartbeat_mends_a_lost_line(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = await watch(match, people[3])
    monkeypatch.setattr(announcements, "_publish_spectator_chat", lambda slug: None)
    await say(match=match, user=people[2], text=SECRET)
    await reader.say(type="seen", v=1)
    assert SECRET in await reader.frame()
    await reader.disconnect()


async def test_a_hail_of_lines_is_told_of_at_most_twice_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
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
