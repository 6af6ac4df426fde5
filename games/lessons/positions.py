"""Positions to learn from, as a player meets them in the middle of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.engine.decide import new_match
from games.engine.events import Played
from games.engine.evolve import laid_out, start_state
from games.engine.moves import Play
from games.engine.rules import Lead, Rules
from games.engine.state import State, Step


def position(
    rules: Rules,
    hands: Sequence[str],
    *,
    start: Sequence[str] = (),
    laid: Sequence[str] = (),
    boneyard: str = "",
    options: Mapping[str, str] | None = None,
    standing: Sequence[object] = (),
    pot: int = 0,
    lead: Lead | None = None,
    drawn: int = 0,
) -> State:
    """Return a position in which seat 0 is to move.

    ``hands`` are those of the seats, ``6-4 1-1``; ``start`` are the placements of the deal, ``laid`` those made since,
    in turn, by the seats before the learner; ``standing`` is the score in the referee's notation. ``lead`` binds the
    first move of the round.
    """
    before = start_state(new_match(rules, len(hands), options or {}))
    layout, plays = laid_out(rules, start), []
    for place, text in enumerate(laid):
        found = layout.read(text)
        if found is None:
            raise ValueError(text)
        seat = (place - len(laid)) % len(hands)
        points = rules.play_points(layout, Play(*found))
        layout = layout.place(*found)
        plays.append(Played(seat, *found, to_move=(seat + 1) % len(hands), points=points))
    return replace(
        before,
        round=1,
        attempt=1,
        hands=tuple(map(rules.read_tiles, hands)),
        boneyard=rules.read_tiles(boneyard),
        layout=layout,
        start=tuple(start),
        plays=tuple(plays),
        steps=tuple(Step(play.seat, "play", play.points) for play in plays),
        standing=tuple(map(rules.read_standing, standing)) or before.standing,
        pot=pot,
        to_move=0,
        must_lead=lead.tiles if lead else (),
        lead_rule=lead.rule if lead else "",
        drawn=drawn,
    )
