"""Locks are taken in one order, the match before its parts, so that deadlocks cannot occur."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from time import sleep

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from accounts import services
from accounts.models import User
from accounts.sanctions import imposing
from games.chat import posting
from games.errors import Refused
from games.fair_dealing import nonces
from games.lobby import tables as lobby_tables
from games.match import match_rows, record
from games.models import Match, MatchEvent, Message, Seat
from games.presence import leases
from tests.games import tables

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]

Act = Callable[[Match, User], object]


def says_something(match: Match, ann: User) -> object:
    return posting.post_message(match=match, user=ann, text="hello")


def comes_back(match: Match, ann: User) -> object:
    return leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=timezone.now())


def goes_away(match: Match, ann: User) -> object:
    return leases.mark_away(now=timezone.now() + timedelta(hours=1))


def is_suspended(match: Match, ann: User) -> object:
    moderator = User.objects.create(username="moderator", is_staff=True, is_superuser=True)
    return imposing.impose(moderator=moderator, user=ann, kind="suspend", reason="cheating", until=None)


def is_deleted(match: Match, ann: User) -> object:
    return services.delete_person(user=ann)


@pytest.mark.parametrize("act", [says_something, comes_back, goes_away, is_suspended, is_deleted])
def test_an_act_beside_a_transaction_that_holds_the_match_waits_for_it_and_both_are_done(act: Act) -> None:
    ann = tables.person("Ann")
    match = tables.running_table([ann, tables.person("Ben")])
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=timezone.now())
    Seat.objects.filter(match=match, user=ann).update(away=act is comes_back)
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            match_rows.lock_rows([match.pk])
            done = threads.submit(in_own_connection, lambda: act(match, ann))
            sleep(0.5)  # by now it waits for the match
            Seat.objects.filter(match=match, user=ann).update(ready=True)
            Message.objects.create(match=match, user=ann, name="Ann", text="I am here")
        done.result(timeout=30)


def test_a_start_whose_time_is_up_while_the_last_nonces_are_opened_happens_once(settings: Settings) -> None:
    settings.NONCE_SECONDS = 5
    people = [tables.person(f"P{number}") for number in range(3)]
    match = tables.open_table(people)
    match.seats.update(nonce="")
    lobby_tables.start_or_agree(match=match, by=people[0])
    acts: list[Callable[[], object]] = [
        lambda: nonces.end_reveal_phase(match_id=match.pk),
        *(partial(opens, match, user, f"nonce-{number}") for number, user in enumerate(people)),
    ]
    with ThreadPoolExecutor(len(acts)) as threads:
        for done in [threads.submit(in_own_connection, act) for act in acts]:
            done.result(timeout=30)
    assert MatchEvent.objects.filter(match=match, kind="match_started").count() == 1
    opened = tuple(match.seats.order_by("index").values_list("nonce", flat=True))
    assert record.start_event(match.pk).nonces == opened


def opens(match: Match, user: User, nonce: str) -> None:
    with suppress(Refused):  # it has started meanwhile
        nonces.submit_nonce(match_id=match.pk, user_id=user.pk, nonce=nonce)


def in_own_connection(work: Callable[[], object]) -> object:
    try:
        return work()
    finally:
        connection.close()
