"""What comes in from the pages of the lobby, checked for shape; the services check for sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.engine.rules import Rules
from games.models import Match
from games.table_words import CLOCKS, STAKES, VISIBILITIES, seats_choice
from games.words import Choice, words_of

OPTION = "option_"


class SeatForm(forms.Form):
    """At which seat to sit down; without one the first free seat."""

    index = forms.IntegerField(min_value=0, max_value=20, required=False)


class Radios(forms.ChoiceField):
    """One choice of a few, each with its sentence; without an answer the first one."""

    def __init__(self, *, label: Any, choices: Mapping[Any, Choice], initial: Any) -> None:
        super().__init__(
            label=label, choices=list(choices.items()), initial=initial, widget=forms.RadioSelect, required=False
        )

    def clean(self, value: Any) -> Any:
        return super().clean(value) or self.initial


class TableForm(forms.Form):
    """The terms of a table of one variant. ``terms`` are keyword arguments for ``lobby.create_table``."""

    def __init__(self, rules: Rules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        words = words_of(rules.key)
        self.fields["seats"] = Radios(
            label=_("Seats"),
            choices={str(count): seats_choice(count) for count in rules.seat_counts},
            initial=str(max(rules.seat_counts)),
        )
        for option in rules.options:
            self.fields[OPTION + option.name] = Radios(
                label=words.option(option.name),
                choices={choice: words.choice(option.name, choice) for choice in option.choices},
                initial=option.default,
            )
        self.fields["clock"] = Radios(label=_("Clock"), choices=CLOCKS, initial=Match.Clock.NORMAL)
        self.fields["visibility"] = Radios(
            label=_("Who can come"), choices=VISIBILITIES, initial=Match.Visibility.PUBLIC
        )
        self.fields["stakes"] = Radios(label=_("What it is played for"), choices=STAKES, initial="casual")

    @property
    def terms(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "variant": self.rules.key,
            "seats": int(data["seats"]),
            "options": {option.name: data[OPTION + option.name] for option in self.rules.options},
            "clock": data["clock"],
            "visibility": data["visibility"],
            "rated": data["stakes"] == "rated",
        }
