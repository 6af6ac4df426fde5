"""Tournaments in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, npgettext_lazy, pgettext_lazy

from games.enums import Clock, TournamentFormat
from games.tournaments.content import Heading
from games.words import Choice, words_of
from games.words.length import length_note
from games.words.table import STAKES, VISIBILITIES, clock_note, seats_choice

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from games.words import Text

FORMATS: dict[str, Choice] = {
    TournamentFormat.ARENA: Choice(
        pgettext_lazy("format of a tournament", "Arena"),
        _("You play one match after another until the time is up. Come and go as you like."),
    ),
    TournamentFormat.SWISS: Choice(
        pgettext_lazy("format of a tournament", "Swiss"),
        _("Everybody plays every round, against people with about as many points."),
    ),
    TournamentFormat.DUPLICATE: Choice(
        pgettext_lazy("format of a tournament", "Duplicate"),
        _("All tables play the same boards. Your result counts against everybody with your tiles."),
    ),
}
ENTRIES: dict[str, Choice] = {
    "open": Choice(_("Anybody may enter"), ""),
    "asks": Choice(_("You accept each entry"), "", _("the host accepts each entry")),
}
PEOPLE: dict[str, Choice] = {
    "all": Choice(_("Guests too"), ""),
    "accounts": Choice(_("People with accounts"), "", _("for people with accounts")),
    "bots": Choice(_("Bots of players"), "", _("for bots of players")),
}
# Translators: a choice in a form: no limit
NO_LIMIT = pgettext_lazy("a limit", "none")
# Translators: a choice in a form: a tournament for members of no particular club
WITHOUT_CLUB = pgettext_lazy("members of a club", "No club: for everybody")
# Translators: a choice in a form: the number of rounds follows from the number of people
USUAL_ROUNDS = pgettext_lazy("rounds of a tournament", "as usual")
LIST_TITLES: dict[str, Text] = {
    "running": _("Live now"),
    "upcoming": pgettext_lazy("tournaments", "Coming up"),
    "finished": pgettext_lazy("tournaments", "Finished"),
}
BOARD_IS_OPEN = _("The results of this board are secret until it is over at all tables.")
SITE_NAME = _("Dominoes online")
STAGES: dict[str, Text] = {
    "running": pgettext_lazy("stage of a tournament", "Running"),
    "over": pgettext_lazy("stage of a tournament", "Over"),
    "cancelled": pgettext_lazy("stage of a tournament", "Cancelled"),
}
FACTS: dict[str, Text] = {
    "entered": _("%(names)s: entered"),
    "left": _("%(names)s: out"),
    "paused": _("%(names)s: pause"),
    "returned": _("%(names)s: back"),
    "started": _("The tournament has started."),
    "paired": _("Round %(number)s: the tables are set."),
    "round_over": _("Round %(number)s is over."),
    "counted": _("Table %(number)s is over."),
    "dropped": _("Table %(number)s took too long and does not count."),
    "unfinished": _("Table %(number)s was not played to its end."),
    "changed": _("Table %(number)s: a moderator has changed the result."),
    "ended": _("The tournament is over."),
    "ended_early": _("The tournament ended early because the bots have changed."),
    "cancelled": _("The tournament is cancelled."),
}


class Titled(Protocol):
    """A tournament, as a row or as a heading."""

    @property
    def name(self) -> str: ...

    @property
    def variant(self) -> str: ...

    @property
    def format(self) -> str: ...


def title_of(tournament: Titled) -> str:
    """Return the name of a tournament, without one its game and format: ``Kozel · Arena``."""
    return tournament.name or f"{words_of(tournament.variant).name} · {FORMATS[tournament.format].name}"


def calendar_title(heading: Heading) -> str:
    return f"{title_of(heading)} · {SITE_NAME}"


def minutes_text(minutes: int) -> _StrPromise:
    return format_lazy(ngettext_lazy("{count} minute", "{count} minutes", minutes), count=minutes)


def boards_text(boards: int) -> _StrPromise:
    text = npgettext_lazy("of a tournament", "{count} board", "{count} boards", boards)
    return format_lazy(text, count=boards)


def rounds_text(rounds: int) -> _StrPromise:
    text = npgettext_lazy("of a tournament", "{count} round", "{count} rounds", rounds)
    return format_lazy(text, count=rounds)


def entrants_text(parties: int) -> _StrPromise:
    # Translators: how many people, or pairs of partners, play in a tournament
    return format_lazy(ngettext_lazy("{count} entered", "{count} entered", parties), count=parties)


def short_terms(heading: Heading) -> tuple[Text, ...]:
    """Return what a list says of a tournament: the game where the title is a name, the length, the tables."""
    game = (words_of(heading.variant).name, FORMATS[heading.format].name) if heading.name else ()
    length = _length_text(heading)
    partners = (_("partners"),) if heading.people > 1 else ()
    return (*game, *length, seats_choice(heading.seats).name, *partners, entrants_text(heading.parties))


def all_terms(heading: Heading) -> tuple[Text, ...]:
    """Return what the page says of the tables and of who may enter."""
    note = length_note(heading.variant, dict(heading.options), heading.seats, heading.clock)
    terms: list[Text] = [note] if note else []
    terms += [clock_note(heading.clock)] if heading.clock != Clock.NORMAL else []
    terms += [STAKES["rated"].note] if heading.rated else []
    terms += [VISIBILITIES["link"].note] if heading.is_unlisted else []
    terms += [ENTRIES["asks"].note] if heading.asks else []
    terms += [PEOPLE["accounts"].note] if heading.needs_account else []
    terms += [PEOPLE["bots"].note] if heading.bots_only else []
    return (*terms, *_rating_terms(heading))


def _length_text(heading: Heading) -> tuple[Text, ...]:
    if heading.minutes:
        return (minutes_text(heading.minutes),)
    if heading.format == TournamentFormat.DUPLICATE:
        return (boards_text(heading.rounds),) if heading.rounds else ()
    return (rounds_text(heading.rounds),) if heading.rounds else ()


def _rating_terms(heading: Heading) -> tuple[Text, ...]:
    terms: list[Text] = []
    if heading.min_rating:
        terms.append(format_lazy(_("rating at least {number}"), number=heading.min_rating))
    if heading.max_rating:
        terms.append(format_lazy(_("rating at most {number}"), number=heading.max_rating))
    if heading.min_matches:
        text = ngettext_lazy("{count} rated match or more", "{count} rated matches or more", heading.min_matches)
        terms.append(format_lazy(text, count=heading.min_matches))
    return tuple(terms)
