"""Positions for lessons, in the middle of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.engine.decide import new_match
from games.engine.events import Played
from games.engine.evolve import laid_out, start_state
from games.engine.leads import Lead
from games.engine.moves import Play
from games.engine.rules import Rules
from games.engine.state import MoveMade, Round, State


def position(
    rules: Rules,
    hands: Sequence[str],
    *,
    start: Sequence[str] = (),
    laid: Sequence[str] = (),
    boneyard: str = "",
    options: Mapping[str, str] | None = None,
    standing: Sequence[object] = (),
    lead: Lead | None = None,
    drawn: int = 0,
) -> State:
    """Return a position in which seat 0 is to move.

    ``hands`` are those of the seats, ``6-4 1-1``; ``start`` are the placements of the deal, ``laid`` those made since,
    in turn, by the seats before the learner; ``standing`` is the score in the referee's notation. ``lead`` binds the
    first move of the round.
    """
    state = start_state(new_match(rules, len(hands), options or {}))
    now = Round(laid_out(rules, start), number=1, attempt=1, start=tuple(start), to_move=0, drawn=drawn)
    for index, text in enumerate(laid):
        now = _laid(rules, now, text, (index - len(laid)) % len(hands))
    return replace(
        state,
        round=now,
        hands=tuple(map(rules.read_tiles, hands)),
        boneyard=rules.read_tiles(boneyard),
        standing=tuple(map(rules.read_standing, standing)) or state.standing,
        must_lead=lead.tiles if lead else (),
        lead_rule=lead.rule if lead else "",
    )


def _laid(rules: Rules, before: Round, text: str, seat: int) -> Round:
    """Return the round with a placement of ``seat``; whose turn it is stays. Raises ``ValueError`` if it is none."""
    found = rules.layout.read(text)
    if found is None:
        raise ValueError(text)
    points = rules.play_points(before, Play(*found))
    return replace(
        before,
        layout=before.layout.place(*found),
        plays=(*before.plays, Played(seat, *found, to_move=before.to_move, points=points)),
        moves=(*before.moves, MoveMade(seat, "play", points)),
    )
