"""Positions of Kozel worked by hand, and the zones that a viewer sees of a position of any game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import reduce
from typing import Any

from games.engine.decide import deal_explicit, leave_match, new_match, set_standing
from games.engine.ending import Ending
from games.engine.events import Event, RoundEnded
from games.engine.evolve import evolve, start_state
from games.engine.rules import Deal
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.geometry.spots import Shape
from games.html import Html
from games.match.table import AgreedTerms, Person, Table, Timer
from games.rendering.frame import own_zones, sentence_zones, shared_zones
from games.rendering.zones import Frame
from games.words.lookup import words_for
from tests.engine.positions import in_round, move, tiles

RULES = rules_for("kozel")
WORDS = words_for("kozel", "en")
NAMES = ("Masha", "Alex", "Olya", "Serg")

FOUR_HANDS = (
    "1-1 2-1 3-1 4-0 5-0 6-5 4-3|2-2 3-2 4-2 5-1 6-1 2-0 3-0|3-3 5-3 6-3 4-4 5-4 6-4 1-0|5-5 6-6 0-0 6-0 5-2 6-2 4-1"
)
ALEX_WITHOUT_ONES = (
    "1-1 2-1 3-1 4-0 5-0 6-5 4-3|2-2 3-2 4-2 5-3 6-3 2-0 3-0|3-3 5-1 6-1 4-4 5-4 6-4 1-0|5-5 6-6 0-0 6-0 5-2 6-2 4-1"
)
# Masha leads 1-1. Alex has no 1, and none of the seven tiles of the bazaar is one.
THREE_HANDS_HOLD_ALL_ONES = "1-1 2-1 3-1 4-1 1-0 6-5 4-3|2-2 3-2 4-2 5-2 6-0 2-0 3-0|5-1 6-1 4-4 5-4 6-4 5-3 6-3"
# Masha leads 1-1, and Alex has no 1.
TWO_HANDS = "1-1 2-1 3-1 6-4 6-5 5-4 6-6|2-2 3-2 4-2 5-2 6-2 3-3 4-3"


def dealt(hands: str, *, before: Sequence[str] = (), pot: int | None = None) -> State:
    """Return a new round with hands like ``1-1 2-1|3-3 4-3`` and the other tiles in the boneyard in rising order."""
    deal = deal_of(hands)
    state = start_state(new_match(RULES, len(deal.hands), {}))
    if before:
        state = after(state, *set_standing(RULES, state, before, pot))
    return after(state, *deal_explicit(RULES, state, deal))


def deal_of(text: str) -> Deal:
    hands = tuple(map(tiles, text.split("|")))
    return Deal(hands, tuple(tile for tile in RULES.tile_set if not any(tile in hand for hand in hands)))


def after(state: State, *events: Event) -> State:
    return reduce(evolve, events, state)


def played(state: State, *moves: str) -> State:
    return move(RULES, state, *moves)


def table_of(seats: int = 4, **changed: Any) -> Table:
    """Return a table of Kozel. Fields of its ``AgreedTerms`` and ``Timer`` can be changed, too."""
    people = tuple(Person(seat, NAMES[seat], "teal", "human", user_id=10 + seat) for seat in range(seats))
    parts = {field.name: changed.pop(field.name) for field in fields(AgreedTerms) if field.name in changed}
    clock = {field.name: changed.pop(field.name) for field in fields(Timer) if field.name in changed}
    table = Table(
        match_id=1,
        slug="abcdefgh2345",
        agreed=replace(AgreedTerms("kozel", (("fish", "all"),), True, "public", "fast"), **parts),
        people=people,
        commitment="c0" * 32,
        host_id=10,
        version=7,
        revision=9,
        round=1,
        timer=replace(Timer(15_000, 1_000_000, 1_075_000, "timeout"), **clock),
    )
    return replace(table, **changed)


def table_at(state: State) -> Table:
    """Return a table for a position of any game."""
    return table_of(state.setup.seats, variant=state.setup.variant, options=state.setup.options)


def seen(state: State, seat: int | None = None) -> View:
    return view_for(rules_for(state.setup.variant), state, seat)


def zones(
    state: State | None, seat: int | None = None, table: Table | None = None, chosen: str = ""
) -> dict[str, Html]:
    """Return the zones of a position, before the first deal without one."""
    if state is None:
        frame = frame_of(table or table_of(), None, seat, chosen)
    else:
        frame = frame_of(table or table_at(state), seen(state, seat), seat, chosen)
    return frame.shared.markup | frame.texts.markup | frame.own.markup


def frame_of(table: Table, view: View | None, seat: int | None = None, chosen: str = "") -> Frame:
    """Return the frame of an audience, without hints and chat."""
    viewer = seat if view is None else view.viewer
    own = own_zones(table, view, viewer, "en", chosen, shape=Shape.EVEN)
    return Frame(shared_zones(table, view, "en", Shape.EVEN), sentence_zones(table, view, viewer, "en"), own)


def texts(html: str) -> str:
    """Return the text between tags, as it is read aloud."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


def cells(table: str) -> list[str]:
    """Return the texts of the cells of a score table, without the terms of their numbers."""
    folded = re.sub(r'<span id="terms-[^>]*>(?:<b>[^<]*</b>)?(?:<span>.*?</span>)*</span>', "", table)
    return [texts(cell) for cell in re.findall(r"<td>(.*?)</td>", folded)]


def finished_round() -> State:
    """Return a round of two, played to its end with the first legal moves."""
    state = dealt(TWO_HANDS, before=("+3", "0"))
    while state.round.to_move is not None:
        state = played(state, RULES.move_text(RULES.legal_moves(state)[0]))
    return state


def alex_to_move() -> State:
    """Return the line 2-1 1-1 1-3, to which Alex can add twos on the left and threes on the right."""
    state = dealt("1-1 3-1 6-4 6-5 5-4 6-6 4-3|2-1 2-2 3-2 4-2 5-2 0-0 3-0")
    return played(state, "1-1", "2-1 left", "3-1 right")


def k_01() -> RoundEnded:
    """K-01: before +19, 0, +7, +4; Masha out; hands 0, 3, 13, 5."""
    state = start_state(new_match(RULES, 4, {}))
    state = after(state, *set_standing(RULES, state, ("+19", "0", "+7", "+4"), None))
    hands = tuple(map(tiles, ("", "2-1", "6-6 1-0", "5-0")))
    return RULES.score_round(replace(in_round(state, number=3), hands=hands), Ending("out", 0, "kozel.out"))


def positions() -> list[State | None]:
    running = played(dealt(FOUR_HANDS), "1-1", "5-1 right")
    return [
        None,
        dealt(FOUR_HANDS),
        running,
        finished_round(),
        after(running, *leave_match(RULES, running, 2, "timeout")),
    ]
