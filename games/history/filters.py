"""The filters of the history, which its pages have in their addresses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.names.rules import MAX_INPUT_LENGTH, name_search_key
from games.history.queries import Cursor, MatchFilter
from games.models import Seat
from games.words import offered_variants, words_of

MAX_CURSOR_LENGTH = 40
NO_SUCH_GAME = _("There is no such game. Choose one from the list.")
NO_SUCH_RESULT = _("There is no such result. Choose one from the list.")
NOT_A_DATE = _("This is not a date. Write it as year-month-day, for example 2026-11-21.")
NO_SUCH_PAGE = _("This page of the list does not exist.")
RESULT_CHOICES = [
    ("", _("any result")),
    (Seat.Outcome.WON, pgettext_lazy("result of a match", "won")),
    (Seat.Outcome.LOST, pgettext_lazy("result of a match", "lost")),
    (Seat.Outcome.LEFT, pgettext_lazy("result of a match", "left")),
    (Seat.Outcome.TIMEOUT, pgettext_lazy("result of a match", "ran out of time")),
    (Seat.Outcome.STOPPED, pgettext_lazy("result of a match", "stopped")),
]
MAIN_FILTERS = ("player", "game")  # the others are folded away
ANY_PERSON_ID = 0  # stands for any id: the fields on a person's page do not depend on the person
RESULTS_OF_ONE_PLAYER = (Seat.Outcome.WON, Seat.Outcome.LOST)


class DayField(forms.DateField):
    """A day, as browsers write it into an address."""

    def __init__(self, label: Any) -> None:
        super().__init__(
            label=label,
            required=False,
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
            error_messages={"invalid": NOT_A_DATE},
        )


class HistoryForm(forms.Form):
    """The filters of a list of matches. On a person's page (``person_id``) there is no field for a name."""

    after = forms.CharField(
        required=False,
        max_length=MAX_CURSOR_LENGTH,
        widget=forms.HiddenInput,
        error_messages={"max_length": NO_SUCH_PAGE},
    )

    def __init__(self, data: Any, *, person_id: int | None = None) -> None:
        super().__init__(data)
        self.person_id = person_id
        if person_id is None:
            self.fields["player"] = forms.CharField(
                label=_("Player’s name"),
                required=False,
                max_length=MAX_INPUT_LENGTH,
                error_messages={"max_length": _("This name is too long.")},
                widget=forms.TextInput({"type": "search", "autocomplete": "off"}),
            )
        games = [(key, words_of(key).name) for key in offered_variants()]
        self.fields["game"] = forms.ChoiceField(
            label=_("Game"),
            required=False,
            choices=[("", _("all games")), *games],
            error_messages={"invalid_choice": NO_SUCH_GAME},
        )
        self.fields["result"] = forms.ChoiceField(
            label=_("Result"),
            required=False,
            choices=RESULT_CHOICES,
            error_messages={"invalid_choice": NO_SUCH_RESULT},
        )
        # Translators: labels of two dates, the first and the last day of the list
        self.fields["from"] = DayField(_("From (UTC)"))
        self.fields["to"] = DayField(_("To (UTC)"))
        if person_id is None:
            self.fields["bots"] = forms.BooleanField(label=_("Include matches between bots"), required=False)

    def clean_player(self) -> str:
        name: str = self.cleaned_data["player"]
        if name and not name_search_key(name):
            raise ValidationError(_("Names need at least one letter or digit."), code="letters")
        return name

    def clean_after(self) -> Cursor | None:
        text = self.cleaned_data["after"]
        try:
            return Cursor.parse(text) if text else None
        except ValueError:
            raise ValidationError(NO_SUCH_PAGE, code="cursor") from None

    def clean(self) -> None:
        data = self.cleaned_data
        if data.get("from") and data.get("to") and data["from"] > data["to"]:
            self.add_error("to", _("“To” must not be earlier than “From”."))
        has_player = self.person_id or "player" not in data or data["player"]
        if data.get("result") in RESULTS_OF_ONE_PLAYER and not has_player:
            self.add_error("player", _("Enter a name to filter by result."))

    @property
    def match_filter(self) -> MatchFilter:
        data = self.cleaned_data
        return MatchFilter(
            variant=data["game"],
            name=data.get("player", ""),
            person_id=self.person_id,
            outcome=data["result"],
            since=data["from"],
            until=data["to"],
            with_bot_matches=data.get("bots", False),
        )

    @property
    def main_filters(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name in MAIN_FILTERS]

    @property
    def more_filters(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name not in MAIN_FILTERS]

    @property
    def unfolds_more(self) -> bool:
        """Return True if a folded filter is set, or has an error to show."""
        return any(self.data.get(field.name) or field.errors for field in self.more_filters)

    @property
    def has_filters(self) -> bool:
        """Return True if any filter is set."""
        return any(self.data.get(field.name) for field in self.visible_fields())

    def address(self, after: Cursor | None = None) -> str:
        """Return the query string of the same list, from the first page on or from a cursor."""
        values = {field.name: self.cleaned_data[field.name] for field in self.visible_fields()} | {"after": after}
        return "?" + urlencode({name: value for name, value in values.items() if value})


def filter_form_html(form: HistoryForm) -> SafeString:
    """Return the fields of the form with their errors."""
    names = (field.name for field in form.visible_fields())
    values = tuple((name, form.data[name]) for name in names if name in form.data)
    return _cached_form_html(values, form.person_id is not None, translation.get_language() or settings.LANGUAGE_CODE)


@lru_cache(maxsize=500)
def _cached_form_html(values: tuple[tuple[str, str], ...], of_person: bool, language: str) -> SafeString:
    """Render the fields. Cached because this takes a fifth of a page's time, and most pages share them."""
    form = HistoryForm(dict(values), person_id=ANY_PERSON_ID if of_person else None)
    with translation.override(language):
        return render_to_string("history/filters.html", {"form": form})
