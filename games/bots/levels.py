"""How strong a player is: how much it thinks, and how often it errs like a person.

A beginner does not move at random. People lose because they do not see that a tile fits and do not think about what
comes after it, so a weaker level does not notice some of its moves and plays fewer games on in its mind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Level:
    """``thought`` is how many playouts it makes, in those of the player; ``overlooks`` the share of moves not seen."""

    thought: float
    overlooks: float = 0.0

    def noticed(self, moves: Sequence[int], random: Random) -> Sequence[int]:
        """Return the moves that the player is aware of, one at least."""
        if not self.overlooks:
            return moves
        return [move for move in moves if random.random() >= self.overlooks] or [random.choice(moves)]


LEVELS = {
    "beginner": Level(thought=0.25, overlooks=0.7),
    "casual": Level(thought=0.25, overlooks=0.53),
    "steady": Level(thought=0.5, overlooks=0.36),
    "strong": Level(thought=1, overlooks=0.2),
    "master": Level(thought=2.5),
}
"""From the weakest to the strongest, by the name that a seat keeps."""
