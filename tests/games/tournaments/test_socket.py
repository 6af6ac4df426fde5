"""The socket of a tournament's page."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from unittest.mock import Mock

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.broadcast import announcements
from games.models import Entry
from games.sockets.consumer import CloseCode
from games.tournaments import entering, reading
from tests.games.socket_browser import Browser, in_thread, socket_address, zone_names
from tests.games.tables import person
from tests.games.tournaments.site import START, announced

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_errors_logged")]


async def test_a_page_shows_new_entrants_and_its_reader_counts_as_present() -> None:
    tournament = await in_thread(partial(announced, starts_at=timezone.now() + timedelta(minutes=30)))()
    anna, bela = [await in_thread(person)(name) for name in ("Anna", "Bela")]
    enter = partial(entering.enter, tournament=tournament, now=timezone.now())
    await in_thread(partial(enter, user=anna))()
    await in_thread(Entry.objects.update)(seen_at=None)
    page = (await in_thread(Client().get)(f"/tournament/{tournament.slug}/")).text
    visitor, entrant = Browser(socket_address(page)), Browser(f"/ws/tournament/{tournament.slug}/", user=anna)
    for browser in (visitor, entrant):
        await browser.connect()
    assert zone_names(await visitor.next_frame()) == set()
    assert "You have entered." in await entrant.next_frame()
    assert await in_thread(Entry.objects.filter(user=anna, seen_at__isnull=False).exists)()
    await in_thread(partial(enter, user=bela))()
    frames = [await browser.next_frame() for browser in (visitor, entrant)]
    assert ["Bela" in frame for frame in frames] == [True, True]
    assert "tournament-mine" not in zone_names(frames[0])
    await entrant.disconnect()
    assert not await in_thread(Entry.objects.filter(user=anna, seen_at__isnull=False).exists)()
    await in_thread(announcements.touch_tournament)(tournament.slug, 99)
    assert await visitor.receive_nothing(2.5)


async def test_every_message_is_answered_even_if_nothing_changes() -> None:
    tournament = await in_thread(partial(announced, starts_at=timezone.now() + timedelta(minutes=30)))()
    page = Browser(f"/ws/tournament/{tournament.slug}/", user=await in_thread(person)("Anna"))
    await page.connect()
    await page.next_frame()
    for message in ({"type": "seen"}, {"type": "nonce", "nonce": "a" * 32}):
        await page.send_message(**message)
        assert zone_names(await page.next_frame()) == set()
    await page.disconnect()


async def test_pages_read_together_and_a_new_page_shows_nothing_older_than_it_was_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads = Mock(wraps=reading.load_shared)
    monkeypatch.setattr(reading, "load_shared", reads)
    monkeypatch.setattr("games.tournaments.socket.MIN_INTERVAL_SECONDS", 3600.0)
    tournament = await in_thread(partial(announced, starts_at=timezone.now() + timedelta(minutes=30)))()
    pages = [Browser(f"/ws/tournament/{tournament.slug}/") for _ in range(3)]
    for page in pages[:2]:
        await page.connect()
        assert "tournament-standing" in zone_names(await page.next_frame())
    enter = partial(entering.enter, tournament=tournament, now=timezone.now())
    await in_thread(partial(enter, user=await in_thread(person)("Anna")))()
    await pages[2].connect()
    assert zone_names(await pages[2].next_frame()) == set()
    assert reads.call_count == 1
    for page in pages:
        await page.disconnect()


async def open_pages(count: int) -> tuple[User, list[Browser]]:
    """Open pages of a tournament that a person has entered, and who has waited since its start."""
    tournament = await in_thread(partial(announced, starts_at=timezone.now() + timedelta(minutes=30)))()
    anna = await in_thread(person)("Anna")
    await in_thread(partial(entering.enter, tournament=tournament, user=anna, now=timezone.now()))()
    browsers = [Browser(f"/ws/tournament/{tournament.slug}/", user=anna) for _ in range(count)]
    for browser in browsers:
        await browser.connect()
        await browser.next_frame()
    await in_thread(Entry.objects.update)(waits_since=START)
    return anna, browsers


def presence(user: User) -> tuple[bool, bool]:
    """Return whether the site sees a person, and whether the wait goes on."""
    entry = Entry.objects.get(user=user)
    return entry.seen_at is not None, entry.waits_since == START


@pytest.mark.parametrize("closed", [0, 1])
async def test_a_person_is_here_while_one_of_two_pages_is_open(closed: int) -> None:
    anna, browsers = await open_pages(2)
    await browsers.pop(closed).disconnect()
    await browsers[0].receive_nothing(0.3)
    assert await in_thread(presence)(anna) == (True, True)
    await browsers[0].disconnect()
    assert await in_thread(presence)(anna) == (False, True)


async def test_a_page_that_nobody_looks_at_does_not_count() -> None:
    anna, browsers = await open_pages(2)
    await browsers[0].send_message(type="seen", visible=False)
    await browsers[0].next_frame()
    await browsers[1].disconnect()
    await browsers[0].receive_nothing(0.3)
    assert await in_thread(presence)(anna) == (False, True)


async def test_the_way_to_a_new_table_is_sent_at_once_and_costs_no_read() -> None:
    tournament = await in_thread(partial(announced, starts_at=timezone.now() + timedelta(minutes=30)))()
    anna = await in_thread(person)("Anna")
    page = Browser(f"/ws/tournament/{tournament.slug}/", user=anna)
    await page.connect()
    await page.next_frame()
    await in_thread(announcements.lead_to_table)([anna.pk], "quiet-river")
    frame = await page.next_frame()
    assert zone_names(frame) == {"tournament-mine"}
    assert 'data-follow="/match/quiet-river/"' in frame
    await page.disconnect()


async def test_a_tournament_that_does_not_exist_closes_the_socket() -> None:
    browser = Browser("/ws/tournament/nothing/")
    await browser.connect()
    await browser.next_frame()
    assert await browser.close_code() == CloseCode.NO_TABLE
