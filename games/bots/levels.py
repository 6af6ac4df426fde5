"""The strength of a player.

Weak levels do not move at random. Like people they overlook moves and think less far, so they consider only a part of
the legal moves and make fewer playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Level:
    """``thought`` is a factor of the player's number of playouts, ``overlooks`` the share of moves not considered."""

    thought: float
    overlooks: float = 0.0

    def notice(self, moves: Sequence[int], random: Random) -> Sequence[int]:
        """Return the moves that the player considers, at least one."""
        if not self.overlooks:
            return moves
        return [move for move in moves if random.random() >= self.overlooks] or [random.choice(moves)]


# From the weakest to the strongest. A seat stores the name.
LEVELS = {
    "beginner": Level(thought=0.25, overlooks=0.7),
    "casual": Level(thought=0.25, overlooks=0.53),
    "steady": Level(thought=0.5, overlooks=0.36),
    "strong": Level(thought=1, overlooks=0.2),
    "master": Level(thought=2.5),
}
