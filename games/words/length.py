"""The length of a match in words: quick or full, and the minutes of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.engine.options import FULL, LENGTH_OPTION, ONE_ROUND, QUICK
from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.enums import DAILY_CLOCKS
from games.words import Choice
from games.words.table import CLOCK_NAMES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from games.words import Text

# The median minutes of a match by variant, length and number of players, with the usual options otherwise.
MEDIAN_MINUTES: Mapping[str, Mapping[str, Mapping[int, int]]] = {
    "all_fives": {QUICK: {2: 5, 3: 7, 4: 6}, FULL: {2: 16, 3: 15, 4: 35}},
    "gamezz": {QUICK: {2: 8, 3: 6, 4: 6}, FULL: {2: 16, 3: 13, 4: 15}},
    "kozel": {QUICK: {2: 8, 3: 6, 4: 7}, FULL: {2: 16, 3: 14, 4: 15}},
    "rytmino": {FULL: {2: 2, 3: 2, 4: 2}},
    "triominoes": {QUICK: {2: 7, 3: 6, 4: 6}, FULL: {2: 14, 3: 13, 4: 14}},
}
LENGTH_NAMES: Mapping[str, Text] = {QUICK: _("Quick"), FULL: _("Full"), ONE_ROUND: _("One round")}


def lengths_of(rules: Rules) -> tuple[str, ...]:
    """Return the lengths that a match of the variant may have, the shortest first."""
    return (QUICK, FULL) if LENGTH_OPTION in rules.options else (FULL,)


def length_of(options: Mapping[str, str]) -> str:
    """Return the length of a match with these options."""
    return options.get(LENGTH_OPTION.name, FULL)


def minutes_note(variant: str, length: str, seats: int) -> _StrPromise | str:
    """Return the minutes of a match as a card shows them: ``~8 min``, "" if they were not measured."""
    minutes = MEDIAN_MINUTES.get(variant, {}).get(length, {}).get(seats)
    if minutes is None:
        return ""
    return format_lazy(ngettext_lazy("~{minutes} min", "~{minutes} min", minutes), minutes=minutes)


def length_note(variant: str, options: Mapping[str, str], seats: int, clock: str) -> str:
    """Return the length of a table in a list: ``Quick, ~8 min``, without minutes if the options are unusual.

    Daily matches show the clock instead of minutes: ``Full, Two days a move``.
    """
    rules, length = rules_for(variant), length_of(options)
    is_usual = all(
        options.get(option.name, option.default) == option.default
        for option in rules.options
        if option is not LENGTH_OPTION
    )
    name = LENGTH_NAMES[length] if LENGTH_OPTION in rules.options else ""
    minutes = minutes_note(variant, length, seats) if is_usual else ""
    return ", ".join(str(part) for part in (name, CLOCK_NAMES[clock] if clock in DAILY_CLOCKS else minutes) if part)


def match_duration_table(rules: Rules) -> dict[str, Any]:
    """Return the minutes of all lengths (``lengths``, names) for each number of players (``rows``)."""
    lengths, median_minutes = lengths_of(rules), MEDIAN_MINUTES.get(rules.key, {})
    rows = [
        (seats, [median_minutes.get(length, {}).get(seats, "") for length in lengths]) for seats in rules.seat_counts
    ]
    return {"lengths": [LENGTH_NAMES[length] for length in lengths], "rows": rows}


def length_option(variant: str, *, full: Text, quick: Text) -> tuple[Text, dict[str, Choice]]:
    """Return the name of the option and its choices, from a sentence about each length."""
    return _("Length"), {
        FULL: Choice(LENGTH_NAMES[FULL], _with_minutes(full, variant, FULL)),
        QUICK: Choice(LENGTH_NAMES[QUICK], _with_minutes(quick, variant, QUICK), _("quick")),
    }


def _with_minutes(text: Text, variant: str, length: str) -> _StrPromise:
    """Return the sentence with the minutes of a match with any number of players: ``5 to 8 minutes``."""
    minutes = MEDIAN_MINUTES[variant][length].values()
    min_minutes, max_minutes = min(minutes), max(minutes)
    # Translators: two numbers, as "5 to 8 minutes"; the plural form is that of the last number
    sentence = ngettext_lazy(
        "{text} Takes about {least} to {most} minute.", "{text} Takes about {least} to {most} minutes.", max_minutes
    )
    return format_lazy(sentence, text=text, least=min_minutes, most=max_minutes)
