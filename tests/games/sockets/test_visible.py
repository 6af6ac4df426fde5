"""Sockets tell whether their pages are in sight."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone
from pytest_django import Settings

from accounts.models import PushSubscription, User
from games.models import Match, VisiblePage
from infrastructure.vapid import new_private_key
from tests.games.socket_browser import Browser, watch
from tests.games.tables import person, running_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def offered(settings: Settings) -> None:
    settings.VAPID_PRIVATE_KEY = new_private_key()


@database_sync_to_async
def at_a_table(*, subscribed: bool = True) -> tuple[Match, User]:
    ann = person("Ann")
    if subscribed:
        until = timezone.now() + timedelta(days=1)
        PushSubscription.objects.create(user=ann, endpoint="https://fcm.googleapis.com/x", expires_at=until)
    return running_table([ann], bots=1), ann


@database_sync_to_async
def pages() -> list[tuple[int, int | None]]:
    return list(VisiblePage.objects.order_by("pk").values_list("user_id", "match"))


async def until_pages_are(expected: list[tuple[int, int | None]]) -> None:
    async with asyncio.timeout(10):
        while sorted(await pages(), key=str) != expected:
            await asyncio.sleep(0.01)


async def beat(page: Browser, **said: bool) -> None:
    await page.say(type="seen", **said)
    await page.frame()


@pytest.mark.stack
async def test_a_page_is_in_sight_until_it_says_that_it_is_not() -> None:
    match, ann = await at_a_table()
    page = await watch(match, ann)
    await beat(page)
    assert await pages() == [(ann.pk, match.pk)]
    await beat(page, visible=False)
    assert await pages() == []
    await beat(page, visible=True)
    assert await pages() == [(ann.pk, match.pk)]
    await page.disconnect()


async def test_a_page_that_is_closed_is_gone_and_one_whose_connection_broke_may_come_back() -> None:
    match, ann = await at_a_table()
    closed, broken = await watch(match, ann), Browser("/ws/lobby/", ann)
    await broken.connect(timeout=5)
    await broken.frame()
    await beat(closed)
    await until_pages_are([(ann.pk, match.pk), (ann.pk, None)])  # a lobby says so only after its first frame
    await closed.disconnect(code=1001)
    assert await pages() == [(ann.pk, None)]
    await broken.disconnect(code=1006)
    assert await pages() == [(ann.pk, None)]


async def test_nothing_is_kept_of_others() -> None:
    match, ann = await at_a_table(subscribed=False)
    for page in (await watch(match, ann), await watch(match)):
        await beat(page, visible=True)
        await page.disconnect()
    assert await pages() == []
