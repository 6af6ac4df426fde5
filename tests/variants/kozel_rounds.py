"""Whole rounds of Kozel, dealt and played to the points that worked examples need.

Each was found by playing at random until its end fitted; what it is worth is worked out in the tests, by hand.
``leader`` stands where the round must not be the first, because the tile led is not the one of the list.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Round:
    """A deal and the moves to its end. The tiles left in the hands then are in ``left``."""

    hands: tuple[str, ...]
    moves: str
    left: tuple[str, ...] = ()
    boneyard: str = ""
    leader: int | None = None


MASHA_OUT = Round(
    hands=(
        "2-0 6-4 3-1 1-0 6-0 4-1 5-4",
        "6-1 4-3 5-5 3-0 5-0 2-1 5-2",
        "6-2 6-6 4-0 4-2 3-3 2-2 6-3",
        "6-5 4-4 3-2 1-1 5-1 0-0 5-3",
    ),
    moves="1-1, 3-1 right, 3-0 right, 4-0 right, 5-1 left, 5-4 left, 4-3 left, 3-3 left, 5-3 left, 6-4 right, "
    "5-2 left, 6-2 left, 6-5 left, 6-0 right, 5-5 left, pass, 0-0 right, 2-0 right, 5-0 left, 4-2 right, "
    "4-4 right, 4-1 right, 6-1 right, 6-6 right, pass, 1-0 left",
    left=("", "2-1", "2-2 6-3", "3-2"),
)

SERG_OUT = Round(
    hands=(
        "4-1 6-5 4-0 3-0 3-3 0-0 4-3",
        "2-1 4-2 5-3 6-1 2-2 3-2 6-3",
        "5-1 4-4 3-1 6-0 5-2 5-0 1-1",
        "5-5 1-0 6-4 6-2 5-4 2-0 6-6",
    ),
    moves="1-1, 1-0 right, 4-0 right, 2-1 left, 5-2 left, 5-4 right, 6-5 right, 6-3 right, 5-0 left, 2-0 left, "
    "3-0 right, 4-2 left, 4-4 left, 6-4 left, 0-0 right, 6-1 left, 5-1 left, 5-5 left, pass, 5-3 left, "
    "6-0 right, 6-6 right, 4-3 left, pass, pass, 6-2 right",
    left=("4-1 3-3", "2-2 3-2", "3-1", ""),
)

FISH = Round(
    hands=(
        "5-3 6-3 6-1 4-4 3-0 4-1 5-0",
        "3-1 6-5 5-4 2-1 2-2 5-1 6-0",
        "5-2 6-4 2-0 3-2 3-3 1-1 4-3",
        "6-2 6-6 0-0 4-2 5-5 4-0 1-0",
    ),
    moves="1-1, 1-0 left, 4-1 right, 6-0 left, 4-3 right, 6-2 left, 3-0 right, 2-2 left, 3-2 left, 0-0 right, "
    "5-3 left, 5-1 left, 2-0 right, 4-2 right, 4-4 right, 3-1 left, 6-4 right, 6-6 right, 6-3 left, 6-5 "
    "left, 5-2 left, pass, 6-1 right, 2-1 right",
    left=("5-0", "5-4", "3-3", "5-5 4-0"),
)

DRAWN_FISH = Round(
    hands=(
        "2-2 2-1 1-1 2-0 4-1 5-3 4-3",
        "3-3 4-2 6-3 6-0 5-1 0-0 1-0",
        "3-1 5-0 4-4 5-4 3-2 6-5 4-0",
        "6-4 5-2 6-1 5-5 6-2 6-6 3-0",
    ),
    moves="1-1, 5-1 right, 3-1 left, 5-2 right, 2-1 right, 3-3 left, 3-2 left, 6-2 left, 4-1 right, 6-0 left, "
    "4-0 left, 6-4 right, 4-3 left, 6-3 left, 6-5 left, 6-6 right, 5-3 left, pass, pass, 6-1 right, pass, "
    "1-0 right, 5-0 right, 3-0 left, 2-0 left, 4-2 left, 5-4 left",
    left=("2-2", "0-0", "4-4", "5-5"),
)

K06 = Round(
    hands=(
        "2-1 2-0 1-0 5-0 1-1 3-0 4-0",
        "2-2 3-2 0-0 3-1 3-3 5-1 4-3",
        "4-2 6-2 5-3 5-4 4-4 6-1 6-3",
        "4-1 6-0 5-2 6-6 6-5 6-4 5-5",
    ),
    moves="4-2, 4-1 left, 1-2 left, 2-2 left, 2-6 left, 6-0 left, 0-2 left, 2-3 left, 3-5 left, 5-2 left",
    left=("1-0 5-0 1-1 3-0 4-0", "0-0 3-1 3-3 5-1 4-3", "5-4 4-4 6-1 6-3", "6-6 6-5 6-4 5-5"),
    leader=2,
)
"""The line of K-06, from right to left: 4-2 is led with its higher half to the left."""

K07_IN_A_HAND = Round(
    hands=(
        "4-1 2-0 1-0 5-0 2-2 3-0 4-0",
        "2-1 3-2 0-0 3-1 3-3 5-1 4-3",
        "6-2 5-3 5-4 4-4 6-1 6-3 1-1",
        "4-2 6-0 5-2 6-6 6-5 6-4 5-5",
    ),
    moves="4-2, 4-1 left, 1-2 left, 2-6 left, 6-0 left, 0-2 left, 2-3 left, 3-5 left, 5-2 left",
    left=("1-0 5-0 2-2 3-0 4-0", "0-0 3-1 3-3 5-1 4-3", "5-4 4-4 6-1 6-3 1-1", "6-6 6-5 6-4 5-5"),
    leader=3,
)

K07_IN_THE_BAZAAR = Round(
    hands=(
        "4-2 6-2 3-2 1-0 5-0 1-1 3-0",
        "4-1 6-0 5-3 0-0 3-1 3-3 5-1",
        "2-1 2-0 5-2 6-6 6-5 6-4 5-5",
    ),
    boneyard="2-2 4-0 4-3 5-4 4-4 6-1 6-3",
    moves="4-2, 4-1 left, 1-2 left, 2-6 left, 6-0 left, 0-2 left, 2-3 left, 3-5 left, 5-2 left",
    left=("1-0 5-0 1-1 3-0", "0-0 3-1 3-3 5-1", "6-6 6-5 6-4 5-5"),
    leader=0,
)

LAST_TILE_CLOSES = Round(
    hands=(
        "2-2 6-2 1-0 1-1 5-4 5-2 4-2",
        "6-4 3-1 4-1 3-2 4-4 4-3 6-3",
        "0-0 4-0 5-0 6-5 6-6 2-0 5-1",
        "3-3 2-1 5-5 6-1 5-3 6-0 3-0",
    ),
    moves="1-1, 3-1 right, 5-1 left, 5-3 right, 5-2 left, 3-2 left, 6-5 right, 6-1 right, 1-0 right, 6-3 left, "
    "5-0 right, 6-0 left, 5-4 right, 4-4 right, 2-0 left, 2-1 left, 4-2 right, 4-1 left, 4-0 left, 3-0 "
    "left, 6-2 right, 4-3 left, 6-6 right, pass, pass, 6-4 right",
    left=("2-2", "", "0-0", "3-3 5-5"),
)

LEFT_12 = Round(
    hands=(
        "3-1 3-0 4-2 6-6 5-2 5-4 1-1",
        "3-3 5-0 5-1 2-0 4-0 0-0 4-4",
    ),
    boneyard="1-0 3-2 4-1 6-3 2-1 6-4 6-5 2-2 6-1 6-2 4-3 6-0 5-3 5-5",
    moves="1-1, 5-1 right, 3-1 left, 5-0 right, 3-0 right, 3-3 left, draw, draw, 3-2 left, 2-0 left, 1-0 left, "
    "draw, 4-1 left, 5-4 left, draw, 6-3 right, 5-2 left, draw, 2-1 left, 6-6 right, draw, 6-4 right, 4-2 "
    "right",
    left=("", "4-0 0-0 4-4"),
)

LEFT_13 = Round(
    hands=(
        "6-3 4-4 6-0 4-3 4-1 6-2 1-1",
        "4-2 2-2 5-1 6-6 5-4 6-5 4-0",
    ),
    boneyard="1-0 0-0 3-0 3-3 2-0 5-3 5-5 3-2 6-4 3-1 5-2 2-1 5-0 6-1",
    moves="1-1, 5-1 right, 4-1 left, 6-5 right, 6-2 right, 4-0 left, 6-0 left, 2-2 right, 6-3 left, 4-2 right, "
    "4-3 right, draw, draw, draw, 3-0 right, draw, 3-3 left, 0-0 right, draw, 2-0 right, draw, 5-3 left, "
    "draw, 5-5 left, 5-4 left, 4-4 left",
    left=("", "6-6 1-0"),
)

LEFT_1 = Round(
    hands=(
        "4-0 6-3 3-0 6-0 3-2 6-2 5-4",
        "3-3 6-4 2-2 4-2 6-1 1-0 4-1",
    ),
    boneyard="4-3 6-6 2-0 6-5 5-3 3-1 4-4 5-5 5-1 1-1 5-0 0-0 2-1 5-2",
    moves="2-2, 3-2 left, 4-2 right, 4-0 right, 3-3 left, 6-3 left, 6-4 left, 6-0 right, 4-1 left, 6-2 right, "
    "6-1 left, draw, draw, 6-6 left, draw, 2-0 right, 3-0 right, draw, 6-5 left, 5-4 left, draw, 5-3 "
    "right, 4-3 left",
    left=("", "1-0"),
)

SEAT_1_OUT = Round(
    hands=(
        "6-4 4-1 6-0 5-4 2-0 3-2 6-2",
        "5-3 4-4 6-3 3-0 1-0 4-2 1-1",
    ),
    boneyard="0-0 5-0 2-1 6-5 5-1 4-0 3-3 6-1 5-2 2-2 3-1 4-3 6-6 5-5",
    moves="1-1, 4-1 left, 4-2 left, 3-2 left, 5-3 left, 5-4 left, 4-4 left, 6-4 left, 6-3 left, draw, draw, "
    "draw, 2-1 right, 3-0 left, 5-0 left, draw, 6-5 left, 2-0 right, 1-0 right",
    left=("6-0 6-2 0-0", ""),
)

BLANK_WITH_1_0 = Round(
    hands=(
        "4-2 2-2 6-3 6-6 3-0 4-3 6-2",
        "2-1 6-4 3-2 6-0 3-3 4-0 6-1",
        "5-4 3-1 5-2 1-0 2-0 0-0 5-3",
        "5-1 5-5 4-1 4-4 6-5 1-1 5-0",
    ),
    moves="1-1, pass, 2-1 left, 3-1 right, pass, 6-3 right, 6-0 right, 5-2 left, 6-5 left, 6-2 left, 4-0 right, "
    "2-0 left, 4-4 right, 3-0 left, 3-3 left, 5-3 left, 5-1 left, 4-3 right, 6-1 left, pass, pass, 6-6 "
    "left, 6-4 left, 5-4 left, 5-5 left, pass, 3-2 right",
    left=("4-2 2-2", "", "1-0 0-0", "4-1 5-0"),
)

BLANK_WITH_6_6 = Round(
    hands=(
        "5-3 4-0 3-2 3-0 6-3 4-4 5-1",
        "2-0 1-0 3-1 2-1 6-1 4-1 6-2",
        "1-1 4-3 0-0 6-0 3-3 5-0 6-6",
        "2-2 5-4 4-2 6-5 6-4 5-2 5-5",
    ),
    moves="1-1, pass, 5-1 right, 3-1 left, 5-0 right, pass, 4-0 right, 4-1 right, 4-3 left, 4-2 left, 3-2 left, "
    "2-1 right, 3-3 left, 2-2 right, 6-3 left, 6-1 left, pass, 5-2 right, 5-3 right, 1-0 left, 6-0 left, "
    "6-4 left, 3-0 right, 2-0 right, pass, 5-4 left, pass, 6-2 right",
    left=("4-4", "", "0-0 6-6", "6-5 5-5"),
)

K21 = Round(
    hands=(
        "6-5 3-2 6-6 3-3 6-2 5-5 2-0",
        "3-0 4-1 5-0 5-1 5-4 4-2 4-4",
        "1-0 2-2 0-0 4-3 4-0 2-1 5-3",
    ),
    boneyard="6-1 3-1 5-2 6-4 6-0 6-3 1-1",
    moves="5-4, 5-3 left, 3-3 left, 4-4 right, 4-3 right, 3-2 left, 4-2 left, 4-0 left, 2-0 left, 3-0 right, "
    "0-0 right, 6-2 left, 5-0 right, draw, 6-1 left, 5-5 right, 5-1 right, 2-1 right, draw, 3-1 left, "
    "draw, 5-2 right",
    left=("6-5 6-6", "4-1", "1-0 2-2"),
    leader=1,
)
"""Up to the position of K-21, seat 2 to move."""
