"""The levels of bots.

Weak levels do not move at random. Like weak players, they overlook moves and look less far ahead: they consider only a
part of the legal moves and make fewer playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Level:
    """``playout_factor`` multiplies the number of playouts; ``overlooked_share`` of the moves are not considered."""

    playout_factor: float
    overlooked_share: float = 0.0

    def drop_overlooked(self, moves: Sequence[int], random: Random) -> Sequence[int]:
        """Return the moves that the player considers, at least one."""
        if not self.overlooked_share:
            return moves
        return [move for move in moves if random.random() >= self.overlooked_share] or [random.choice(moves)]


# From the weakest to the strongest. A seat stores the name.
LEVELS = {
    "beginner": Level(playout_factor=0.25, overlooked_share=0.7),
    "casual": Level(playout_factor=0.25, overlooked_share=0.53),
    "steady": Level(playout_factor=0.5, overlooked_share=0.36),
    "strong": Level(playout_factor=1, overlooked_share=0.2),
    "master": Level(playout_factor=2.5),
}
