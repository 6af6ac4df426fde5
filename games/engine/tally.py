"""What each side scored by the moves of a round, summed up in a few terms."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.events import Points, Term
from games.engine.state import State


def made(state: State) -> tuple[Points, ...]:
    """Return what each side scored by its moves since the deal, with one term for each rule; () if no move scored."""
    values: list[dict[str, list[int]]] = [{} for _ in state.standing]
    sides = state.setup.sides
    for seat, _, points, _ in state.round.moves:
        for term in points.terms:
            if term.value:
                values[sides[seat]].setdefault(term.rule, []).append(term.value)
    if not any(values):
        return ()
    return tuple(together(by_rule) for by_rule in values)


def together(by_rule: dict[str, list[int]]) -> Points:
    """Return the total of these values, with one term for each rule, written as a sum."""
    return Points.of(*(Term(rule, sum_text(values), sum(values)) for rule, values in by_rule.items()))


def sum_text(values: Sequence[int]) -> str:
    """Write a sum: ``10 + 5``, a loss with a minus sign.

    >>> sum_text([10, -5, 15])
    '10 − 5 + 15'
    """
    written = "".join([f" + {value}" if value > 0 else f" − {-value}" for value in values])
    return written[3:] if values[0] > 0 else f"−{written[3:]}"
