"""Why a bot laid its last tile, in a few sentences that tell nothing of its hand."""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape

from games.engine.events import Played
from games.engine.view import View
from games.enums import Occupant
from games.match.table import Table
from games.rendering.moves import done
from games.words import pages
from games.words.lookup import words_for
from games.words.reasons import nothing_special, sentence
from infrastructure.bidi import isolate


def last_of_bots(table: Table, view: View | None) -> Played | None:
    """Return the last tile that a bot has laid in this round, None if none has."""
    bots = {person.seat for person in table.people if person.kind == Occupant.BOT}
    plays = view.round.plays if view is not None else ()
    return next((play for play in reversed(plays) if play.seat in bots), None)


def explained(table: Table, play: Played, found: Sequence[tuple[str, int]], language: str) -> list[str]:
    """Return what is said of a bot's tile and what was ``found`` to speak for it; plain text."""
    name = isolate(table.people[play.seat].name)
    move = unescape(done("play", play, words_for(table.variant, language)))
    names = [isolate(table.people[value].name) if kind == "stuck" else "" for kind, value in found]
    why = [sentence(kind, value, stuck) for (kind, value), stuck in zip(found, names, strict=True)]
    return [pages.BOT_MOVE % {"name": name, "move": move}, *(why or [nothing_special()])]
