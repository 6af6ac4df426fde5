"""Worked examples of one placement, which the engine scores or refuses like any other move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.engine.decide import decide
from games.engine.events import Played, Points
from games.engine.moves import Play
from games.engine.refusal import Refusal
from games.engine.rules import NO_POINTS, Rules
from games.examples.positions import position


@dataclass(frozen=True, slots=True)
class Placement:
    """A placement and the layout before it: what it scores, and the rule that refuses it ("" if none does)."""

    before: Any
    play: Play
    points: Points = NO_POINTS
    refused: str = ""

    @property
    def after(self) -> Any:
        """Return the table with the tile on it, refused or not."""
        return self.before.place(self.play.tile, self.play.place)


def laid(rules: Rules, text: str) -> Any:
    """Lay tiles in the order of these placements. Raises ``ValueError`` if one of them is not a placement."""
    layout = rules.layout
    for place in text.split():
        play = placed(rules, place)
        layout = layout.place(play.tile, play.place)
    return layout


def placed(rules: Rules, place: str) -> Play:
    """Read a placement. Raises ``ValueError`` if it is not one."""
    found = rules.layout.read(place)
    if found is None:
        raise ValueError(place)
    return Play(*found)


def tried(rules: Rules, before: Any, place: str) -> Placement:
    """Try a placement in the middle of a round, with a hand that holds the tile and one more."""
    play = placed(rules, place)
    earlier = tuple(Played(0, each.tile, "", 0) for each in before.tiles)
    state = position(rules, ("", ""), (0, 0), layout=before)
    running = replace(state.round, plays=earlier, to_move=0)
    state = replace(state, round=running, hands=((play.tile, play.tile), (play.tile,)))
    try:
        (event, *_) = decide(rules, state, 0, play)
    except Refusal as refusal:
        return Placement(before, play, refused=refusal.rule or "")
    return Placement(before, play, event.points if isinstance(event, Played) else NO_POINTS)
