"""The bot's evaluation of the legal moves in a match that is over, computed in the background.

Every process caches its own results. They are deterministic, so they need not be shared.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from statistics import fmean

import structlog

from games import bots
from games.caches import ANALYSES
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.errors import Refused
from games.review.evaluation import Evaluation
from games.review.past import Step
from games.workers.jobs import Jobs, has_failed
from games.workers.pool import Workers
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
PARTS = 20  # per computation, to show progress
PART_TIMEOUT_SECONDS = 60
MAX_WAITING = 10


class Analysis(Future[None]):
    """The values of the legal moves, in the order of the view, from every part computed so far."""

    def __init__(self, view: View, position: State) -> None:
        super().__init__()
        self.view, self.position = view, position
        self.closed_values: list[list[float]] = []  # with what the seat to move knew
        self.open_values: list[list[float]] = []  # with all hands open

    @property
    def progress(self) -> float:
        """The completed fraction, from 0 to 1."""
        return (len(self.closed_values) + len(self.open_values)) / (2 * PARTS)

    @property
    def complete(self) -> bool:
        return len(self.open_values) == PARTS

    def values(self) -> list[tuple[float, float]]:
        """Return the value of every move with what its seat knew, and with all hands open."""
        return list(zip(_means(self.closed_values), _means(self.open_values), strict=True))

    def evaluation(self) -> Evaluation:
        """Return the progress and result without the position."""
        return Evaluation(self.progress, tuple(self.values()) if self.complete else (), failed=has_failed(self))


# The worker process of all reviews in this process.
workers = PerProcess(partial(Workers, 1))


class Analyses(Jobs[tuple[int | str, int], Analysis]):
    """The analyses by match or uploaded record and version, and the thread that computes them one by one."""

    def __init__(self) -> None:
        super().__init__("opinions", max_unfinished=1 + MAX_WAITING, max_cached=ANALYSES)
        self.queue: SimpleQueue[Analysis] = SimpleQueue()
        self.thread: threading.Thread | None = None

    def begin(self, view: View, position: State) -> Analysis:
        analysis = Analysis(view, position)
        self.queue.put(analysis)
        if self.thread is None:
            self.thread = threading.Thread(target=self.work, name="analyses", daemon=True)
            self.thread.start()
        return analysis

    def work(self) -> None:
        while True:
            analysis = self.queue.get()
            try:
                self.evaluate(analysis)
            except Exception as error:
                log.exception("analysis_failed")
                analysis.set_exception(error)
            else:
                analysis.set_result(None)

    def evaluate(self, analysis: Analysis) -> None:
        for values, position in ((analysis.closed_values, None), (analysis.open_values, analysis.position)):
            for part in range(PARTS):
                job = workers().submit(bots.evaluate, analysis.view, position, part)
                values.append(job.result(PART_TIMEOUT_SECONDS))


_analyses = PerProcess(Analyses)


def requested(key: int | str, step: Step) -> Analysis | None:
    """Return the analysis of the position after a step, if it has been requested."""
    return _analyses().get((key, step.version))


def request(key: int | str, step: Step, position: State, *, address: str = "", account: int | None = None) -> None:
    """Begin the analysis of the position after a step of an uploaded record or of a match, which must be over.

    Raises Refused ``no_choice``, or ``too_fast`` if the queue is full, and TooFast for a client over its limit.
    """
    view = choice(position)
    if view is None:
        raise Refused("no_choice")
    analyses = _analyses()
    begin = partial(analyses.begin, view, position)
    analyses.get_or_start((key, step.version), begin, address=address, account=account)


def choice(position: State) -> View | None:
    """Return the view of the seat to move if it has a choice that a bot can evaluate."""
    if position.round.to_move is None or not bots.plays(position.setup.variant):
        return None
    view = view_for(rules_for(position.setup.variant), position, position.round.to_move)
    return view if len(view.legal) > 1 else None


def _means(parts: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(column) for column in zip(*parts, strict=True)]
