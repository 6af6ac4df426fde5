"""Positions of Rytmino that several of its tests begin with."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.state import MoveMade, State
from games.engine.variants import rules_for
from tests.engine.positions import in_round, move, position

RYTMINO = rules_for("rytmino")
P0 = ("H(0,0)=2-4", "H(0,1)=3-1")
# Next to V(2,0)=1-1 every line but 1-2-1 needs a 1 at both ends, so tiles without a 1 fit nowhere.
ONES = "H(0,0)=1-1 H(0,1)=1-2"


def begun(state: State, leader: int) -> State:
    """Return the position with somebody's first move of the deal behind it."""
    return in_round(state, moves=(MoveMade(leader, "pass"),))


def ending(hands: Sequence[str], *, leader: int, to_move: int, **options: str) -> State:
    """Return a position on P0 in the middle of the first deal."""
    state = position(RYTMINO, hands=hands, start=" ".join(P0), to_move=to_move, options=options)
    return in_round(begun(state, leader), number=1)


def ended_by(seat: int, *, leader: int, **options: str) -> State:
    """Return the position after a seat of three went out with 5-2."""
    hands = ["4-4 2-1", "3-3", "5-5"]
    hands[seat] = "5-2"
    return move(RYTMINO, ending(hands, leader=leader, to_move=seat, **options), "V(2,0)=5-2")
