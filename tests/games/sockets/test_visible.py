"""Heartbeats report whether the page is visible."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from accounts.models import PushSubscription, User
from games.models import Match
from games.presence import online
from games.presence.pages import pages
from infrastructure.vapid import new_private_key
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread
from tests.games.tables import person, running_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def offered(settings: Settings) -> None:
    settings.VAPID_PRIVATE_KEY = new_private_key()


@in_thread
def at_a_table(*, subscribed: bool = True) -> tuple[Match, User]:
    ann = person("Ann")
    if subscribed:
        until = timezone.now() + timedelta(days=1)
        PushSubscription.objects.create(user=ann, endpoint="https://fcm.googleapis.com/x", expires_at=until)
    return running_table([ann], bots=1), ann


async def in_sight() -> dict[int, set[int | None]]:
    """Return what the rows of the processes hold after an exchange."""
    await in_thread(online.exchange_presence)(pages(), timezone.now())
    return {**await in_thread(online.visible_pages_by_person)(timezone.now())}


async def beat(page: Browser, **fields: bool) -> None:
    await page.send_message(type="seen", **fields)
    await page.next_frame()


@pytest.mark.stack
async def test_page_is_visible_until_it_reports_otherwise() -> None:
    match, ann = await at_a_table()
    page = await connect_and_read_frame(match, ann)
    await beat(page)
    assert await in_sight() == {ann.pk: {match.pk}}
    await beat(page, visible=False)
    assert await in_sight() == {}
    await beat(page, visible=True)
    assert await in_sight() == {ann.pk: {match.pk}}
    await page.disconnect()


async def test_a_page_that_is_closed_is_gone_and_one_whose_connection_broke_may_come_back() -> None:
    match, ann = await at_a_table()
    closed, broken = await connect_and_read_frame(match, ann), Browser("/ws/lobby/", ann)
    await broken.connect()
    await broken.next_frame()
    await beat(closed)
    async with asyncio.timeout(10):
        while await in_sight() != {ann.pk: {match.pk, None}}:  # a lobby reports it only after its first frame
            await asyncio.sleep(0.01)
    await closed.disconnect(code=1001)
    assert await in_sight() == {ann.pk: {None}}
    await broken.disconnect(code=1006)
    assert await in_sight() == {ann.pk: {None}}


async def test_visibility_of_other_people_is_not_stored() -> None:
    match, ann = await at_a_table(subscribed=False)
    for page in (await connect_and_read_frame(match, ann), await connect_and_read_frame(match)):
        await beat(page, visible=True)
        await page.disconnect()
    assert await in_sight() == {}
