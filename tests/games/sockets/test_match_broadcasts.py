"""Spectators are told together, but for those whose view is their own or who cannot be told now."""

from __future__ import annotations

from typing import Any

import pytest
from channels.layers import get_channel_layer
from prometheus_client import REGISTRY

from accounts.models import Block
from games.chat import posting
from games.lobby import tables as lobby_tables
from games.models import Match
from games.sockets import match_broadcasts, match_reads, shared_frames
from games.sockets.shared_frames import Display
from infrastructure.server.connection import PreparedMessage, encode_message
from tests.games import tables
from tests.games.socket_browser import SERVER_TIME_PATTERN, connect_and_read_frame, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the messages that were prepared, without the server's time."""
    texts: list[str] = []

    def noted(text: str) -> PreparedMessage:
        texts.append(SERVER_TIME_PATTERN.sub("", text, count=1))
        return encode_message(text)

    monkeypatch.setattr(match_broadcasts, "encode_message", noted)
    return texts


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[match_broadcasts.TableSocket]:
    """The sockets that were told by themselves."""
    sockets: list[match_broadcasts.TableSocket] = []
    tell = match_broadcasts.MatchBroadcaster.update_in_task

    def noted(self: match_broadcasts.MatchBroadcaster, socket: match_broadcasts.TableSocket) -> None:
        sockets.append(socket)
        tell(self, socket)

    monkeypatch.setattr(match_broadcasts.MatchBroadcaster, "update_in_task", noted)
    return sockets


def rendered_for_spectators() -> float:
    return REGISTRY.get_sample_value("dominoes_renders_total", {"audience": "spectators"}) or 0.0


@pytest.mark.stack
async def test_equal_updates_are_encoded_once(
    match: Match, prepared: list[str], alone: list[match_broadcasts.TableSocket]
) -> None:
    alike = [await connect_and_read_frame(match) for _ in range(3)]
    spectators = [await connect_and_read_frame(match, language="hu") for _ in range(2)]
    await in_thread(tables.make_first_move)(match)
    frames = [await browser.next_frame() for browser in alike + spectators]
    assert prepared == [frames[0], frames[3]]
    assert frames == prepared[:1] * 3 + prepared[1:] * 2
    assert len({browser.now_ms for browser in alike}) == 1
    assert alone == []


async def test_revision_is_rendered_once_during_a_newer_announcement(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def move_meanwhile() -> None:
        if (await match_reads.newest_snapshot(match.pk)).table.version == version + 1:
            await in_thread(tables.make_first_move)(match)
            shared_frames.rendered_match(await match_reads.newest_snapshot(match.pk)).frame(None, Display("en"))

    browsers, version = [await connect_and_read_frame(match) for _ in range(3)], match.version
    monkeypatch.setattr(match_broadcasts, "SPECTATOR_BATCH", 1)
    monkeypatch.setattr(match_broadcasts, "yield_to_moves", move_meanwhile)
    renders = rendered_for_spectators()
    await in_thread(tables.make_first_move)(match)
    for browser in browsers:
        assert f'name="v" value="{version + 1}"' in await browser.next_frame()
        assert f'name="v" value="{version + 2}"' in await browser.next_frame()
    assert rendered_for_spectators() - renders <= 2


async def test_lines_of_the_chat_come_with_the_table_and_only_once(
    match: Match, alone: list[match_broadcasts.TableSocket]
) -> None:
    browser = await connect_and_read_frame(match)
    await in_thread(posting.post_message)(match=match, user=await in_thread(lambda: match.host)(), text="Good luck!")
    assert "Good luck!" in await browser.next_frame()
    await in_thread(tables.make_first_move)(match)
    assert "Good luck!" not in await browser.next_frame()
    assert alone == []


async def test_slow_socket_is_updated_in_its_own_task(
    match: Match, prepared: list[str], alone: list[match_broadcasts.TableSocket]
) -> None:
    slow = await connect_and_read_frame(match)
    slow.connection.slow = True
    await in_thread(tables.make_first_move)(match)
    assert f'name="v" value="{match.version + 1}"' in await slow.next_frame()
    assert prepared == []
    assert len(alone) == 1


async def test_a_spectator_with_blocks_gets_the_table_with_the_others_and_no_line_of_the_blocked(
    match: Match, alone: list[match_broadcasts.TableSocket]
) -> None:
    zelda, host = await in_thread(tables.person)("Zelda"), await in_thread(lambda: match.host)()
    await in_thread(Block.objects.create)(blocker=zelda, blocked=host)
    other, blocking = await connect_and_read_frame(match), await connect_and_read_frame(match, zelda)
    await in_thread(posting.post_message)(match=match, user=host, text="Good luck!")
    assert "Good luck!" in await other.next_frame()
    assert "Good luck!" not in await blocking.next_frame()
    await in_thread(tables.make_first_move)(match)
    frames = [await browser.next_frame() for browser in (other, blocking)]
    assert frames[0] == frames[1]
    assert alone == []


async def test_socket_is_updated_with_players_while_seated() -> None:
    ann, ben = [await in_thread(tables.person)(name) for name in ("Ann", "Ben")]
    match = await in_thread(tables.open_table)([ann, ben])
    browsers = [await connect_and_read_frame(match, user) for user in (ann, ben)]
    [of_match] = match_broadcasts._broadcasters().by_match.values()
    hers, his = of_match.sockets
    assert list(of_match.players) == [hers, his]
    await in_thread(lobby_tables.stand_up)(match=match, user=ben)
    for browser in browsers:
        await browser.next_frame()
    assert list(of_match.players) == [hers]
    await in_thread(lobby_tables.sit)(match=match, user=ben)
    for browser in browsers:
        await browser.next_frame()
    assert list(of_match.players) == [hers, his]
    await browsers[1].disconnect()
    assert list(of_match.players) == [hers]


async def test_broadcaster_ends_with_its_last_socket(match: Match) -> None:
    browsers = [await connect_and_read_frame(match) for _ in range(2)]
    [of_match] = match_broadcasts._broadcasters().by_match.values()
    assert len(of_match.sockets) == 2
    for browser in browsers:
        await browser.disconnect()
    assert match_broadcasts._broadcasters().by_match == {}
    layer: Any = get_channel_layer()
    assert of_match.channel not in layer.memberships
    assert layer.groups == {}
