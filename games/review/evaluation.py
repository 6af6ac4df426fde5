"""The progress and result of an analysis, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``progress`` goes from 0 to 1; ``values`` are empty until the analysis is complete.

    They are pairs in the order of the legal moves of the view: the outcome with what the seat knew, and with all hands
    open.
    """

    progress: float
    values: tuple[tuple[Outcome, Outcome], ...] = ()
    has_failed: bool = False

    @property
    def is_done(self) -> bool:
        return bool(self.values)
