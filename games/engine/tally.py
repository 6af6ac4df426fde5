"""Totals of the points that the moves of a round scored."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.events import Points, Term
from games.engine.state import State


def points_by_moves(state: State) -> tuple[Points, ...]:
    """Return the points that each side's moves scored in this round, one term per rule; () if no move scored."""
    values: list[dict[str, list[int]]] = [{} for _ in state.standing]
    sides = state.setup.sides
    for seat, _, points, _ in state.round.moves:
        for term in points.terms:
            if term.value:
                values[sides[seat]].setdefault(term.rule, []).append(term.value)
    if not any(values):
        return ()
    return tuple(
        Points.of(*(Term(rule, sum_text(terms), sum(terms)) for rule, terms in by_rule.items())) for by_rule in values
    )


def sum_text(values: Sequence[int]) -> str:
    """Return the values as a sum with minus signs.

    >>> sum_text([10, -5, 15])
    '10 − 5 + 15'
    """
    text = "".join([f" + {value}" if value > 0 else f" − {-value}" for value in values])
    return text[3:] if values[0] > 0 else f"−{text[3:]}"
