"""Pushes are sent beside everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from accounts.models import PushSubscription, User
from games.broadcast.database_threads import in_database
from games.models import Match
from games.push_sender import PushSender
from games.scheduler import Scheduler
from infrastructure.vapid import new_private_key
from tests.games.services.test_push_notifications import daily, subscribed
from tests.games.tables import make_first_move, person, player_to_move
from tests.push_service import PushService, push_service

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    settings.VAPID_PRIVATE_KEY = new_private_key()
    with push_service() as service:
        settings.PUSH_SERVICES = [service.origin]
        yield service


def waited_for(service: PushService) -> tuple[Match, User]:
    """Return a match, and who is waited for, in a turn that began a while ago."""
    match = daily([person("Ann"), person("Ben")])
    user = player_to_move(match)
    subscribed(user, service)
    Match.objects.filter(pk=match.pk).update(turn_started_at=timezone.now() - timedelta(seconds=6))
    return match, user


async def test_slow_push_service_delays_no_move(service: PushService) -> None:
    match, _user = await in_database(waited_for, service)
    service.may_answer.clear()
    pushing = PushSender()
    async with asyncio.timeout(20):
        await pushing.send_due_notifications()
        while not service.received:
            await asyncio.sleep(0.01)
        await in_database(make_first_move, match)
        await pushing.send_due_notifications()
        assert len(pushing.pending) == 1
        assert not service.may_answer.is_set()
        service.status = 410
        service.may_answer.set()
        while pushing.pending:
            await asyncio.sleep(0.01)
    assert len(service.received) == 1
    assert not await in_database(PushSubscription.objects.exists)


@pytest.mark.stack
async def test_the_scheduler_sends_them(service: PushService) -> None:
    await in_database(waited_for, service)
    work = asyncio.create_task(Scheduler().run())
    async with asyncio.timeout(20):
        while not service.received:
            await asyncio.sleep(0.01)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_site_without_a_key_sends_nothing() -> None:
    async with asyncio.timeout(20):
        await PushSender().run()
