"""How far the bot is with a choice, and what it found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``progress`` goes from 0 to 1; ``values`` are empty until all is worked out.

    They are one pair for each legal move, in the order of the view: what it is worth with what its seat knew, and
    with all hands open.
    """

    progress: float
    values: tuple[tuple[float, float], ...] = ()
    failed: bool = False

    @property
    def done(self) -> bool:
        return bool(self.values)
