"""The worked examples of Triominoes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.engine.events import Played, Points
from games.engine.moves import Play
from games.engine.rules import Deal
from games.engine.state import Round
from games.engine.tiles import Tile
from games.engine.variants.triominoes import RULES, ZERO_TRIPLE
from games.examples.placements import PlacementExample, layout_after, try_placement
from games.examples.positions import ScoreColumn, position_at_end, score_table

LEAD_PLACEMENT = "U(0,0)=4/4/5"
BRIDGE_GAP = (
    "D(0,-1)=2/2/1 U(1,-1)=1/1/2 D(1,-1)=1/1/5 U(1,0)=5/5/1 D(1,0)=5/5/3 U(1,1)=1/3/5 D(0,1)=5/0/1 U(0,1)=0/5/0"
)
HEXAGON_GAP = "D(0,-1)=5/5/5 U(0,-1)=5/5/1 D(-1,-1)=1/1/5 U(-1,0)=2/5/1 D(-1,0)=5/2/4"
TWO_HEXAGONS_GAP = (
    "U(0,0)=3/0/2 D(0,-1)=0/2/0 U(1,-1)=0/0/0 D(1,-1)=0/0/5 U(1,0)=5/5/0 D(1,0)=5/5/2 U(1,1)=1/2/5 D(0,1)=5/5/1 "
    "U(0,1)=5/5/3"
)


def try_placement_after(before: str, placement: str) -> PlacementExample:
    return try_placement(RULES, layout_after(RULES, before), placement)


def possible_leads(hands: Sequence[str]) -> tuple[tuple[tuple[Tile], Points], ...]:
    """Return the tiles that the leader of these hands may lead, with their points."""
    state, empty = position_at_end(RULES, hands, (0,) * len(hands)), RULES.layout
    tiles = RULES.leader(state, Deal(state.hands), lambda seats: seats[0]).tiles
    return tuple(((tile,), RULES.play_points(Round(empty), Play(tile, empty.places(tile)[0]))) for tile in tiles)


def score_columns(hands: Sequence[str], seat: int, *, blocked: bool = False) -> tuple[ScoreColumn, ...]:
    """Return the score table of the round that ``seat`` ended."""
    state = position_at_end(RULES, hands, (0,) * len(hands))
    if blocked:
        state = replace(
            state, round=replace(state.round, plays=(Played(seat, ZERO_TRIPLE, "", None),), passes=len(hands))
        )
    return score_table(RULES, state, seat)


EXAMPLES: Mapping[str, Any] = {
    "tiles": RULES.read_tiles("0-1-2 4-4-5 3-3-3"),
    "plain": try_placement_after(LEAD_PLACEMENT, "D(-1,0)=5/3/4"),
    "mirrored": try_placement_after(LEAD_PLACEMENT, "D(0,-1)=3/5/4"),
    "wrong_corner": try_placement_after(LEAD_PLACEMENT, "D(0,0)=4/5/5"),
    "no_edge": try_placement_after(LEAD_PLACEMENT, "U(1,0)=4/4/4"),
    "bridge": try_placement_after(BRIDGE_GAP, "U(0,0)=0/1/2"),
    "no_bridge": try_placement_after(BRIDGE_GAP, "U(0,0)=3/1/2"),
    "hexagon": try_placement_after(HEXAGON_GAP, "U(0,0)=4/5/5"),
    "two_hexagons": try_placement_after(TWO_HEXAGONS_GAP, "D(0,0)=0/3/5"),
    "triple": possible_leads(("4-4-4 0-1-2", "3-3-3")),
    "zero": possible_leads(("5-5-5 0-0-0", "3-3-3")),
    "no_triple": possible_leads(("4-4-5 0-1-2", "3-4-5")),
    "out": score_columns(("", "0-0-3 2-4-5", "5-5-5"), 0),
    "blocked": score_columns(("1-1-2 0-3-4", "2-2-3", "0-1-1 4-4-5"), 0, blocked=True),
}
