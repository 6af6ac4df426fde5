"""Presets: ready-made tables, opened with one button. They follow from the rules, so every variant has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.engine.options import FULL, LENGTH_OPTION
from games.engine.rules import Rules
from games.enums import DAILY_CLOCKS
from games.errors import Refused
from games.models import Match
from games.terms.terms import Terms
from games.words.length import length_note, lengths_of
from games.words.table import clock_note, seats_choice

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# The name and the description of each kind of ready-made table.
PRESET_TEXTS: Mapping[str, tuple[_StrPromise, _StrPromise]] = {
    "usual": (pgettext_lazy("ready-made table", "Full table"), _("The standard game at a full table.")),
    "duel": (pgettext_lazy("ready-made table", "Duel"), _("One against one, with a fast clock.")),
    "relaxed": (pgettext_lazy("ready-made table", "Relaxed"), _("A full table with time to think.")),
    "daily": (pgettext_lazy("ready-made table", "Daily"), _("One day per move: play when you like.")),
    "rated": (pgettext_lazy("ready-made table", "Rated"), _("A full table, played for your rating.")),
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A ready-made table with its terms. The key is unique in a variant."""

    key: str
    name: _StrPromise
    text: _StrPromise
    terms: Terms

    @property
    def length_note(self) -> str:
        return length_note(self.terms.variant, self.terms.options, self.terms.seats, self.terms.clock)

    @property
    def facts(self) -> str:
        """Return the players, the length and the clock, which the length of a daily match contains."""
        clock = "" if self.terms.clock in DAILY_CLOCKS else clock_note(self.terms.clock)
        return " · ".join(str(fact) for fact in (seats_choice(self.terms.seats), self.length_note, clock) if fact)


def usual_terms(rules: Rules, length: str = "") -> Terms:
    """Return the terms of the usual table of this length (default: the shortest). Raises Refused ``bad_request``."""
    lengths = lengths_of(rules)
    chosen = length or lengths[0]
    if chosen not in lengths:
        raise Refused("bad_request")
    return Terms(rules.key, max(rules.seat_counts), {} if chosen == FULL else {LENGTH_OPTION.name: chosen})


def presets_of(rules: Rules) -> tuple[Preset, ...]:
    """Return the variant's ready-made tables, the usual one first."""
    shortest_terms, full_length_terms = usual_terms(rules), usual_terms(rules, FULL)
    duel_terms = replace(shortest_terms, seats=min(rules.seat_counts), clock=Match.Clock.FAST)
    relaxed_terms = replace(full_length_terms, clock=Match.Clock.RELAXED)
    daily_terms = replace(full_length_terms, seats=min(rules.seat_counts), clock=Match.Clock.ONE_DAY)
    return (
        Preset("usual", *PRESET_TEXTS["usual"], shortest_terms),
        Preset("duel", *PRESET_TEXTS["duel"], duel_terms),
        Preset("relaxed", *PRESET_TEXTS["relaxed"], relaxed_terms),
        Preset("daily", *PRESET_TEXTS["daily"], daily_terms),
        Preset("rated", *PRESET_TEXTS["rated"], replace(full_length_terms, rated=True)),
    )


def preset_with_key(rules: Rules, key: str) -> Preset | None:
    """Return the ready-made table with this key, if the variant has one."""
    return next((preset for preset in presets_of(rules) if preset.key == key), None)
