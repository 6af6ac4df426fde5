"""What the bot thinks of the moves of a match that is over: asked for by a reader, worked out behind the pages.

A process keeps its own opinions. The same question has the same answer in every process, so where several serve the
site each works out what it is asked for, and nothing has to be shared.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from queue import Full, Queue
from statistics import fmean

import structlog

from games import bots
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.errors import Refused
from games.review import steps
from games.review.evaluation import Evaluation
from games.review.past import Step
from games.workers.pool import thinkers
from infrastructure.limits import limits

log = structlog.get_logger()
PARTS = 20
"""Into so many parts each of the two questions is cut, so that there is progress to show."""
PART_SECONDS = 60
WAITING = 10
KEPT = 500
Values = Sequence[Sequence[float]]


@dataclass(slots=True)
class Opinion:
    """The values of the legal moves, in the order of the view: what every part found, as far as it is worked out.

    ``give_back`` frees the place of whoever asked.
    """

    view: View
    position: State
    known: list[list[float]] = field(default_factory=list)
    opened: list[list[float]] = field(default_factory=list)
    failed: bool = False
    give_back: Callable[[], object] = field(default=lambda: None)

    @property
    def progress(self) -> float:
        """Return how much of it is worked out, from 0 to 1."""
        return (len(self.known) + len(self.opened)) / (2 * PARTS)

    @property
    def done(self) -> bool:
        return len(self.opened) == PARTS

    def values(self) -> list[tuple[float, float]]:
        """Return what each move is worth with what its seat knew, and with all hands open."""
        return list(zip(_means(self.known), _means(self.opened), strict=True))

    def evaluation(self) -> Evaluation:
        """Return what may be shown of it: neither the position nor who asked."""
        return Evaluation(self.progress, tuple(self.values()) if self.done else (), failed=self.failed)


_opinions: OrderedDict[tuple[int, int], Opinion] = OrderedDict()
_waiting: Queue[Opinion] = Queue(maxsize=WAITING)
_lock = threading.Lock()
_threads: list[threading.Thread] = []


def decision(match_id: int, step: Step) -> View | None:
    """Return what the seat to move sees after a step if it has a choice that a bot can weigh."""
    return _choice(steps.state_at(match_id, step))


def known(match_id: int, step: Step) -> Opinion | None:
    """Return the opinion about what follows a step, if somebody asked for it."""
    return _opinions.get((match_id, step.version))


def ask(match_id: int, step: Step, *, address: str = "", account: int | None = None) -> None:
    """Begin to work out an opinion for whoever asks. The match must be over.

    Raises Refused ``no_choice``, or ``too_fast`` (all places are taken), and TooFast for those who ask too much.
    """
    position = steps.state_at(match_id, step)
    view = _choice(position)
    if view is None:
        raise Refused("no_choice")
    with _lock:
        found = _opinions.get((match_id, step.version))
        if found is not None and not found.failed:
            return
        limits.require("opinions", address=address, account=account)
        opinion = Opinion(view, position)
        opinion.give_back = limits.hold("opinions", address=address, account=account)
        try:
            _waiting.put_nowait(opinion)
        except Full:
            opinion.give_back()
            raise Refused("too_fast") from None
        _opinions[match_id, step.version] = opinion
        while len(_opinions) > KEPT:
            _opinions.popitem(last=False)
        if not _threads:
            _threads.append(threading.Thread(target=_work, name="opinions", daemon=True))
            _threads[0].start()


def forget() -> None:
    """Empty the memory (another database took the place of this one)."""
    _opinions.clear()


def _choice(position: State) -> View | None:
    if position.to_move is None or not bots.plays(position.variant):
        return None
    view = view_for(rules_for(position.variant), position, position.to_move)
    return view if len(view.legal) > 1 else None


def _work() -> None:
    pool: ProcessPoolExecutor | None = None
    while True:
        opinion = _waiting.get()
        try:
            pool = pool or thinkers(1)
            _weigh(opinion, pool)
        except Exception:
            log.exception("opinion_failed")
            opinion.failed, pool = True, None
        finally:
            opinion.give_back()


def _weigh(opinion: Opinion, pool: ProcessPoolExecutor) -> None:
    for found, position in ((opinion.known, None), (opinion.opened, opinion.position)):
        for part in range(PARTS):
            found.append(pool.submit(bots.weigh, opinion.view, position, part).result(PART_SECONDS))


def _means(parts: Values) -> list[float]:
    return [fmean(column) for column in zip(*parts, strict=True)]
