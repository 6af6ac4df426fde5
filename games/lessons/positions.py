"""Positions of lessons, in the middle of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.engine.decide import new_match
from games.engine.events import Played
from games.engine.evolve import start_state, starting_layout
from games.engine.leads import Lead
from games.engine.rules import Rules
from games.engine.state import MoveMade, Round, State


def lesson_position(
    rules: Rules,
    hands: Sequence[str],
    *,
    start: Sequence[str] = (),
    plays: Sequence[str] = (),
    boneyard: str = "",
    options: Mapping[str, str] | None = None,
    standing: Sequence[object] = (),
    lead: Lead | None = None,
    drawn: int = 0,
) -> State:
    """Return a position in which seat 0 is to move.

    ``start`` are the placements of the deal, ``plays`` those made since by the seats in turn. ``standing`` is the
    score in the referee's notation; ``lead`` restricts the first move of the round.
    """
    state = start_state(new_match(rules, len(hands), options or {}))
    round_ = Round(starting_layout(rules, start), number=1, attempt=1, start=tuple(start), to_move=0, drawn=drawn)
    for index, text in enumerate(plays):
        round_ = _with_play(rules, round_, text, (index - len(plays)) % len(hands))
    return replace(
        state,
        round=round_,
        hands=tuple(map(rules.read_tiles, hands)),
        boneyard=rules.read_tiles(boneyard),
        standing=tuple(map(rules.read_standing, standing)) or state.standing,
        must_lead=lead.tiles if lead else (),
        lead_rule=lead.rule if lead else "",
    )


def _with_play(rules: Rules, round_: Round, text: str, seat: int) -> Round:
    """Return the round with a placement of ``seat`` and an unchanged turn. Raises ``ValueError``."""
    play = rules.read_play(text)
    points = rules.play_points(round_, play)
    return replace(
        round_,
        layout=round_.layout.place(play.tile, play.place),
        plays=(*round_.plays, Played(seat, play.tile, play.place, to_move=round_.to_move, points=points)),
        moves=(*round_.moves, MoveMade(seat, "play", points)),
    )
