"""Renders a task of a lesson like any table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.moves import Play
from games.engine.variants import rules_for
from games.engine.view import View
from games.enums import Occupant
from games.examples.names import PLAYER_NAMES
from games.lessons import Attempt, Task
from games.match.table import AgreedTerms, Person, Table
from games.rendering.frame import notice_zones, own_zones, sentence_zones, shared_zones
from games.rendering.page import as_safe_string
from games.rendering.pieces import tile_name
from games.rendering.sprites import sprite_sheet
from games.words import words_of
from games.words.page_labels import LEARNER

SEAT_COLOURS = ("teal", "red", "blue", "orange")


def lesson_context(
    attempt: Attempt, *, name: str, language: str, chosen_tile: str, names: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the context of ``learn/task.html`` with the learner's name, or with the names of all seats."""
    view = attempt.view
    table = lesson_table(view, names or learner_names(name))
    zones = shared_zones(table, view, language).markup
    zones |= sentence_zones(table, view, view.viewer, language).markup
    if not attempt.is_solved:
        zones |= own_zones(table, view, view.viewer, language, chosen_tile).markup
    if attempt.refusal is not None:
        zones |= notice_zones(attempt.refusal, view.rules.key, language).markup
    return {
        "table": table,
        "seat": view.viewer,
        "game": words_of(view.rules.key),
        "sprites": as_safe_string(sprite_sheet(view.rules.key)),
        "zones": {name: as_safe_string(zone) for name, zone in zones.items()},
    }


def learner_names(name: str) -> tuple[str, ...]:
    """Return the names of all seats for a learner with this name, or without one."""
    return name or str(LEARNER), *map(str, PLAYER_NAMES)


def tile_named_in_text(task: Task) -> str:
    """Return the tile (or ``draw``) that the text of a task names; "" if the learner has to find it."""
    state = task.position()
    move = rules_for(state.setup.variant).parse_move(state, task.solutions[0])
    if not isinstance(move, Play):
        return task.solutions[0]
    tile = tile_name(move.tile)
    return tile if tile in task.text or state.hands[task.seat] == (move.tile,) else ""


def lesson_table(view: View, names: Sequence[str]) -> Table:
    """Return a table of people with these names, without a clock or spectators."""
    people = tuple(Person(seat.seat, names[seat.seat], SEAT_COLOURS[seat.seat], Occupant.HUMAN) for seat in view.seats)
    agreed_terms = AgreedTerms(view.rules.key, view.setup.options)
    return Table(match_id=0, slug="", agreed=agreed_terms, people=people, round=view.round.number)
