"""The chance of each seat to win over the course of a match, estimated from the views of spectators.

Spectators of a running match see estimates of the same kind (``games/spectators/chances.py``). Those of a report use
fewer playouts of each position, and in long matches not every position, but take the mean with positions close by in
the same round. After a round and after the match the chances follow from the score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from operator import mul
from typing import NamedTuple
from zlib import crc32

from games import bots
from games.bots.winning import winning_chances
from games.engine.events import Drew
from games.engine.evolve import evolve
from games.engine.replay import Decision
from games.engine.state import State, replace_fields
from games.engine.variants import rules_for
from games.engine.view import view_for

MIN_PLAYOUTS, MAX_PLAYOUTS = 4, 12  # of a position
NEIGHBOURS = 2  # estimates on each side that count for a position

# The number of an event, and the chance of each seat from then on as a whole percentage.
SeatChances = tuple[int, tuple[int, ...]]


class Position(NamedTuple):
    """The state after a decision, whose last event has the number ``seq``."""

    seq: int
    state: State

    @property
    def has_result(self) -> bool:
        """Whether the round is over, so that the chances follow from the score."""
        return self.state.round.to_move is None


def chance_curve(all_decisions: Sequence[Decision], seed: str) -> Iterator[SeatChances]:
    """Yield the chances after each decision that changed them. ``seed`` is that of the match."""
    positions = list(_positions(all_decisions))
    if not positions:
        return
    budget = bots.bot_for_variant(positions[0].state.setup.variant).chance_playouts
    stride = ceil(MIN_PLAYOUTS * len(positions) / budget)
    playouts = min(MAX_PLAYOUTS, budget * stride // len(positions))
    last: tuple[int, ...] = ()
    for _round, group in groupby(positions, key=lambda position: (position.state.round.number, position.has_result)):
        rows = list(group)
        estimates = {
            index: _chances(rows[index].state, playouts, crc32(f"{seed} {rows[index].seq}".encode()))
            for index in range(0, len(rows), stride)
        }
        for index, position in enumerate(rows):
            chances = tuple(
                round(100 * chance) for chance in _mean_around(index, estimates, (NEIGHBOURS + 1) * stride)
            )
            if chances != last:
                yield position.seq, chances
                last = chances


def _positions(all_decisions: Sequence[Decision]) -> Iterator[Position]:
    """Yield the positions from the first deal on, except those within a turn, and an end without places."""
    for decision in all_decisions:
        state = decision.state
        for event in decision.events:
            state = evolve(state, event)
        end, is_within_turn = state.match_over, isinstance(decision.events[-1], Drew)
        if state.round.number and not is_within_turn and (end is None or end.places or end.losers):
            yield Position(decision.seq + len(decision.events) - 1, state)


def _chances(state: State, playouts: int, seed: int) -> list[float]:
    if state.round.to_move is None:
        return winning_chances(state)
    view = view_for(rules_for(state.setup.variant), state, None)
    # playouts need only the newest of the past rounds
    return bots.estimate_chances(replace_fields(view, rounds=view.rounds[-1:]), playouts, seed)


def _mean_around(index: int, estimates: Mapping[int, Sequence[float]], width: int) -> list[float]:
    """Return the mean of the estimates of positions closer than ``width``. The closer they are, the more they count.

    >>> _mean_around(0, {0: (0.25, 0.75), 1: (1.0, 0.0), 9: (0.0, 1.0)}, width=3)
    [0.55, 0.45]
    """
    weights = {other: width - abs(other - index) for other in estimates if abs(other - index) < width}
    columns = zip(*(estimates[other] for other in weights), strict=True)
    return [sum(map(mul, weights.values(), column)) / sum(weights.values()) for column in columns]
