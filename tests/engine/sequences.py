"""Deals for counting move sequences in the line games, with the independent count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.engine.decide import deal_explicit, new_match
from games.engine.evolve import evolve, start_state
from games.engine.layout.line import Line
from games.engine.rules import Deal, Rules
from games.engine.state import State
from tests.engine.brute import Pair, count_sequences, is_closed
from tests.engine.positions import layout_of, tiles

DEALS = {
    "two": (
        ["6-6 0-0 6-5 6-4 5-4 2-1 3-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1"],
        "1-0 1-1 2-2 3-1 3-2 4-0 4-2 4-3 4-4 5-1 5-2 5-5 6-0 6-2",
    ),
    "three": (
        ["6-5 3-2 6-6 3-3 6-2 5-5 2-0", "3-0 4-1 5-0 5-1 5-4 4-2 4-4", "1-0 2-2 0-0 4-3 4-0 2-1 5-3"],
        "6-1 3-1 5-2 6-4 6-0 6-3 1-1",
    ),
    "four": (
        [
            *("2-0 6-4 3-1 1-0 6-0 4-1 5-4", "6-1 4-3 5-5 3-0 5-0 2-1 5-2"),
            *("6-2 6-6 4-0 4-2 3-3 2-2 6-3", "6-5 4-4 3-2 1-1 5-1 0-0 5-3"),
        ],
        "",
    ),
}


def dealt_state(
    rules: Rules,
    hands: Sequence[str],
    boneyard: str,
    *,
    options: Mapping[str, str] | None = None,
    lead: int | None = None,
) -> State:
    """Return the first round after this deal."""
    state = start_state(new_match(rules, len(hands), options or {}))
    (event,) = deal_explicit(rules, state, Deal(tuple(map(tiles, hands)), tiles(boneyard)), lead=lead)
    return evolve(state, event)


def count_naively(state: State, depth: int, blocked: Callable[[Pair, frozenset[Pair]], bool] = is_closed) -> int:
    """Count sequences with ``tests.engine.brute``."""
    assert state.round.to_move is not None
    line = layout_of(state, Line)
    return count_sequences(
        tuple(frozenset((one, other) for one, other in hand) for hand in state.hands),
        tuple((one, other) for one, other in state.boneyard),
        None if line.left_end is None else (line.left_end, line.right_end),
        frozenset((one, other) for one, other in (play.tile for play in state.round.plays)),
        state.round.to_move,
        depth,
        None if state.round.plays or not state.must_lead else (state.must_lead[0][0], state.must_lead[0][1]),
        blocked,
    )
