"""The worked examples of All Fives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.events import Points
from games.engine.layout.spinner import SpinnerLine
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
    """A tile, its place, and its points, whose term is the count as a sum."""

    tiles: tuple[Tile]
    place: str
    points: Points


def laid(moves: Sequence[str]) -> SpinnerLine:
    layout = RULES.layout
    for move in moves:
        play = RULES.read_play(move)
        layout = layout.place(play.tile, play.place)
    return layout


def counts(moves: Sequence[str]) -> tuple[Counted, ...]:
    """Return the count after every tile."""
    plays = [RULES.read_play(move) for move in moves]
    before = [Round(laid(moves[:number])) for number in range(len(moves))]
    rows = zip(plays, before, strict=True)
    return tuple(Counted((play.tile,), play.place, RULES.play_points(round_, play)) for play, round_ in rows)


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
