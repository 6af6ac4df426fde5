"""The pages of a person who has a seat: when the last one is closed, the others at the table learn it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.heartbeat import Heartbeat
from games.models import Match, Seat
from games.presence import leases
from games.presence.lost_connections import MIN_LOST_ADDRESSES, NO_CLOSE_FRAME, lost_connections
from tests.games import tables
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread

pytestmark = [
    pytest.mark.stack,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_errors_logged"),
]


@in_thread
def seat_of(match: Match, user: User) -> Seat:
    return Seat.objects.get(match=match, user=user)


@in_thread
def due_at_of(match: Match) -> datetime | None:
    return Match.objects.get(pk=match.pk).due_at


@in_thread
def another_match() -> tuple[Match, list[User]]:
    players = [tables.person("Cid"), tables.person("Dan")]
    return tables.running_table(players), players


@in_thread
def sweep(seconds: int) -> None:
    leases.mark_away(now=timezone.now() + timedelta(seconds=seconds))


async def two_pages(match: Match, user: User) -> tuple[Browser, Browser]:
    """Open two pages that count as open once each has been answered."""
    pages = await connect_and_read_frame(match, user), await connect_and_read_frame(match, user)
    for page in pages:
        await page.send_message(type="seen")
        await page.next_frame()
    return pages


async def test_others_see_a_player_leave_and_return(match: Match, people: list[User]) -> None:
    ann, bob = await connect_and_read_frame(match, people[0]), await connect_and_read_frame(match, people[1])
    await ann.disconnect()
    await sweep(5)
    assert "mark-away" in await bob.next_frame()
    await connect_and_read_frame(match, people[0])
    assert "mark-away" not in await bob.next_frame()
    assert (await seat_of(match, people[0])).left_at is None


async def test_player_with_another_page_has_not_left(match: Match, people: list[User]) -> None:
    first, second = await two_pages(match, people[0])
    await second.disconnect()
    assert (await seat_of(match, people[0])).left_at is None
    await first.disconnect()  # although it was not the last one to renew the lease
    assert (await seat_of(match, people[0])).left_at is not None


async def test_players_lost_together_have_time_to_reconnect(match: Match, people: list[User]) -> None:
    pages = [await connect_and_read_frame(match, people[0])]
    for _table in range(MIN_LOST_ADDRESSES // 2):
        other_match, players = await another_match()
        pages += [await connect_and_read_frame(other_match, player) for player in players]
    for page in reversed(pages):
        await page.disconnect(code=NO_CLOSE_FRAME)
    assert lost_connections().mass_loss_since(now := timezone.now()) is not None
    left_at = (await seat_of(match, people[0])).left_at
    assert left_at is not None
    assert timedelta(seconds=15) < left_at - now <= timedelta(seconds=20)
    await sweep(19)
    assert not (await seat_of(match, people[0])).away


async def test_sockets_that_visitors_drop_stop_no_clock(match: Match, people: list[User]) -> None:
    await connect_and_read_frame(match, people[0])
    await connect_and_read_frame(match, people[1])
    due_at = await due_at_of(match)
    visitor = "192.0.2.1", 1
    pages = [await connect_and_read_frame(match, client=visitor) for _page in range(30)]
    pages += [Browser("/ws/lobby/", client=visitor) for _page in range(30)]
    for page in pages[30:]:
        await page.connect()
    heartbeat = Heartbeat("web", "clock")
    await heartbeat.write()
    for page in pages:
        await page.disconnect(code=NO_CLOSE_FRAME)
    assert lost_connections().mass_loss_since(timezone.now()) is None
    await heartbeat.write()
    assert await due_at_of(match) == due_at


async def test_page_at_another_process_keeps_the_person_present(match: Match, people: list[User]) -> None:
    page = await connect_and_read_frame(match, people[0])
    before = (await seat_of(match, people[0])).last_seen
    assert isinstance(before, datetime)
    close = in_thread(leases.release_seat_lease)
    await close(match_id=match.pk, user_id=people[0].pk, renewed_at=before, now=timezone.now())
    async with asyncio.timeout(20):
        while (await seat_of(match, people[0])).left_at is not None:
            await asyncio.sleep(0.01)
    assert await page.receive_nothing(0.1)


async def test_a_spectators_page_leaves_no_seat(match: Match, people: list[User]) -> None:
    await connect_and_read_frame(match, people[0])
    spectator = await connect_and_read_frame(match)
    await spectator.disconnect()
    assert (await seat_of(match, people[0])).left_at is None
