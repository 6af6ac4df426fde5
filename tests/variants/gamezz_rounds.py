"""Whole rounds of Classic goat, dealt and played to the positions and points that worked examples need.

Each was found by playing at random until its end fitted; what it is worth is worked out in the tests, by hand.
"""

from __future__ import annotations

from tests.variants.kozel_rounds import Round

G07 = Round(
    hands=(
        "3-1 3-0 2-1 6-2 5-0 2-2 5-2",
        "6-6 4-3 3-3 6-1 6-4 5-4 6-5",
    ),
    boneyard="0-0 4-1 4-0 2-0 4-4 1-0 5-1 5-3 3-2 1-1 5-5 6-3 4-2 6-0",
    moves="6-6, 6-2 right, 6-1 left, 2-1 right, draw, draw, 4-1 right, 3-1 left, 4-3 right, 3-0 left, 3-3 right, "
    "5-0 left, 6-5 left, draw, draw, draw, draw, draw, draw, 5-3 right, 5-4 right, 4-0 right, 6-4 left, 1-0 "
    "right, draw, draw, 1-1 right, 4-4 left",
    left=("2-2 5-2 2-0 5-1", "0-0 3-2"),
)
"""Up to the position of G-07, its ends 4 and 1, seat 1 to move."""

G09 = Round(
    hands=(
        "4-2 5-3 4-0 6-5 6-0 3-0 4-3",
        "5-5 6-4 2-0 5-0 5-1 5-2 1-0",
    ),
    boneyard="2-1 6-1 0-0 3-3 6-2 5-4 4-4 2-2 6-3 4-1 1-1 6-6 3-1 3-2",
    moves="5-5, 6-5 right, 5-0 left, 3-0 left, 6-4 right, 4-0 right, 1-0 right, 4-3 left, 5-1 right, 4-2 left, "
    "5-2 left, 5-3 right, draw, draw, draw, draw, 3-3 right, draw, draw, 5-4 left, draw, 4-4 left, draw, "
    "draw, 6-3 right, 6-1 right, draw, 4-1 left, 2-1 right, 2-2 right, 2-0 right, 6-0 right, draw, 1-1 "
    "left, 6-2 right",
    left=("", "0-0"),
)

G15 = Round(
    hands=(
        "2-2 4-2 6-2 3-2 3-3 5-3 4-0",
        "5-4 6-1 5-5 1-0 4-3 5-2 6-4",
        "6-5 2-0 5-1 3-0 1-1 6-6 2-1",
        "0-0 6-0 4-4 4-1 3-1 5-0 6-3",
    ),
    moves="0-0, 4-0 right, 4-3 right, 2-0 left, 6-3 right, 3-2 left, 6-4 right, 3-0 left, 5-0 left, 5-3 left, "
    "5-4 right, 5-1 right, 3-1 left, pass, 1-0 right, 2-1 left, 6-0 right, 6-2 right, 5-2 left, 6-5 left, "
    "pass, 2-2 right, 6-1 left, 1-1 left, 4-1 left, 4-2 right, pass, pass, 4-4 left",
    left=("3-3", "5-5", "6-6", ""),
)

BLOCKED = Round(
    hands=(
        "6-4 5-2 3-0 6-2 5-5 5-3 4-0",
        "2-2 2-0 6-5 6-3 1-0 3-1 3-2",
        "0-0 2-1 4-4 5-4 1-1 6-0 5-1",
        "5-0 4-3 3-3 4-1 4-2 6-1 6-6",
    ),
    moves="0-0, 5-0 left, 5-3 left, 6-3 left, 6-0 left, pass, 3-0 left, 2-0 right, 2-1 right, 3-3 left, pass, "
    "3-2 left, 1-1 right, 4-2 left, 6-4 left, 6-5 left, 5-1 right, pass, 5-5 right, pass, 5-4 right, 4-3 "
    "right, 5-2 left, 3-1 right, pass, 6-1 right, 6-2 left, pass, pass, 6-6 right",
    left=("4-0", "2-2 1-0", "4-4", "4-1"),
)
"""6-2 is the sixth non-double with a 6; 6-6, the seventh tile, closes the line."""

BLOCKED_WITH_A_BONEYARD = Round(
    hands=(
        "5-1 4-3 5-0 0-0 5-2 5-4 3-0",
        "5-3 4-4 3-3 6-2 3-1 4-0 1-0",
        "4-2 6-1 2-0 2-1 6-5 6-3 6-0",
    ),
    boneyard="1-1 6-6 3-2 4-1 6-4 2-2 5-5",
    moves="0-0, 4-0 right, 4-2 right, 3-0 left, 5-3 left, 2-0 right, 5-0 left, 1-0 right, 6-1 right, draw, draw, "
    "6-6 right, 6-2 right, 6-0 left, 5-2 right, draw, draw, draw, 6-4 left, 6-5 right, 4-3 left, 3-3 left, "
    "6-3 left",
    left=("5-1 5-4 1-1", "4-4 3-1 3-2 4-1", "2-1"),
)
