"""Worked examples of one placement, scored or refused by the engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.engine.decide import decide
from games.engine.events import Played, Points
from games.engine.moves import Play
from games.engine.refusal import Refusal
from games.engine.rules import NO_POINTS, Rules
from games.examples.positions import position_at_end


@dataclass(frozen=True, slots=True)
class PlacementExample:
    """A placement and the layout before it; its points, or the id of the rule that refuses it."""

    before: Any
    play: Play
    points: Points = NO_POINTS
    refusing_rule: str = ""

    @property
    def after(self) -> Any:
        """The layout with the tile, even if it was refused."""
        return self.before.place(self.play.tile, self.play.place)


def layout_after(rules: Rules, text: str) -> Any:
    """Return the layout after these placements. Raises ``ValueError``."""
    layout = rules.layout
    for place in text.split():
        play = rules.read_play(place)
        layout = layout.place(play.tile, play.place)
    return layout


def try_placement(rules: Rules, before: Any, place: str) -> PlacementExample:
    """Make a placement in the middle of a round, with a hand of the tile and one more."""
    play = rules.read_play(place)
    earlier = tuple(Played(0, placed.tile, "", 0) for placed in before.tiles)
    state = position_at_end(rules, ("", ""), (0, 0), layout=before)
    round_ = replace(state.round, plays=earlier, to_move=0)
    state = replace(state, round=round_, hands=((play.tile, play.tile), (play.tile,)))
    try:
        (event, *_) = decide(rules, state, 0, play)
    except Refusal as refusal:
        return PlacementExample(before, play, refusing_rule=refusal.rule or "")
    return PlacementExample(before, play, event.points if isinstance(event, Played) else NO_POINTS)
