"""The ends of rounds that several variants share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from games.engine.events import Points, RoundEnded, Standing
from games.engine.state import State
from games.engine.tally import made


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a round is over, who ended it, and the rule that says so."""

    reason: str
    seat: int
    rule: str


def nothing_fits(state: State) -> bool:
    """Return whether no tile that is not laid, in a hand or in the boneyard, fits anywhere."""
    unlaid = chain(*state.hands, state.boneyard)
    return not any(map(state.round.layout.places, unlaid))


def round_ended(
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
    """Return the end of a round; if no ``standing`` is given, each side's points are added to its score."""
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
        made=made(state),
    )
