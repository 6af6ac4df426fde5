"""The form that announces a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.engine.rules import Rules
from games.enums import DAILY_CLOCKS, Clock, TournamentFormat, Visibility
from games.lobby.forms import LENGTH_FIELD, OPTION_PREFIX, RadioField, TableForm
from games.models import Club
from games.terms.terms import Terms
from games.tournaments.announcing import ARENA_MINUTES, BOARD_COUNTS, MAX_NAME, Announcement
from games.tournaments.conditions import Conditions
from games.tournaments.core.terms import MAX_ROUNDS
from games.tournaments.texts import ENTRIES, FORMATS, NO_LIMIT, PEOPLE, USUAL_ROUNDS, WITHOUT_CLUB, minutes_text
from games.words import Choice
from infrastructure.bidi import isolate

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

STARTS = tuple(timedelta(minutes=minutes) for minutes in (10, 30, 60, 120, 180, 360, 720, 1440, 2880, 4320, 10080))
START_STEP = timedelta(minutes=5)
MIN_ROUNDS = 3
RATINGS = (1300, 1400, 1500, 1600, 1700, 1800)
MATCH_COUNTS = (5, 10, 20, 50)
NO_CLUB = "none"  # no slug of a club is as short
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class TournamentForm(TableForm):
    """The terms of a tournament and of its tables, in the fields of a table's form."""

    MAIN: ClassVar = ("club", "format", "minutes", "rounds", "boards", "starts", "seats", LENGTH_FIELD, "visibility")
    TABLES_ONLY: ClassVar = ("delay", "absence", "talk")

    def __init__(
        self, rules: Rules, *args: Any, now: datetime, clubs: Mapping[str, Club] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(rules, *args, **kwargs)
        self.now, self.clubs = now, clubs or {}
        for name in self.TABLES_ONLY:
            del self.fields[name]
        clocks: Any = self.fields["clock"]
        clocks.choices = [pair for pair in clocks.choices if pair[0] not in (*DAILY_CLOCKS, Clock.NONE)]
        # Translators: the name of a tournament
        self.fields["name"] = forms.CharField(label=_("Name"), max_length=MAX_NAME)
        self.fields |= {name: _radio(label, choices) for name, label, choices in _FIELDS}
        if self.clubs:
            names = {slug: Choice(isolate(club.name), "") for slug, club in self.clubs.items()}
            self.fields["club"] = _radio(_("For members of"), {NO_CLUB: Choice(WITHOUT_CLUB, "")} | names)

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.MAIN if name in self.fields]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in (*self.MAIN, "name")]

    @property
    def terms(self) -> Terms:
        return self.announcement.table_terms

    @property
    def announcement(self) -> Announcement:
        data = self.cleaned_data
        club = self.clubs.get(data.get("club", NO_CLUB))
        counts = {TournamentFormat.SWISS: data["rounds"], TournamentFormat.DUPLICATE: data["boards"]}
        return Announcement(
            format=data["format"],
            variant=self.rules.key,
            seats=int(data["seats"]),
            starts_at=_rounded_up(self.now + timedelta(minutes=int(data["starts"]))),
            options={option.name: data[OPTION_PREFIX + option.name] for option in self.rules.options},
            clock=data["clock"],
            rated=data["stakes"] == "rated",
            minutes=int(data["minutes"]) if data["format"] == TournamentFormat.ARENA else 0,
            rounds=int(counts.get(data["format"], 0)),
            name=data.get("name", ""),
            visibility=Visibility(data["visibility"]),
            asks=data["entries"] == "asks",
            conditions=Conditions(
                min_rating=int(data["min_rating"]) or None,
                max_rating=int(data["max_rating"]) or None,
                min_matches=int(data["min_matches"]),
                accounts=data["people"] == "accounts",
                bots=data["people"] == "bots",
            ),
            club=club.pk if club is not None else None,
        )


def _rounded_up(moment: datetime) -> datetime:
    """Return the next moment whose minutes are a multiple of five."""
    return moment + (datetime.min.replace(tzinfo=moment.tzinfo) - moment) % START_STEP


def _after(delay: timedelta) -> _StrPromise:
    """Return a delay in words: ``in 30 minutes``."""
    if delay < HOUR:
        minutes = delay // timedelta(minutes=1)
        return format_lazy(ngettext_lazy("in {count} minute", "in {count} minutes", minutes), count=minutes)
    if delay < DAY:
        hours = delay // HOUR
        return format_lazy(ngettext_lazy("in {count} hour", "in {count} hours", hours), count=hours)
    days = delay // DAY
    return format_lazy(ngettext_lazy("in {count} day", "in {count} days", days), count=days)


def _radio(label: Any, choices: dict[str, Choice]) -> RadioField:
    return RadioField(label=label, choices=choices, initial=next(iter(choices)))


def _numbers(first: Any, numbers: tuple[int, ...]) -> dict[str, Choice]:
    return {"0": Choice(first, "")} | {str(number): Choice(str(number), "") for number in numbers}


_FIELDS: tuple[tuple[str, Any, dict[str, Choice]], ...] = (
    ("format", _("Format"), {str(key): choice for key, choice in FORMATS.items()}),
    ("minutes", _("An arena takes"), {str(number): Choice(minutes_text(number), "") for number in ARENA_MINUTES}),
    ("rounds", _("Rounds of a Swiss tournament"), _numbers(USUAL_ROUNDS, tuple(range(MIN_ROUNDS, MAX_ROUNDS + 1)))),
    (
        "boards",
        _("Boards of a duplicate tournament"),
        {str(number): Choice(str(number), "") for number in BOARD_COUNTS},
    ),
    (
        "starts",
        _("Start"),
        {str(delay // timedelta(minutes=1)): Choice(_after(delay), "") for delay in STARTS},
    ),
    ("people", _("Open to"), PEOPLE),
    ("entries", _("Entries"), ENTRIES),
    ("min_rating", _("Lowest rating"), _numbers(NO_LIMIT, RATINGS)),
    ("max_rating", _("Highest rating"), _numbers(NO_LIMIT, RATINGS)),
    ("min_matches", _("Rated matches at least"), _numbers(NO_LIMIT, MATCH_COUNTS)),
)
