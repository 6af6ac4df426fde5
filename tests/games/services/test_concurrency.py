"""Several threads and processes at one match: each thing happens once."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.engine.rules import Rules
from games.models import MatchEvent, SiteHeartbeat
from games.services import due_events
from games.services.downtime import write_heartbeat
from games.services.moves import MoveRequest, MoveResult, make_moves
from games.words import offered_variants
from tests.games import tables
from tests.games.services.test_due_events import GAMES, later

pytestmark = [pytest.mark.stack]
THREADS = 8


@pytest.mark.django_db(transaction=True)
def test_three_clocks_together_fire_every_match_exactly_once() -> None:
    matches = [
        tables.running_table([tables.person(), tables.person()], absence="forfeit", variant=variant)
        for variant in offered_variants()
        for _ in range(4)
    ]
    now = later(minutes=10)
    fired = []

    def run() -> None:
        while happened := due_events.fire_due_events(now=now):
            fired.append(happened)
        connection.close()

    in_threads([run] * 3)
    assert sum(fired) == len(matches)
    assert MatchEvent.objects.filter(kind="match_ended").count() == len(matches)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", GAMES)
def test_eight_threads_send_the_same_move_one_wins_and_seven_are_stale(rules: Rules) -> None:
    match = tables.running_table([tables.person(), tables.person()], variant=rules.key)
    user, move = tables.player_to_move(match), tables.first_legal_move(match)
    barrier = threading.Barrier(THREADS)
    answers = []

    def run() -> None:
        barrier.wait()
        request = MoveRequest(match.pk, match.version, move, user.pk)
        answers.extend(make_moves([request]))
        connection.close()

    in_threads([run] * THREADS)
    codes = sorted(getattr(answer, "code", "won") for answer in answers)
    assert codes == ["stale"] * (THREADS - 1) + ["won"]
    assert tables.locked_row(match).version == match.version + 1


@pytest.mark.django_db(transaction=True)
def test_batches_that_name_the_same_matches_in_other_orders_do_not_wait_for_each_other_forever() -> None:
    matches = [tables.running_table([tables.person(), tables.person()]) for _ in range(6)]
    requests = [
        MoveRequest(match.pk, match.version, tables.first_legal_move(match), tables.player_to_move(match).pk)
        for match in matches
    ]
    answers = []

    def run(batch: list[MoveRequest]) -> None:
        answers.extend(make_moves(batch))
        connection.close()

    in_threads([lambda: run(requests), lambda: run(requests[::-1])])
    assert sum(isinstance(answer, MoveResult) for answer in answers) == len(matches)


@pytest.mark.django_db(transaction=True)
def test_processes_that_start_together_write_the_same_heartbeat() -> None:
    """The second one begins before the first one has committed."""

    def run() -> None:
        write_heartbeat(["clock"], now=timezone.now(), is_startup=True)
        connection.close()

    second = threading.Thread(target=run)
    with transaction.atomic():
        write_heartbeat(["web"], now=timezone.now(), is_startup=True)
        second.start()
        second.join(1)
    second.join(60)
    heartbeat = SiteHeartbeat.objects.get()
    assert heartbeat.web_at
    assert heartbeat.clock_at


def in_threads(targets: list[Any]) -> None:
    threads = [threading.Thread(target=target) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
