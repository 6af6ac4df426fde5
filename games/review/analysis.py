"""The bot's evaluation of the legal moves in a match that is over, computed in the background.

Every process caches its own results. They are deterministic, so they need not be shared.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue

import structlog

from games import bots
from games.caches import MAX_ANALYSES
from games.engine.moves import Move
from games.engine.outcome import Outcome, mean_outcome
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.errors import Refused
from games.explanations.fact import AttemptFacts
from games.match_reports.choices import explain_moves
from games.review.evaluation import Evaluation, moves_to_compare
from games.review.match_steps import Step
from games.workers.jobs import Jobs, has_failed
from games.workers.pool import Workers
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
SAMPLES = 20  # evaluations of each kind, which are averaged; each one is a step of the progress
SAMPLE_TIMEOUT_SECONDS = 60
MAX_QUEUED_ANALYSES = 10


class Analysis(Future[None]):
    """The outcomes of the legal moves, in the order of the view, averaged over the samples computed so far."""

    def __init__(self, view: View, position: State, played: Move | None = None) -> None:
        super().__init__()
        self.view, self.position, self.played = view, position, played
        self.closed_values: list[list[Outcome]] = []  # with what the seat to move knew
        self.open_values: list[list[Outcome]] = []  # with all hands open
        self.explanation: AttemptFacts | None = None

    @property
    def progress(self) -> float:
        """The completed fraction, from 0 to 1."""
        return (len(self.closed_values) + len(self.open_values)) / (2 * SAMPLES)

    @property
    def is_complete(self) -> bool:
        return len(self.open_values) == SAMPLES

    def values(self) -> list[tuple[Outcome, Outcome]]:
        """Return the outcome of every move with what its seat knew, and with all hands open."""
        return list(zip(_means(self.closed_values), _means(self.open_values), strict=True))

    def evaluation(self) -> Evaluation:
        """Return the progress and result without the position."""
        values = tuple(self.values()) if self.is_complete else ()
        return Evaluation(self.progress, values, has_failed(self), self.explanation if values else None)


# The worker process of all reviews in this process.
review_workers = PerProcess(partial(Workers, 1))


class Analyses(Jobs[tuple[int | str, int], Analysis]):
    """The analyses by match or uploaded record and version, and the thread that computes them one by one."""

    def __init__(self) -> None:
        super().__init__("opinions", max_unfinished=1 + MAX_QUEUED_ANALYSES, max_cached=MAX_ANALYSES)
        self.queue: SimpleQueue[Analysis] = SimpleQueue()
        self.thread: threading.Thread | None = None

    def enqueue(self, view: View, position: State, played: Move | None) -> Analysis:
        analysis = Analysis(view, position, played)
        self.queue.put(analysis)
        if self.thread is None:
            self.thread = threading.Thread(target=self.process_queue, name="analyses", daemon=True)
            self.thread.start()
        return analysis

    def process_queue(self) -> None:
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
            for seed in range(SAMPLES):
                job = review_workers().submit(bots.evaluate_outcomes, analysis.view, position, seed)
                values.append(job.result(SAMPLE_TIMEOUT_SECONDS))
            if position is None:
                try:
                    analysis.explanation = self.explain(analysis)
                except Exception:
                    log.exception("analysis_not_explained")  # its figures are right without a sentence

    def explain(self, analysis: Analysis) -> AttemptFacts | None:
        """Compare the best move, as the seat could judge it, with the one played or with the next best."""
        view = analysis.view
        pair = moves_to_compare(view.legal, _means(analysis.closed_values), analysis.played)
        if pair is None or view.viewer is None:
            return None
        better, worse = map(view.rules.move_text, pair)
        job = review_workers().submit(explain_moves, analysis.position, view.viewer, *pair, f"{better} {worse}")
        facts = job.result(SAMPLE_TIMEOUT_SECONDS)
        return AttemptFacts(facts, better, worse, is_better_attempted=analysis.played == pair[0])


_analyses = PerProcess(Analyses)


def find_analysis(key: int | str, step: Step) -> Analysis | None:
    """Return the analysis of the position after a step, if it has been requested."""
    return _analyses().find_job((key, step.version))


def request_analysis(
    key: int | str,
    step: Step,
    position: State,
    *,
    played: Move | None = None,
    address: str = "",
    account: int | None = None,
) -> None:
    """Begin the analysis of the position after a step of an uploaded record or of a match, which must be over.

    ``played`` is the move that was made in it.
    Raises Refused ``no_choice``, or ``too_fast`` if the queue is full, and LimitExceeded for a client over its limit.
    """
    view = view_to_analyse(position)
    if view is None:
        raise Refused("no_choice")
    analyses = _analyses()
    enqueue = partial(analyses.enqueue, view, position, played)
    analyses.get_or_start((key, step.version), enqueue, address=address, account=account)


def view_to_analyse(position: State) -> View | None:
    """Return the view of the seat to move if it has a choice that a bot can evaluate."""
    if position.round.to_move is None or not bots.has_bot_for_variant(position.setup.variant):
        return None
    view = view_for(rules_for(position.setup.variant), position, position.round.to_move)
    return view if len(view.legal) > 1 else None


def _means(rows: Sequence[Sequence[Outcome]]) -> list[Outcome]:
    return list(map(mean_outcome, zip(*rows, strict=True)))
