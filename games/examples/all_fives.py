"""The worked examples of All Fives: tables laid tile by tile, counted and scored by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.events import Points
from games.engine.layout.spinner import SpinnerLine
from games.engine.moves import Play
from games.engine.state import Round, State
from games.engine.tiles import Tile
from games.engine.variants.all_fives import RULES
from games.examples.positions import position, table

CROSS = ("6-6", "6-3 left", "6-1 right", "6-4 up", "6-2 down")
LATER_DOUBLE = ("5-5", "5-3 left", "3-3 left", "3-0 left")
CLOSED = ("4-1", "4-2 left", "2-1 right", "2-2 right", "6-2 right", "6-0 right", "2-0 right", "3-2 right", "5-3 right")
CLOSING = "5-2 right"
COLLECTS = {"hand_end": "winner_collects"}


@dataclass(frozen=True, slots=True)
class Counted:
    """A tile, where it was laid, and what the count then scores; the term is the count as a sum."""

    tiles: tuple[Tile]
    place: str
    points: Points


def laid(moves: Sequence[str]) -> SpinnerLine:
    """Lay tiles one after the other."""
    layout = RULES.layout
    for move in moves:
        layout = layout.place(*placement(move))
    return layout


def placement(move: str) -> tuple[Tile, str]:
    """Read ``6-3 left``. Raises ``ValueError``."""
    found = RULES.layout.read(move)
    if found is None:
        raise ValueError(move)
    return found


def counts(moves: Sequence[str]) -> tuple[Counted, ...]:
    """Return the count after each of these tiles."""
    rows = []
    for number, move in enumerate(moves):
        tile, place = placement(move)
        rows.append(Counted((tile,), place, RULES.play_points(Round(laid(moves[:number])), Play(tile, place))))
    return tuple(rows)


def ended(hands: Sequence[str], before: Sequence[int], *, laid_out: Sequence[str] = (), **options: str) -> State:
    return position(RULES, hands, before, options=options, layout=laid(laid_out))


EXAMPLES: Mapping[str, Any] = {
    "closed_ends": laid(CROSS[:2]),
    "open_ends": laid(CROSS[:3]),
    "cross": laid(CROSS),
    "cross_counts": counts(CROSS),
    "later_double": laid(LATER_DOUBLE),
    "later_double_counts": counts(LATER_DOUBLE),
    "leads": tuple(counts((lead,))[0] for lead in ("5-5", "6-4", "5-0", "5-4", "6-6")),
    "blocked": laid((*CLOSED, CLOSING)),
    "out": table(RULES, ended(("", "6-5 1-1"), (45, 30)), 0),
    "collected": table(RULES, ended(("", "6-5 1-1"), (45, 30), **COLLECTS), 0),
    "block": table(RULES, ended(("0-0 1-0", "6-4 1-1", "6-5"), (60, 85, 40), laid_out=(*CLOSED, CLOSING)), 1),
    "block_collected": table(
        RULES, ended(("0-0 1-0", "6-4 1-1", "6-5"), (60, 85, 40), laid_out=(*CLOSED, CLOSING), **COLLECTS), 1
    ),
    "partners": table(RULES, ended(("", "5-4 4-4", "6-1", "2-1"), (60, 75), partners="yes"), 0),
}
"""Everything by the name the page uses; all of it is checked against the rule file by a test."""
