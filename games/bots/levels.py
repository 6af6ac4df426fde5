"""The levels of bots.

Weak levels do not move at random. Like weak players, they overlook moves and look less far ahead: they consider only a
part of the legal moves and make fewer playouts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from games.engine.moves import Move, Play

RATINGS_FILE = Path(__file__).parent / "level_ratings.json"


@dataclass(frozen=True, slots=True)
class Level:
    """``playout_factor`` multiplies the number of playouts; ``overlooked_share`` of the moves are not considered.

    ``random_share`` of the choices are made at random. No bot at a table plays so: it shows whether a move is good
    even if later ones are careless.
    """

    playout_factor: float
    overlooked_share: float = 0.0
    random_share: float = 0.0

    def drop_overlooked(self, moves: Sequence[int], random: Random) -> Sequence[int]:
        """Return the moves that the player considers, at least one."""
        if not self.overlooked_share:
            return moves
        return [move for move in moves if random.random() >= self.overlooked_share] or [random.choice(moves)]

    def random_move(self, legal: Sequence[Move], random: Random) -> Move | None:
        """Return a random move in ``random_share`` of the calls. It draws or passes only if no tile can be played."""
        if not self.random_share or random.random() >= self.random_share:
            return None
        return random.choice([move for move in legal if isinstance(move, Play)] or legal)


# From the weakest to the strongest. A seat stores the name.
LEVELS = {
    "beginner": Level(playout_factor=0.25, overlooked_share=0.7),
    "casual": Level(playout_factor=0.25, overlooked_share=0.53),
    "steady": Level(playout_factor=0.5, overlooked_share=0.36),
    "strong": Level(playout_factor=1, overlooked_share=0.2),
    "master": Level(playout_factor=2.5),
}


@cache
def level_ratings(variant: str) -> dict[str, float]:
    """Return the ratings of the levels in quick duels, as measured with ``games.engine.bench --levels``."""
    ratings: dict[str, float] = json.loads(RATINGS_FILE.read_text())[variant]
    return ratings
