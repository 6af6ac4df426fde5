"""The forms of the lobby. They check the shape of the input; the services check whether it is possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.engine.options import LENGTH, Option
from games.engine.rules import Rules
from games.enums import DAILY
from games.errors import TEXTS
from games.models import Match
from games.terms.terms import Terms
from games.words import Choice, words_of
from games.words.phrases import PHRASES
from games.words.table import (
    ABSENCE,
    ABSENCES,
    CLOCK,
    CLOCKS,
    DELAY,
    DELAYS,
    STAKE,
    STAKES,
    TALK,
    TALKS,
    VISIBILITIES,
    VISIBILITY,
    seats_choice,
)

OPTION = "option_"
# The field of a table's form at which an objection to a rated match is shown.
FIELDS = {"rated_is_full": OPTION + LENGTH.name, "rated_has_clock": "clock"}


def only_for(counts: tuple[int, ...]) -> str:
    """Return for how many players a choice is possible: ``Only for 2 or 4 players.``"""
    *first, last = counts
    numbers = PHRASES["or"] % {"one": ", ".join(map(str, first)), "other": last} if first else last
    # Translators: one number or several, as "2 or 4"; the plural form is that of the last number
    text = ngettext("Only for %(numbers)s player.", "Only for %(numbers)s players.", last)
    return text % {"numbers": numbers}


class SeatForm(forms.Form):
    """The seat to sit down at; empty: the first free seat."""

    index = forms.IntegerField(min_value=0, max_value=20, required=False)


class Radios(forms.ChoiceField):
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
        self.fields["seats"] = Radios(
            # Translators: the number of players of a table
            label=_("Seats"),
            choices={str(count): seats_choice(count) for count in rules.seat_counts},
            initial=str(max(rules.seat_counts)),
        )
        for option in rules.options:
            self.fields[OPTION + option.name] = Radios(
                label=words.option(option.name),
                choices={choice: words.choice(option.name, choice) for choice in option.choices},
                initial=option.default,
                help_text=only_for(option.seats) if option.seats else "",
            )
        self.fields["clock"] = Radios(
            label=CLOCK,
            choices=CLOCKS,
            initial=Match.Clock.NORMAL,
            help_text="" if has_account else _("Daily matches need an account."),
        )
        self.fields["visibility"] = Radios(label=VISIBILITY, choices=VISIBILITIES, initial=Match.Visibility.PUBLIC)
        self.fields["delay"] = Radios(label=DELAY, choices=DELAYS, initial=Match.Delay.NONE)
        self.fields["absence"] = Radios(label=ABSENCE, choices=ABSENCES, initial="usual")
        self.fields["talk"] = Radios(label=TALK, choices=TALKS, initial=Match.Talk.FREE)
        self.fields["stakes"] = Radios(label=STAKE, choices=STAKES, initial="casual")

    def clean(self) -> dict[str, Any]:
        """Reject choices that do not exist for this number of players, or not in a rated match."""
        data = self.cleaned_data
        for option in self.rules.options:
            name = OPTION + option.name
            free = not option.seats or int(data.get("seats", option.seats[0])) in option.seats
            if not free and data.get(name, option.default) != option.default:
                self.add_error(name, self.not_for_so_many(option))
        for code in self.terms.rated_objections() if not self.errors else ():
            self.add_error(FIELDS[code], TEXTS[code])
        if data.get("clock") in DAILY and not self.has_account:
            self.add_error("clock", TEXTS["days_need_account"])
        return data

    def not_for_so_many(self, option: Option) -> str:
        """Return the error for a choice that this number of players cannot make. It names the possible choice."""
        usual = words_of(self.rules.key).choice(option.name, option.default).name
        text = _("Choose “%(usual)s”, or another number of players.") % {"usual": usual}
        return f"{only_for(option.seats)} {text}"

    @property
    def terms(self) -> Terms:
        data = self.cleaned_data
        return Terms(
            variant=self.rules.key,
            seats=int(data["seats"]),
            options={option.name: data[OPTION + option.name] for option in self.rules.options},
            clock=data["clock"],
            visibility=data["visibility"],
            rated=data["stakes"] == "rated",
            delay=data["delay"],
            absence="" if data["absence"] == "usual" else data["absence"],
            talk=data["talk"],
        )
