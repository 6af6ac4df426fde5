"""The page of a table: the same zones as in a frame, and what never changes while the page is open."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.chat.phrases import CHAT_PHRASES
from games.chat.rendering import messages_zones, spectator_chat_zones
from games.engine.refusal import Refusal
from games.engine.view import View
from games.enums import UNFINISHED, Occupant, Status
from games.errors import Refused
from games.geometry.spots import Shape
from games.match.table import NOTHING_MUTED, ChatLine, Muted, Table, visible_lines
from games.match.time_control import CONTROLS
from games.rendering.board import offers_hints
from games.rendering.changes import NO_ZONES, Frame, Zones
from games.rendering.frame import NO_HINTS, hints_zones, notice_zones, own_zones, shared_zones
from games.rendering.moves import move_list
from games.rendering.scores import all_rounds, score_sheet, score_table
from games.rendering.sprites import sheet
from games.rendering.status import phrases_only
from games.words import words_of
from games.words.length import length_note
from games.words.lookup import Words, words_for
from games.words.table import DELAYS, agreed_in_words, changes

SECOND = 1000
PATIENCE = 5
"""Seconds after which a page without scripts refreshes itself."""
REMATCH = timedelta(minutes=3)
"""So long after the end of a match its players' pages look whether somebody offers a rematch."""


def table_zones(
    table: Table,
    view: View | None,
    *,
    seat: int | None,
    language: str,
    chosen: str = "",
    hints: bool = False,
    muted: Muted = NOTHING_MUTED,
    spectator_chat: tuple[ChatLine, ...] | None = None,
    refused: Refusal | Refused | None = None,
    shape: Shape | None = None,
) -> Zones:
    """Return all zones that a seat, or (None) anybody else, sees at a table, for one shape of felt or for all."""
    lines, spectator_lines = visible_lines(table.messages, muted), None
    if spectator_chat is not None:
        spectator_lines = visible_lines(spectator_chat, muted)
    groups = (
        *Frame(
            shared_zones(table, view, language, shape),
            own_zones(table, view, seat, language, chosen, shape=shape),
            hints_zones(view, table.variant, language) if hints else NO_HINTS,
            messages_zones(lines, language, muted=muted.table),
        ),
        spectator_chat_zones(spectator_lines, language),
        NO_ZONES if refused is None else notice_zones(refused, table.variant, language),
    )
    return Zones({name: zone for group in groups for name, zone in group.by_name.items()})


def page_context(
    table: Table,
    view: View | None,
    *,
    seat: int | None,
    language: str,
    since_end: timedelta | None = None,
    **shown: Any,
) -> dict[str, Any]:
    """Return what ``table/match.html`` shows a seat, or (None) anybody else. The match ended ``since_end`` ago.

    ``shown`` are further arguments of ``table_zones``.
    """
    zones = table_zones(table, view, seat=seat, language=language, **shown)
    waits, words = _is_waiting(table, seat), words_for(table.variant, language)
    lasting = _lasting(table, language) | _beside(table, view, words)
    is_renamable = seat is not None and table.people[seat].guest and table.status in UNFINISHED
    return lasting | {
        "seat": seat,
        "zones": {name.replace("-", "_"): safe(zone) for name, zone in zones.markup.items()},
        "hints": shown.get("hints", False),
        "now_ms": round(time.time() * SECOND),
        "renames": is_renamable and not phrases_only(table, words),
        "refresh": PATIENCE if waits or _goes_on(table, view, seat, since_end) else 0,
        "follows": waits,
    }


def explains(table: Table) -> bool:
    """Return whether bots at this table say why they played as they did."""
    return not table.agreed.rated and any(person.kind == Occupant.BOT for person in table.people)


def _lasting(table: Table, language: str) -> dict[str, Any]:
    """Return what never changes while the page is open."""
    return {
        "table": table,
        "control": CONTROLS[table.agreed.clock],
        "sprites": safe(sheet(table.variant)),
        "terms": agreed_in_words(table.agreed),
        "length": length_note(table.variant, dict(table.agreed.options), table.seat_count, table.agreed.clock),
        "changes": changes(table.agreed),
        "host": "" if table.host_seat is None else table.people[table.host_seat].name,
        "delayed": DELAYS[table.agreed.delay].text if table.delayed else "",
        "game": words_of(table.variant),
        "phrases": CHAT_PHRASES.items(),
        "explains": explains(table),
        "offers_hints": offers_hints(table.variant),
    }


def _beside(table: Table, view: View | None, words: Words) -> dict[str, Any]:
    """Return the moves and the scores beside the table, which the page adds to by itself."""
    return {
        "moves_title": safe(words["moves_title"]),
        "moves": safe(move_list(table, view, words)),
        "scores": safe(score_sheet(table, view, words)),
        "all_rounds": safe(all_rounds(table.slug, words)),
    }


def scores_context(table: Table, view: View | None, *, language: str, only: str = "") -> dict[str, Any]:
    """Return what ``table/scores.html`` shows: every finished round, or the one whose number is asked for.

    Each number opens into its terms.
    """
    rounds = () if view is None else view.rounds
    rounds = tuple(ended for ended in rounds if str(ended.round) == only) or rounds
    words = words_for(table.variant, language)
    return {
        "table": table,
        "scores": safe(score_table(table, rounds, words)) if rounds else "",
        "no_rounds": safe(words["no_rounds"]),
        "sprites": safe(sheet(table.variant)),
        "game": words_of(table.variant),
    }


def _is_waiting(table: Table, seat: int | None) -> bool:
    """Return whether the viewer waits for others to accept a rematch."""
    return seat is not None and bool(table.people[seat].rematch) and table.rematch_offered_by is not None


def _goes_on(table: Table, view: View | None, seat: int | None, since_end: timedelta | None) -> bool:
    """Return whether the page may show something else soon by what others do, and the viewer is not acting."""
    if table.status in UNFINISHED:
        return not _acting(table, view, seat)
    people = [person.user_id for person in table.people if person.user_id is not None]
    offered = table.status == Status.FINISHED and seat is not None and not table.rematch and len(people) > 1
    return offered and since_end is not None and since_end < REMATCH


def _acting(table: Table, view: View | None, seat: int | None) -> bool:
    """Return whether the viewer is choosing a move: then a page without scripts does not refresh."""
    if view is None or seat is None or table.people[seat].kind == Occupant.BOT:
        return False
    return view.round.to_move == seat and bool(view.legal)


def safe(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308 (put together from escaped parts by this package)
