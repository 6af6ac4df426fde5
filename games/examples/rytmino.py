"""The worked examples of Rytmino."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.engine.layout.rhythm import VALUES, number_bit, numbers_between
from games.engine.state import MoveMade
from games.engine.variants.rytmino import RULES
from games.examples.placements import Placement, laid, try_placement
from games.examples.positions import Column, position, table

PAIR = "H(0,0)=2-4 H(0,1)=3-1"
THREE_LINES = "H(0,0)=1-5 H(0,1)=1-4 V(-1,0)=2-4 H(0,2)=1-2 V(-2,0)=3-1"
JOINED = f"{PAIR} H(0,2)=4-3 V(2,1)=5-1 V(-1,0)=5-2 V(-1,2)=1-3 H(1,3)=5-4"
STACK = f"{PAIR} V(2,0)=5-2 H(0,2)=5-3"


@dataclass(frozen=True, slots=True)
class Beads:
    """A line as beads on a string, with the numbers that may come before and after it."""

    numbers: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


def beads(text: str) -> Beads:
    numbers = tuple(map(int, text.split("-")))
    return Beads(numbers, numbers_in(numbers_between((), numbers)), numbers_in(numbers_between(numbers, ())))


def numbers_in(bits: int) -> tuple[int, ...]:
    return tuple(number for number in VALUES if bits & number_bit(number))


def place(before: str, placement: str) -> Placement:
    return try_placement(RULES, laid(RULES, before), placement)


def left_in_hand(*hands: str) -> tuple[Column, ...]:
    """Return the score table of these hands after the first player went out and everybody had a turn."""
    state = position(RULES, ("", *hands), (0,) * (1 + len(hands)), options={"leftover": "sackson"})
    return table(RULES, replace(state, round=replace(state.round, moves=(MoveMade(1, "play"),))), 0)[1:]


EXAMPLES: Mapping[str, Any] = {
    "start": laid(RULES, PAIR),
    "endless": (beads("2-4-3-2-4-3-2"),),
    "open": tuple(map(beads, ("2-4", "2-4-3", "4-2-1-3"))),
    "fixed": tuple(map(beads, ("5-2-3-5", "5-5", "4-2-1-3-5"))),
    "broken": tuple(map(beads, ("2-4-3-4", "2-4-3-3", "5-5-4"))),
    "dead": laid(RULES, "H(0,0)=4-2 H(0,1)=1-2 V(2,0)=3-5 H(1,2)=2-4 V(3,1)=3-3"),
    "wrong": place(PAIR, "V(2,0)=4-2"),
    "one_line": place(PAIR, "H(2,0)=5-1"),
    "two_lines": place(PAIR, "V(2,0)=5-2"),
    "double": place(PAIR, "V(2,0)=5-5"),
    "three_lines": place(THREE_LINES, "H(-2,2)=4-3"),
    "joined": place(JOINED, "V(0,3)=2-3"),
    "stacked": place(STACK, "H(0,3)=1-2"),
    "left_in_hand": left_in_hand("4-2 5-5", "3-1"),
}
