"""Analysis: what the bot expects of each move in a match that is over. It runs in the background.

Each process keeps its own results. The same question has the same answer in all, so nothing has to be shared.
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
PARTS = 20
"""Each of the two computations is split into so many parts, so that progress can be shown."""
PART_SECONDS = 60
MOST_WAITING = 10
Values = Sequence[Sequence[float]]


class Analysis(Future[None]):
    """The values of the legal moves, in the order of the view, from each part computed so far."""

    def __init__(self, view: View, position: State) -> None:
        super().__init__()
        self.view, self.position = view, position
        self.known: list[list[float]] = []
        """With what the seat to move knew."""
        self.opened: list[list[float]] = []
        """With all hands open."""

    @property
    def progress(self) -> float:
        """Return how much has been computed, from 0 to 1."""
        return (len(self.known) + len(self.opened)) / (2 * PARTS)

    @property
    def complete(self) -> bool:
        return len(self.opened) == PARTS

    @property
    def failed(self) -> bool:
        return has_failed(self)

    def values(self) -> list[tuple[float, float]]:
        """Return what each move is worth with what its seat knew, and with all hands open."""
        return list(zip(_means(self.known), _means(self.opened), strict=True))

    def evaluation(self) -> Evaluation:
        """Return what may be shown: it does not contain the position."""
        return Evaluation(self.progress, tuple(self.values()) if self.complete else (), failed=self.failed)


workers = PerProcess(partial(Workers, 1))
"""For all that the reviews of this process have worked out."""


class Analyses(Jobs[tuple[int | str, int], Analysis]):
    """The analyses by match or uploaded record and version, and the thread that computes them one by one."""

    def __init__(self) -> None:
        super().__init__("opinions", most=1 + MOST_WAITING, cached=ANALYSES)
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
        for values, position in ((analysis.known, None), (analysis.opened, analysis.position)):
            for part in range(PARTS):
                job = workers().submit(bots.evaluate, analysis.view, position, part)
                values.append(job.result(PART_SECONDS))


_analyses = PerProcess(Analyses)


def known(key: int | str, step: Step) -> Analysis | None:
    """Return the analysis of the position after a step, if somebody asked for it."""
    return _analyses().get((key, step.version))


def ask(key: int | str, step: Step, position: State, *, address: str = "", account: int | None = None) -> None:
    """Begin the analysis of the position after a step of a match, which must be over, or of an uploaded record.

    Raises Refused ``no_choice``, or ``too_fast`` (too many wait), and TooFast for a client over its limit.
    """
    view = choice(position)
    if view is None:
        raise Refused("no_choice")
    analyses = _analyses()
    begin = partial(analyses.begin, view, position)
    analyses.ask((key, step.version), begin, address=address, account=account)


def choice(position: State) -> View | None:
    """Return what the seat to move sees if it has a choice that a bot can evaluate."""
    if position.round.to_move is None or not bots.plays(position.setup.variant):
        return None
    view = view_for(rules_for(position.setup.variant), position, position.round.to_move)
    return view if len(view.legal) > 1 else None


def _means(parts: Values) -> list[float]:
    return [fmean(column) for column in zip(*parts, strict=True)]
