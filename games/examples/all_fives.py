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
from games.examples.positions import position_at_end, score_table

CROSS_PLAYS = ("6-6", "6-3 left", "6-1 right", "6-4 up", "6-2 down")
LATER_DOUBLE_PLAYS = ("5-5", "5-3 left", "3-3 left", "3-0 left")
CLOSED_LINE_PLAYS = (
    *("4-1", "4-2 left", "2-1 right", "2-2 right", "6-2 right"),
    *("6-0 right", "2-0 right", "3-2 right", "5-3 right", "5-2 right"),
)
WINNER_COLLECTS = {"hand_end": "winner_collects"}


@dataclass(frozen=True, slots=True)
class CountedPlay:
    """A tile, its place, and its points, whose term is the count as a sum."""

    tiles: tuple[Tile]
    place: str
    points: Points


def layout_after(plays: Sequence[str]) -> SpinnerLine:
    layout = RULES.layout
    for text in plays:
        play = RULES.read_play(text)
        layout = layout.place(play.tile, play.place)
    return layout


def count_after_each_play(plays: Sequence[str]) -> tuple[CountedPlay, ...]:
    """Return the count after every tile."""
    counted = []
    for number, text in enumerate(plays):
        play, round_before = RULES.read_play(text), Round(layout_after(plays[:number]))
        counted.append(CountedPlay((play.tile,), play.place, RULES.play_points(round_before, play)))
    return tuple(counted)


def round_end(hands: Sequence[str], before: Sequence[int], *, plays: Sequence[str] = (), **options: str) -> State:
    return position_at_end(RULES, hands, before, options=options, layout=layout_after(plays))


EXAMPLES: Mapping[str, Any] = {
    "closed_ends": layout_after(CROSS_PLAYS[:2]),
    "open_ends": layout_after(CROSS_PLAYS[:3]),
    "cross": layout_after(CROSS_PLAYS),
    "cross_counts": count_after_each_play(CROSS_PLAYS),
    "later_double": layout_after(LATER_DOUBLE_PLAYS),
    "later_double_counts": count_after_each_play(LATER_DOUBLE_PLAYS),
    "leads": tuple(count_after_each_play((lead,))[0] for lead in ("5-5", "6-4", "5-0", "5-4", "6-6")),
    "blocked": layout_after(CLOSED_LINE_PLAYS),
    "out": score_table(RULES, round_end(("", "6-5 1-1"), (45, 30)), 0),
    "collected": score_table(RULES, round_end(("", "6-5 1-1"), (45, 30), **WINNER_COLLECTS), 0),
    "block": score_table(
        RULES,
        round_end(("0-0 1-0", "6-4 1-1", "6-5"), (60, 85, 40), plays=CLOSED_LINE_PLAYS),
        1,
    ),
    "block_collected": score_table(
        RULES,
        round_end(
            ("0-0 1-0", "6-4 1-1", "6-5"),
            (60, 85, 40),
            plays=CLOSED_LINE_PLAYS,
            **WINNER_COLLECTS,
        ),
        1,
    ),
    "partners": score_table(RULES, round_end(("", "5-4 4-4", "6-1", "2-1"), (60, 75), partners="yes"), 0),
}
