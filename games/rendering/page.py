"""The context of a table's page: the zones of a frame, and the parts that stay the same while it is open."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.chat.phrases import FORM_PHRASES
from games.chat.rendering import spectator_chat_zones, table_chat_zones
from games.engine.refusal import Refusal
from games.engine.view import View
from games.enums import UNFINISHED_STATUSES, Delay, NextStep, Occupant, Status
from games.errors import Refused
from games.geometry.spots import Shape
from games.links import path_to
from games.match.table import NOTHING_MUTED, ChatLine, Muted, Table, visible_lines
from games.match.time_control import TIME_CONTROLS
from games.rendering.board import offers_hints
from games.rendering.clock import SECOND_MS
from games.rendering.frame import NO_HINTS, hints_zones, notice_zones, own_zones, sentence_zones, shared_zones
from games.rendering.headline import end_sentence
from games.rendering.moves import move_list
from games.rendering.next_step import step_of
from games.rendering.scores import all_rounds_link, score_sheet, score_table
from games.rendering.sprites import sprite_sheet
from games.rendering.status import phrases_only
from games.rendering.zones import NO_ZONES, Frame, Zones
from games.words import words_of
from games.words.length import length_note
from games.words.lookup import Words, words_for
from games.words.names import table_with_translated_names
from games.words.table import ALL_DELAYS, terms_in_words, unusual_terms

REFRESH_SECONDS = 5  # of a page without scripts
# Without scripts, the page of a finished match refreshes for this long, in case somebody offers a rematch.
REMATCH_WINDOW = timedelta(minutes=3)


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
    """Return all zones for a seat, or (None) for anybody else, for one shape of felt or for all."""
    lines, spectator_lines = visible_lines(table.messages, muted), None
    if spectator_chat is not None:
        spectator_lines = visible_lines(spectator_chat, muted)
    zone_groups = (
        *Frame(
            shared_zones(table, view, language, shape),
            sentence_zones(table, view, seat, language),
            own_zones(table, view, seat, language, chosen, shape=shape),
            hints_zones(view, table.variant, language) if hints else NO_HINTS,
            table_chat_zones(lines, language, muted=muted.table),
        ),
        spectator_chat_zones(spectator_lines, language),
        NO_ZONES if refused is None else notice_zones(refused, table.variant, language),
    )
    return Zones({name: zone for group in zone_groups for name, zone in group.by_name.items()})


def page_context(
    table: Table,
    view: View | None,
    *,
    seat: int | None,
    language: str,
    since_end: timedelta | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Return the context of ``table/match.html`` for a seat, or (None) anybody else.

    The match ended ``since_end`` ago. ``options`` are further arguments of ``table_zones``.
    """
    zones = table_zones(table, view, seat=seat, language=language, **options)
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    is_renamable = seat is not None and table.people[seat].guest and table.status in UNFINISHED_STATUSES
    return (
        _terms_context(table)
        | _lists_context(table, view, seat, words)
        | _refresh_context(table, view, seat, words, since_end)
        | {
            "seat": seat,
            "zones": {name.replace("-", "_"): as_safe_string(zone) for name, zone in zones.markup.items()},
            "shown": ".".join(zones.digests),
            "hints": options.get("hints", False),
            "now_ms": round(time.time() * SECOND_MS),
            "renames": is_renamable and not phrases_only(table, words),
            "result_sentence": result_sentence(table, view, words),
            "sprites": as_safe_string(sprite_sheet(table.variant)),
        }
    )


def _refresh_context(
    table: Table, view: View | None, seat: int | None, words: Words, since_end: timedelta | None
) -> dict[str, Any]:
    """Return when a page without scripts loads again (0: never), and where it goes then, "" to stay."""
    awaits_rematch = seat is not None and bool(table.people[seat].rematch) and table.rematch_offered_by is not None
    step, path = step_of(table, seat, words), ""
    if step.step == NextStep.PLAYS:
        path = path_to("match", step.match)
    elif awaits_rematch:
        path = path_to("match-rematch", table.slug)
    refreshes = path or step.step == NextStep.WAITS or _may_change_soon(table, view, seat, since_end)
    return {"refresh": REFRESH_SECONDS if refreshes else 0, "next_path": path}


def _lists_context(table: Table, view: View | None, seat: int | None, words: Words) -> dict[str, SafeString]:
    """Return the lists to which the page appends by itself."""
    return {
        "moves_title": as_safe_string(words["moves_title"]),
        "moves": as_safe_string(move_list(table, view, seat, words)),
        "scores": as_safe_string(score_sheet(table, view, words)),
        "all_rounds": as_safe_string(all_rounds_link(table.slug, words)),
    }


def result_sentence(table: Table, view: View | None, words: Words) -> SafeString:
    """Return how the match ended, for links to it; "" while it runs for this viewer."""
    if view is None or view.match_over is None:
        return SafeString("")
    return as_safe_string(end_sentence(table, view.match_over, words))


def bots_explain_moves(table: Table) -> bool:
    """Return True if bots at this table explain their moves."""
    return not table.agreed.rated and any(person.kind == Occupant.BOT for person in table.people)


def _terms_context(table: Table) -> dict[str, Any]:
    """Return the part of the context that stays the same during a match."""
    return {
        "table": table,
        "control": TIME_CONTROLS[table.agreed.clock],
        "terms": terms_in_words(table.agreed),
        "length": length_note(table.variant, dict(table.agreed.options), table.seat_count, table.agreed.clock),
        "unusual_terms": unusual_terms(table.agreed),
        "host": "" if table.host_seat is None else table.people[table.host_seat].name,
        "delayed": ALL_DELAYS[table.agreed.delay].text if table.has_delay else "",
        "open_hands": table.agreed.delay == Delay.OPEN or table.is_exhibition,
        "game": words_of(table.variant),
        "phrases": tuple(FORM_PHRASES.items()),
        "explains": bots_explain_moves(table),
        "offers_hints": offers_hints(table.variant),
    }


def scores_context(table: Table, view: View | None, *, language: str, only_round: str = "") -> dict[str, Any]:
    """Return the context of ``table/score_table_page.html``: all finished rounds, or number ``only_round``."""
    rounds = () if view is None else view.rounds
    rounds = tuple(ended for ended in rounds if str(ended.round) == only_round) or rounds
    table, words = table_with_translated_names(language, table), words_for(table.variant, language)
    return {
        "table": table,
        "scores": as_safe_string(score_table(table, rounds, words)) if rounds else "",
        "no_rounds": as_safe_string(words["no_rounds"]),
        "sprites": as_safe_string(sprite_sheet(table.variant)),
        "game": words_of(table.variant),
    }


def _may_change_soon(table: Table, view: View | None, seat: int | None, since_end: timedelta | None) -> bool:
    """Return True if others may change the table soon, and the viewer is not choosing a move."""
    if table.status in UNFINISHED_STATUSES:
        if view is None or seat is None or table.people[seat].kind == Occupant.BOT:
            return True
        return view.round.to_move != seat or not view.legal
    people = sum(person.user_id is not None for person in table.people)
    may_rematch = table.status == Status.FINISHED and seat is not None and not table.rematch and people > 1
    may_rematch = may_rematch and table.tournament is None
    return may_rematch and since_end is not None and since_end < REMATCH_WINDOW


def as_safe_string(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308 (built from escaped parts by this package)
