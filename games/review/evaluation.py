"""The progress and result of an analysis, as plain values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``progress`` goes from 0 to 1; ``values`` are empty until it is complete.

    They are a pair for each legal move, in the order of the view: its value with what the seat knew, and with all
    hands open.
    """

    progress: float
    values: tuple[tuple[float, float], ...] = ()
    failed: bool = False

    @property
    def done(self) -> bool:
        return bool(self.values)
