"""Whole hands of All Fives, dealt and played to the positions and points that worked examples need.

Each was found by playing at random until its end fitted; what it is worth is worked out in the tests, by hand.
In all of them seat 0 leads by lot.
"""

from __future__ import annotations

from tests.variants.kozel_rounds import Round

A15 = Round(
    hands=(
        "5-5 0-0 6-2 5-2 2-2 1-0 4-1 2-1 5-4",
        "6-6 6-5 4-3 3-1 3-0 5-0 1-1 4-0 6-3",
    ),
    boneyard="3-2 3-3 5-1 6-4 4-4 6-1 5-3 4-2 2-0 6-0",
    moves="2-2, draw, 3-2 right, 2-1 left, 4-3 right, 5-4 right, 3-1 left, 6-2 down, 6-6 down, 5-2 up, 5-0 up, "
    "0-0 up, 3-0 left, 1-0 up, 4-0 left, 5-5 right, 6-3 down, 4-1 left",
    left=("", "6-5 1-1"),
)

A20 = Round(
    hands=(
        "4-0 5-1 2-1 3-2 3-3",
        "4-4 6-5 6-0 5-3 2-2",
        "1-0 5-2 6-6 4-2 3-0",
        "4-3 6-1 6-2 4-1 6-3",
    ),
    boneyard="0-0 5-4 5-0 3-1 5-5 2-0 6-4 1-1",
    moves="4-0, 4-4 left, 3-0 right, 4-3 right, draw, draw, 5-4 right, 6-5 right, 4-2 left, 6-2 right, 2-1 right, "
    "2-2 left, 5-2 left, 4-1 right, 5-1 left, draw, draw, 3-1 left",
    left=("3-2 3-3 0-0", "6-0 5-3 5-0", "1-0 6-6", "6-1 6-3"),
)
"""Up to the position of A-20, its ends 3 and 4, both sides of the spinner 4-4 occupied, seat 2 to move."""

OUT = Round(
    hands=(
        "6-5 1-0 0-0 2-0 5-4",
        "6-1 3-0 6-6 2-2 5-0",
        "4-3 3-3 5-2 6-2 6-4",
        "4-1 6-3 2-1 5-5 4-2",
    ),
    boneyard="3-1 1-1 3-2 5-3 5-1 4-4 4-0 6-0",
    moves="1-0, 6-1 left, 6-4 left, 4-2 left, 2-0 right, 2-2 right, 6-2 left, 2-1 right, 6-5 left, 5-0 left, 5-2 "
    "up, 5-5 up, 0-0 left, 3-0 left, 4-3 left, 4-1 right, 5-4 left",
    left=("", "6-6", "3-3", "6-3"),
)

BLOCKED = Round(
    hands=(
        "4-2 5-5 4-0 2-2 6-5",
        "6-4 4-1 3-3 6-3 0-0",
        "6-6 5-1 5-3 6-2 1-1",
        "4-4 5-0 1-0 6-0 3-1",
    ),
    boneyard="2-1 4-3 5-4 2-0 3-2 5-2 3-0 6-1",
    moves="4-0, 4-1 left, 1-1 left, 6-0 right, 6-5 right, draw, 2-1 left, 6-2 left, 3-1 up, 5-5 right, 6-3 up, "
    "5-1 down, 5-0 right, draw, draw, 5-4 down, 6-4 down, 6-6 down, 1-0 right, draw, draw, draw, draw, draw, "
    "6-1 left",
    left=("4-2 2-2 4-3 2-0 3-2 5-2 3-0", "3-3 0-0", "5-3", "4-4"),
)

BLOCKED_SHARED = Round(
    hands=(
        "5-0 1-1 1-0 4-0 6-1",
        "5-3 4-2 6-4 5-2 6-3",
        "5-5 3-1 3-0 5-4 4-3",
        "3-3 6-0 6-5 6-2 2-0",
    ),
    boneyard="2-1 0-0 6-6 4-1 3-2 5-1 4-4 2-2",
    moves="5-0, 5-2 left, 3-0 right, 2-0 left, 4-0 left, 6-3 right, 5-4 left, 6-2 right, draw, 2-1 right, 5-3 "
    "left, 3-1 right, 3-3 left, draw, draw, draw, draw, 3-2 right, 4-2 right, 4-3 right",
    left=("1-1 1-0 6-1 0-0 6-6 4-1", "6-4", "5-5", "6-0 6-5"),
)
"""Two hands are the lightest, and three tiles lie in the boneyard."""
