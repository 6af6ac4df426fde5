"""Moves that arrive together share a transaction, and fail alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from accounts.models import User
from games.services.moves import MoveAnswer, MoveRequest, MoveResult, make_moves
from games.sockets import move_queue
from tests.games import tables
from tests.games.socket_browser import in_thread

pytestmark = [
    pytest.mark.stack,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_errors_logged"),
]


async def test_moves_that_arrive_together_share_a_transaction(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [await in_thread(tables.running_table)(people) for _ in range(6)]
    batches = []
    monkeypatch.setattr(move_queue, "make_moves", lambda batch: batches.append(len(batch)) or make_moves(batch))
    requests = [
        MoveRequest(
            match.pk,
            match.version,
            await in_thread(tables.first_legal_move)(match),
            (await in_thread(tables.player_to_move)(match)).pk,
        )
        for match in matches
    ]
    queue = move_queue.move_queue()
    answers = await asyncio.gather(*(queue.submit(request) for request in requests))
    assert all(isinstance(answer, MoveResult) for answer in answers)
    assert sum(batches) == 6
    assert len(batches) < 6


async def test_a_move_that_breaks_the_transaction_fails_alone(
    people: list[User], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:

    def fragile(batch: Sequence[MoveRequest]) -> list[MoveAnswer]:
        if any(request.move == "planted" for request in batch):
            raise RuntimeError("planted")
        return make_moves(batch)

    monkeypatch.setattr(move_queue, "make_moves", fragile)
    match = await in_thread(tables.running_table)(people)
    mover = await in_thread(tables.player_to_move)(match)
    good = MoveRequest(match.pk, match.version, await in_thread(tables.first_legal_move)(match), mover.pk)
    bad = MoveRequest(match.pk, match.version, "planted", mover.pk)
    queue = move_queue.move_queue()
    answers = await asyncio.gather(*(queue.submit(request) for request in (bad, bad, good)))
    assert [getattr(answer, "code", "won") for answer in answers] == ["failed", "failed", "won"]
    caplog.clear()
