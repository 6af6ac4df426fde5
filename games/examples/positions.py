"""Positions at the end of a round, and the score tables that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from games.engine.decide import new_match
from games.engine.events import Points, RoundEnded, Standing
from games.engine.evolve import start_state
from games.engine.layout import Layout
from games.engine.rules import Rules
from games.engine.state import Round, State
from games.engine.tiles import Tile
from games.examples.names import joined_names

if TYPE_CHECKING:
    from games.examples.names import Name


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """One side's column of a score table."""

    name: Name
    hand: tuple[Tile, ...]
    before: Standing
    points: Points
    after: Standing


def position_at_end(
    rules: Rules,
    hands: Sequence[str],
    standings: Sequence[object],
    *,
    options: Mapping[str, str] | None = None,
    layout: Layout | None = None,
) -> State:
    """Return a position at the end of a round; ``standings`` is the score in the referee's notation."""
    start = start_state(new_match(rules, len(hands), options or {}))
    return replace(
        start,
        round=Round(layout=layout or rules.layout, number=2),
        hands=tuple(map(rules.read_tiles, hands)),
        standing=tuple(map(rules.read_standing, standings)),
    )


def score_round(rules: Rules, state: State, seat: int) -> RoundEnded:
    """Score the round that ``seat`` ended. Raises ``ValueError`` if it is not over."""
    ending = rules.ending(state, seat)
    if ending is None:
        raise ValueError("This round goes on.")
    return rules.score_round(state, ending)


def score_table(rules: Rules, state: State, seat: int) -> tuple[ScoreColumn, ...]:
    """Return the score table of the round that ``seat`` ended."""
    end = score_round(rules, state, seat)
    owners = list(enumerate(state.setup.sides))
    sides = [[seat for seat, owner in owners if owner == side] for side in range(len(state.standing))]
    names = map(joined_names, sides)
    hands = [tuple(chain(*(state.hands[seat] for seat in seats))) for seats in sides]
    return tuple(ScoreColumn(*row) for row in zip(names, hands, end.before, end.points, end.standing, strict=True))
