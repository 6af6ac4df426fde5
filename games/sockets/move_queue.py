"""Moves that arrive while a transaction runs are committed together in the next one.

The first move starts at once and waits for nobody. The busier the site, the more moves share a transaction.
"""

from __future__ import annotations

import asyncio
from collections import deque

import structlog
from prometheus_client import Counter, Gauge, Histogram

from games.broadcast.database_threads import DATABASE_THREADS, in_database
from games.broadcast.memory_layer import moves_in_progress
from games.errors import Refused
from games.services.moves import MATCH_LOCKED, MoveAnswer, MoveRequest, MoveResult, make_moves
from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
MAX_BATCH_SIZE = 64  # moves in one transaction
MOVES_BY_OUTCOME = Counter("dominoes_moves_total", "Moves by outcome", ["outcome"])
for outcome in ("made", "failed", "unavailable", "stale", "illegal"):
    MOVES_BY_OUTCOME.labels(outcome)
TRANSACTION_SECONDS = Histogram("dominoes_moves_seconds", "Time of a transaction of moves")
BATCH_SIZES = Histogram("dominoes_moves_together", "Moves in one transaction", buckets=(1, 2, 4, 8, 16, 32, 64))

WAITING_MOVES = Gauge("dominoes_moves_waiting", "Moves that wait for a transaction")

WaitingMove = tuple[MoveRequest, "asyncio.Future[MoveAnswer]"]


class MoveQueue:
    """The queue of a process. Each database thread runs one transaction at a time."""

    def __init__(self) -> None:
        self.waiting_moves: deque[WaitingMove] = deque()
        self.free_threads = DATABASE_THREADS
        WAITING_MOVES.set_function(lambda: len(self.waiting_moves))
        self.tasks: set[asyncio.Task[None]] = set()

    async def submit(self, request: MoveRequest) -> MoveAnswer:
        future: asyncio.Future[MoveAnswer] = asyncio.get_running_loop().create_future()
        self.waiting_moves.append((request, future))
        if self.free_threads:
            self.free_threads -= 1
            task = asyncio.create_task(self._drain())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        with moves_in_progress():
            return await future

    async def _drain(self) -> None:
        try:
            while self.waiting_moves:
                await self._commit(
                    [self.waiting_moves.popleft() for _ in range(min(MAX_BATCH_SIZE, len(self.waiting_moves)))]
                )
        finally:
            self.free_threads += 1

    async def _commit(self, batch: list[WaitingMove]) -> None:
        try:
            with TRANSACTION_SECONDS.time():
                answers = await in_database(make_moves, [request for request, _future in batch])
        except Exception as error:
            if is_outage(error):
                answers = [Refused("unavailable")] * len(batch)
            elif len(batch) > 1:  # only the move at fault may fail
                for waiting_move in batch:
                    await self._commit([waiting_move])
                return
            else:
                log.exception("move_failed", match=batch[0][0].match_id)
                answers = [Refused("failed")]
        BATCH_SIZES.observe(len(batch))
        locked_moves = []
        for waiting_move, answer in zip(batch, answers, strict=True):
            if answer is MATCH_LOCKED:
                locked_moves.append(waiting_move)
            else:
                _send_answer(waiting_move, answer)
        for waiting_move in locked_moves:  # alone, so that the others do not wait
            await self._commit([waiting_move])


def _send_answer(waiting_move: WaitingMove, answer: MoveAnswer) -> None:
    MOVES_BY_OUTCOME.labels("made" if isinstance(answer, MoveResult) else answer.code).inc()
    _request, future = waiting_move
    if not future.done():  # its socket may be gone
        future.set_result(answer)


move_queue = PerProcess(MoveQueue)
