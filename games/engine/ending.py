"""The end of a round: parts that several variants share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from games.engine.events import Points, RoundEnded, Standing, Term
from games.engine.state import State


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a round is over, the seat that ended it, and the rule id."""

    reason: str
    seat: int
    rule: str


def no_remaining_tile_fits(state: State) -> bool:
    """Return True if no tile in a hand or in the boneyard fits anywhere."""
    return not any(map(state.round.layout.places, chain(*state.hands, state.boneyard)))


def round_end_event(
    state: State,
    ending: Ending,
    points: Sequence[Points],
    *,
    standing: Sequence[Standing] = (),
    reset: Sequence[str] = (),
    pot: int = 0,
    lead: int | None = None,
    last: bool = False,
) -> RoundEnded:
    """Return the end of a round. Without ``standing``, the points of each side are added to its score."""
    rows = zip(state.standing, points, strict=True)
    return RoundEnded(
        round=state.round.number,
        reason=ending.reason,
        seat=ending.seat,
        rule=ending.rule,
        points=tuple(points),
        before=state.standing,
        standing=tuple(standing or [before.plus(gained.total) for before, gained in rows]),
        reset=tuple(reset or [""] * len(state.standing)),
        pot=pot,
        lead=lead,
        last=last,
        made=points_by_moves(state),
    )


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
