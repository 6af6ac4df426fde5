"""Renders a branch of a match: its moves, the table after one of them, and the result of its round."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.engine.events import RoundEnded
from games.engine.refusal import Refusal
from games.engine.view import View
from games.enums import BotLevel, Occupant, Status
from games.errors import Refused
from games.html import Html, escape, mark_trusted
from games.match.table import Person, Table
from games.rendering.frame import notice_zones, own_zones, sentence_zones, shared_zones
from games.rendering.moves import signed_points
from games.rendering.page import as_safe_string
from games.rendering.result import match_summary
from games.rendering.scores import round_totals, side_names
from games.rendering.seats import sides_of
from games.rendering.sprites import sprite_sheet
from games.review.match_steps import MatchSteps, Step
from games.review.step_list_rendering import step_lines
from games.words import words_of
from games.words.levels import level_words
from games.words.lookup import words_for


class SidePoints(NamedTuple):
    """The points of a side in the round of the branch, and in that of the match ("" if it did not end)."""

    name: SafeString
    in_branch: str
    in_match: str
    is_own: bool


def branch_context(
    table: Table,
    table_view: View,
    hand_view: View,
    steps: Sequence[Step],
    *,
    move_count: int,
    language: str,
    chosen_tile: str,
    address: str,
    refusal: Refusal | Refused | None,
) -> dict[str, Any]:
    """Return the context of ``review/branch.html`` after ``move_count`` moves.

    ``table_view`` is the view of the table, ``hand_view`` that of the hand.
    """
    words = words_for(table.variant, language)
    zones = shared_zones(table, table_view, language).markup
    zones |= sentence_zones(table, table_view, hand_view.viewer, language).markup
    zones |= own_zones(table, hand_view, hand_view.viewer, language, chosen_tile).markup
    # At a table, the link without parameters deselects the tile; here the parameters contain the branch.
    zones["hand"] = mark_trusted(zones["hand"].replace('href="?"', Html(f'href="{escape(address)}"')))
    zones |= {} if refusal is None else notice_zones(refusal, table.variant, language).markup
    levels = level_words(table.variant, language)
    return {
        "game": words_of(table.variant),
        "sprites": as_safe_string(sprite_sheet(table.variant)),
        "zones": {name: as_safe_string(zone) for name, zone in zones.items()},
        "lines": step_lines(table, steps, words),
        "navigation": _navigation(move_count, len(steps)),
        "move_count": move_count,
        "last": len(steps),
        "levels": [(level.value, as_safe_string(levels[level].name)) for level in BotLevel],
    }


def result_context(
    table: Table, view: View, match_steps: MatchSteps, step: Step, seat: int, *, language: str
) -> dict[str, Any]:
    """Return the result of a branch once its round is over."""
    round_end = view.round.over
    if round_end is None:
        return {"over": False}
    words = words_for(table.variant, language)
    events = [event for round_step in match_steps.steps_of_round(step.number) for event in round_step.events]
    match_round_end = next((event for event in events if isinstance(event, RoundEnded)), None)
    own_side = sides_of(table, words)[seat]
    side_points = []
    for side, name in enumerate(side_names(table, words)):
        in_match = _points_text(match_round_end, side) if match_round_end else ""
        side_points.append(SidePoints(as_safe_string(name), _points_text(round_end, side), in_match, side == own_side))
    return {
        "over": True,
        "summary": as_safe_string(match_summary(table, view, words)),
        "side_points": side_points,
        "own_points": next(points for points in side_points if points.is_own),
    }


def branch_table(table: Table, human_seats: Collection[int], level: str) -> Table:
    """Return the table with bots of this level in all seats but those of ``human_seats``."""
    people = tuple(
        _as_bot_or_human(person, level if person.seat not in human_seats else "") for person in table.people
    )
    return replace(table, people=people, status=Status.RUNNING, wins=())


def _as_bot_or_human(person: Person, level: str) -> Person:
    """Return the person as a bot of this level, or as a human if it is ""."""
    if level:
        return replace(person, kind=Occupant.BOT, bot=level, user_id=None, guest=False)
    return replace(person, kind=Occupant.HUMAN, bot="")


def _navigation(move_count: int, last: int) -> dict[str, int | None]:
    """Return the number of moves to which each button leads, None if it is disabled."""
    has_previous, has_next = move_count > 0, move_count < last
    return {
        "first": 0 if has_previous else None,
        "before": move_count - 1 if has_previous else None,
        "after": move_count + 1 if has_next else None,
        "last": last if has_next else None,
    }


def _points_text(round_end: RoundEnded, side: int) -> Html:
    return signed_points(round_totals(round_end, side)[1].total)
