"""The forms of the lobby. They check the shape of the input; the services check whether it is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine.options import LENGTH_OPTION, QUICK, Option
from games.engine.rules import Rules
from games.enums import DAILY_CLOCKS
from games.errors import REFUSAL_TEXTS
from games.models import Match
from games.terms.terms import Terms
from games.words import Choice, words_of
from games.words.phrases import TABLE_PHRASES
from games.words.table import (
    ABSENCE_LABEL,
    ABSENCES,
    CHAT_LABEL,
    CLOCK_LABEL,
    CLOCKS,
    DELAY_LABEL,
    DELAYS,
    STAKES,
    STAKES_LABEL,
    TALKS,
    VISIBILITIES,
    VISIBILITY_LABEL,
    short_clock_name,
)

OPTION_PREFIX = "option_"
LENGTH_FIELD = OPTION_PREFIX + LENGTH_OPTION.name
# The fields that the form shows at once; the others are folded away.
MAIN_FIELDS = ("seats", LENGTH_FIELD, "clock", "visibility")
# What the form proposes to a host who plays with friends.
FRIENDS_TABLE = {LENGTH_FIELD: QUICK, "clock": Match.Clock.RELAXED, "visibility": Match.Visibility.LINK}
# The field of a table's form at which an objection to a rated match is shown.
OBJECTION_FIELDS = {"rated_is_full": LENGTH_FIELD, "rated_has_clock": "clock"}


def seat_counts_note(counts: tuple[int, ...]) -> str:
    """Return for how many players a choice is possible: ``Only for 2 or 4 players.``"""
    *smaller, last = counts
    numbers = TABLE_PHRASES["or"] % {"one": ", ".join(map(str, smaller)), "other": last} if smaller else last
    # Translators: one number or several, as "2 or 4"; the plural form is that of the last number
    text = ngettext("Only for %(numbers)s player.", "Only for %(numbers)s players.", last)
    return text % {"numbers": numbers}


class SeatForm(forms.Form):
    """The seat to sit down at; empty: the first free seat."""

    index = forms.IntegerField(min_value=0, max_value=20, required=False)


class RadioField(forms.ChoiceField):
    """Radio buttons, each with a sentence; the first is the default."""

    def __init__(self, *, label: Any, choices: Mapping[Any, Choice], initial: Any, help_text: Any = "") -> None:
        super().__init__(
            label=label,
            choices=list(choices.items()),
            initial=initial,
            help_text=help_text,
            widget=forms.RadioSelect,
            required=False,
        )

    def clean(self, value: Any) -> Any:
        return super().clean(value) or self.initial


class TableForm(forms.Form):
    """The terms of a table of one variant.

    A host without an account cannot choose a clock of days.
    """

    def __init__(self, rules: Rules, *args: Any, has_account: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules, self.has_account = rules, has_account
        words = words_of(rules.key)
        self.fields["seats"] = RadioField(
            # Translators: the number of players of a table
            label=_("Players"),
            choices={str(count): Choice(str(count), "") for count in rules.seat_counts},
            initial=str(max(rules.seat_counts)),
        )
        for option in rules.options:
            self.fields[OPTION_PREFIX + option.name] = RadioField(
                label=words.option(option.name),
                choices={choice: words.choice(option.name, choice) for choice in option.choices},
                initial=option.default,
                help_text=seat_counts_note(option.seats) if option.seats else "",
            )
        self.fields["clock"] = RadioField(
            label=CLOCK_LABEL,
            choices={clock: replace(choice, name=short_clock_name(clock)) for clock, choice in CLOCKS.items()},
            initial=Match.Clock.NORMAL,
            help_text="" if has_account else _("Daily matches need an account."),
        )
        self.fields["visibility"] = RadioField(
            label=VISIBILITY_LABEL, choices=VISIBILITIES, initial=Match.Visibility.PUBLIC
        )
        self.fields["delay"] = RadioField(label=DELAY_LABEL, choices=DELAYS, initial=Match.Delay.NONE)
        self.fields["absence"] = RadioField(label=ABSENCE_LABEL, choices=ABSENCES, initial="usual")
        self.fields["talk"] = RadioField(label=CHAT_LABEL, choices=TALKS, initial=Match.Talk.FREE)
        self.fields["stakes"] = RadioField(label=STAKES_LABEL, choices=STAKES, initial="casual")

    def clean(self) -> dict[str, Any]:
        """Reject choices that do not exist for this number of players, or not in a rated match."""
        data = self.cleaned_data
        for option in self.rules.options:
            field_name = OPTION_PREFIX + option.name
            is_possible = not option.seats or int(data.get("seats", option.seats[0])) in option.seats
            if not is_possible and data.get(field_name, option.default) != option.default:
                self.add_error(field_name, self.seat_count_error(option))
        for code in self.terms.rated_objections() if not self.errors else ():
            self.add_error(OBJECTION_FIELDS[code], REFUSAL_TEXTS[code])
        if data.get("clock") in DAILY_CLOCKS and not self.has_account:
            self.add_error("clock", REFUSAL_TEXTS["days_need_account"])
        return data

    def seat_count_error(self, option: Option) -> str:
        """Return the error for a choice that this number of players cannot make. It names the possible choice."""
        usual = words_of(self.rules.key).choice(option.name, option.default).name
        text = _("Choose “%(usual)s”, or another number of players.") % {"usual": usual}
        return f"{seat_counts_note(option.seats)} {text}"

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in MAIN_FIELDS if name in self.fields]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in MAIN_FIELDS]

    @property
    def unfolds_more(self) -> bool:
        """Return True if the folded part has an error to show."""
        return any(field.errors for field in self.more_fields)

    @property
    def terms(self) -> Terms:
        data = self.cleaned_data
        return Terms(
            variant=self.rules.key,
            seats=int(data["seats"]),
            options={option.name: data[OPTION_PREFIX + option.name] for option in self.rules.options},
            clock=data["clock"],
            visibility=data["visibility"],
            rated=data["stakes"] == "rated",
            delay=data["delay"],
            absence="" if data["absence"] == "usual" else data["absence"],
            talk=data["talk"],
        )
