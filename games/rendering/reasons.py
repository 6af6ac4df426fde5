"""Reasons for the last tile that a bot played, in sentences that reveal nothing of its hand."""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape

from games.engine.events import Played
from games.engine.view import View
from games.enums import Occupant
from games.match.table import Table
from games.rendering.moves import move_name
from games.words import page_labels
from games.words.lookup import words_for
from games.words.names import table_with_translated_names
from games.words.reasons import NO_SPECIAL_REASON, reason_sentence
from infrastructure.bidi import isolate


def last_tile_by_a_bot(table: Table, view: View | None) -> Played | None:
    """Return the last tile that a bot has played in this round."""
    bots = {person.seat for person in table.people if person.kind == Occupant.BOT}
    plays = view.round.plays if view is not None else ()
    return next((play for play in reversed(plays) if play.seat in bots), None)


def explain_bot_move(
    table: Table, play: Played, reasons: Sequence[tuple[str, Sequence[int]]], language: str
) -> list[str]:
    """Return a bot's move and the reasons for it as plain text."""
    table = table_with_translated_names(language, table)
    name = isolate(table.people[play.seat].name)
    move = unescape(move_name("play", play, words_for(table.variant, language)))
    names = [isolate(person.name) for person in table.people]
    sentences = [reason_sentence(kind, values, move, names) for kind, values in reasons]
    return [page_labels.BOT_MOVE % {"name": name, "move": move}, *(sentences or [str(NO_SPECIAL_REASON)])]
