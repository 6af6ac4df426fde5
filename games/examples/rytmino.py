"""The worked examples of Rytmino."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.engine.layout.rhythm import VALUES, number_bit, numbers_fitting_between
from games.engine.state import MoveMade
from games.engine.variants.rytmino import RULES
from games.examples.placements import PlacementExample, layout_after, try_placement
from games.examples.positions import ScoreColumn, position_at_end, score_table

START_PAIR = "H(0,0)=2-4 H(0,1)=3-1"
THREE_LINES = "H(0,0)=1-5 H(0,1)=1-4 V(-1,0)=2-4 H(0,2)=1-2 V(-2,0)=3-1"
JOINED_LINES = f"{START_PAIR} H(0,2)=4-3 V(2,1)=5-1 V(-1,0)=5-2 V(-1,2)=1-3 H(1,3)=5-4"
STACKED_TILES = f"{START_PAIR} V(2,0)=5-2 H(0,2)=5-3"


@dataclass(frozen=True, slots=True)
class RhythmExample:
    """A line as beads on a string, with the numbers that may come before and after it."""

    numbers: tuple[int, ...]
    numbers_before: tuple[int, ...]
    numbers_after: tuple[int, ...]


def rhythm_example(text: str) -> RhythmExample:
    numbers = tuple(map(int, text.split("-")))
    before, after = numbers_fitting_between((), numbers), numbers_fitting_between(numbers, ())
    return RhythmExample(numbers, numbers_of_bits(before), numbers_of_bits(after))


def numbers_of_bits(bits: int) -> tuple[int, ...]:
    return tuple(number for number in VALUES if bits & number_bit(number))


def try_placement_after(before: str, placement: str) -> PlacementExample:
    return try_placement(RULES, layout_after(RULES, before), placement)


def leftover_columns(*hands: str) -> tuple[ScoreColumn, ...]:
    """Return the score table of these hands after the first player went out and everybody had a turn."""
    state = position_at_end(RULES, ("", *hands), (0,) * (1 + len(hands)), options={"leftover": "sackson"})
    return score_table(RULES, replace(state, round=replace(state.round, moves=(MoveMade(1, "play"),))), 0)[1:]


EXAMPLES: Mapping[str, Any] = {
    "start": layout_after(RULES, START_PAIR),
    "endless": (rhythm_example("2-4-3-2-4-3-2"),),
    "open": tuple(map(rhythm_example, ("2-4", "2-4-3", "4-2-1-3"))),
    "fixed": tuple(map(rhythm_example, ("5-2-3-5", "5-5", "4-2-1-3-5"))),
    "broken": tuple(map(rhythm_example, ("2-4-3-4", "2-4-3-3", "5-5-4"))),
    "dead": layout_after(RULES, "H(0,0)=4-2 H(0,1)=1-2 V(2,0)=3-5 H(1,2)=2-4 V(3,1)=3-3"),
    "wrong": try_placement_after(START_PAIR, "V(2,0)=4-2"),
    "one_line": try_placement_after(START_PAIR, "H(2,0)=5-1"),
    "two_lines": try_placement_after(START_PAIR, "V(2,0)=5-2"),
    "double": try_placement_after(START_PAIR, "V(2,0)=5-5"),
    "three_lines": try_placement_after(THREE_LINES, "H(-2,2)=4-3"),
    "joined": try_placement_after(JOINED_LINES, "V(0,3)=2-3"),
    "stacked": try_placement_after(STACKED_TILES, "H(0,3)=1-2"),
    "left_in_hand": leftover_columns("4-2 5-5", "3-1"),
}
