"""A block on the open sockets of both people."""

from __future__ import annotations

import pytest

from accounts import blocks
from accounts.models import User
from games.chat import posting
from games.lobby import tables
from games.models import Match
from games.sockets.consumer import CloseCode
from games.sockets.player import NOTHING_NEW
from tests.games.socket_browser import Browser, connect_and_read_frame, connect_to_table, in_thread
from tests.games.tables import open_table, person, running_table

pytestmark = pytest.mark.django_db(transaction=True)
block, unblock = in_thread(blocks.block), in_thread(blocks.unblock)
say = in_thread(posting.post_message)
NO_SUCH = "This table does not exist, or it is gone."


@pytest.fixture
def people(db: None) -> list[User]:
    return [person("Ann"), person("Ben"), person("Cat")]


async def closed(browser: Browser) -> str:
    """Return what a socket was told before it was closed for good."""
    frame = await browser.next_frame()
    assert await browser.close_code() == CloseCode.NO_TABLE
    return frame


async def test_the_blocked_spectators_sockets_close_at_once_and_nobody_elses(people: list[User]) -> None:
    ann, ben, cat = people
    match = await in_thread(running_table)([ann], bots=1)
    watching, other, player = (
        await connect_and_read_frame(match, ben),
        await connect_and_read_frame(match, cat),
        await connect_and_read_frame(match, ann),
    )
    await block(blocker=ann, blocked=ben)
    code = await closed(watching)
    assert NO_SUCH in code
    assert "Ann" not in code
    assert await other.receive_nothing()
    await other.disconnect()
    await player.disconnect()


async def test_blocked_people_get_an_unknown_table(people: list[User]) -> None:
    ann, ben, _cat = people
    match = await in_thread(running_table)([ann], bots=1)
    await block(blocker=ann, blocked=ben)
    assert NO_SUCH in await closed(await connect_to_table(match, ben))


@pytest.mark.stack
async def test_spectator_is_removed_when_a_blocker_sits_down(people: list[User]) -> None:
    ann, ben, cat = people
    match = await in_thread(two_free_seats)(cat)
    await block(blocker=ann, blocked=ben)
    watching = await connect_and_read_frame(match, ben)
    await in_thread(tables.sit)(match=match, user=ann)
    frame = await watching.next_frame()
    if NO_SUCH not in frame:  # the seat is announced as well
        frame = await watching.next_frame()
    assert NO_SUCH in frame
    assert await watching.close_code() == CloseCode.NO_TABLE


def two_free_seats(host: User) -> Match:
    match = open_table([host], bots=2)
    match.seats.filter(bot="steady").update(bot="", name="")
    return match


@pytest.mark.stack
async def test_heartbeat_repairs_a_lost_announcement(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben, _cat = people
    match = await in_thread(running_table)([ann], bots=1)
    watching = await connect_and_read_frame(match, ben)
    monkeypatch.setattr("games.broadcast.announcements.recheck_sockets", lambda user_ids: None)
    await block(blocker=ann, blocked=ben)
    await watching.send_message(type="seen", v=1)
    assert NO_SUCH in await closed(watching)


async def test_blocked_player_stays_seated_but_is_hidden_from_the_blocker(people: list[User]) -> None:
    ann, ben, _cat = people
    match = await in_thread(running_table)(people)
    sockets = [await connect_and_read_frame(match, user) for user in people]
    await say(match=match, user=ben, text="before")
    assert ["before" in await socket.next_frame() for socket in sockets] == [True] * 3
    await block(blocker=ann, blocked=ben)
    assert "before" not in await sockets[0].next_frame()
    assert await sockets[1].next_frame() == NOTHING_NEW
    await say(match=match, user=ben, text="after")
    assert ["after" in await socket.next_frame() for socket in sockets] == [False, True, True]
    await unblock(blocker=ann, blocked_id=ben.pk)
    mended = await sockets[0].next_frame()
    assert "before" in mended
    assert "after" in mended
    for socket in sockets:
        await socket.disconnect()


async def test_the_open_lobby_loses_the_table_and_gets_it_back(people: list[User]) -> None:
    ann, ben, _cat = people
    match = await in_thread(open_table)([ann], bots=1)
    lists = Browser("/ws/lobby/", ben)
    await lists.connect()
    assert match.slug in await lists.next_frame()
    await block(blocker=ann, blocked=ben)
    assert match.slug not in await lists.next_frame()
    await unblock(blocker=ann, blocked_id=ben.pk)
    assert match.slug in await lists.next_frame()
    await lists.disconnect()
