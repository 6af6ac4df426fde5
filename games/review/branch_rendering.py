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
from games.html import Html, escape, trusted
from games.match.table import Person, Table
from games.rendering.frame import notice_zones, own_zones, shared_zones, text_zones
from games.rendering.moves import signed
from games.rendering.page import safe
from games.rendering.result import summary
from games.rendering.scores import side_names, whole
from games.rendering.seats import sides_of
from games.rendering.sprites import sheet
from games.review.list_rendering import entries
from games.review.past import Past, Step
from games.words import words_of
from games.words.levels import level_words
from games.words.lookup import words_for


class Gain(NamedTuple):
    """The points of a side in the round of the branch, and in that of the match ("" if it did not end)."""

    name: SafeString
    here: str
    there: str
    own: bool


def branch_context(
    table: Table,
    seen: View,
    own: View,
    steps: Sequence[Step],
    *,
    at: int,
    language: str,
    chosen: str,
    address: str,
    refused: Refusal | Refused | None,
) -> dict[str, Any]:
    """Return the context of ``review/branch.html`` after ``at`` moves.

    ``seen`` is the view of the table, ``own`` that of the hand.
    """
    words = words_for(table.variant, language)
    zones = shared_zones(table, seen, language).markup
    zones |= text_zones(table, seen, own.viewer, language).markup
    zones |= own_zones(table, own, own.viewer, language, chosen).markup
    # At a table, the link without parameters deselects the tile; here the parameters contain the branch.
    zones["hand"] = trusted(zones["hand"].replace('href="?"', Html(f'href="{escape(address)}"')))
    zones |= {} if refused is None else notice_zones(refused, table.variant, language).markup
    return {
        "game": words_of(table.variant),
        "sprites": safe(sheet(table.variant)),
        "zones": {name: safe(zone) for name, zone in zones.items()},
        "lines": entries(table, steps, words),
        "ways": _ways(at, len(steps)),
        "at": at,
        "last": len(steps),
        "levels": [(level.value, safe(level_words(table.variant, language)[level].name)) for level in BotLevel],
    }


def outcome_context(table: Table, view: View, past: Past, step: Step, seat: int, *, language: str) -> dict[str, Any]:
    """Return the result of a branch once its round is over."""
    ended = view.round.over
    if ended is None:
        return {"over": False}
    words = words_for(table.variant, language)
    events = [event for other in past.round_of(step.number) for event in other.events]
    in_match = next((event for event in events if isinstance(event, RoundEnded)), None)
    own_side = sides_of(table, words)[seat]
    gains = [
        Gain(safe(name), _total(ended, side), _total(in_match, side) if in_match else "", side == own_side)
        for side, name in enumerate(side_names(table, words))
    ]
    return {
        "over": True,
        "how": safe(summary(table, view, words)),
        "gains": gains,
        "own_gain": next(gain for gain in gains if gain.own),
    }


def table_of_branch(table: Table, people: Collection[int], level: str) -> Table:
    """Return the table with bots of this level in all seats but those of ``people``."""
    seated = tuple(_seated(person, level if person.seat not in people else "") for person in table.people)
    return replace(table, people=seated, status=Status.RUNNING, wins=())


def _seated(person: Person, level: str) -> Person:
    if level:
        return replace(person, kind=Occupant.BOT, bot=level, user_id=None, guest=False)
    return replace(person, kind=Occupant.HUMAN, bot="")


def _ways(at: int, last: int) -> dict[str, int | None]:
    """Return the number of moves to which each button leads, None if it is disabled."""
    back, on = at > 0, at < last
    return {
        "first": 0 if back else None,
        "before": at - 1 if back else None,
        "after": at + 1 if on else None,
        "last": last if on else None,
    }


def _total(ended: RoundEnded, side: int) -> Html:
    return signed(whole(ended, side)[1].total)
