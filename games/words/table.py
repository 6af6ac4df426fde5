"""The terms of a table in words: all choices, and those that differ from the classic game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.engine.options import LENGTH
from games.engine.variants import rules_for
from games.enums import DAILY, Absence, Clock, Delay, Talk, Visibility
from games.match.table import Agreed
from games.match.time_control import CONTROLS
from games.words import Choice, words_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from games.words import Text

SECOND = 1000
CLOCK = _("Clock")
STAKE = _("Stakes")
VISIBILITY = _("Visibility")
DELAY = _("Spectators")
ABSENCE = _("If somebody is away")
TALK = _("Chat of the players")
CLOCK_NAMES: dict[str, _StrPromise] = {
    Clock.FAST: _("Fast"),
    Clock.NORMAL: _("Normal"),
    Clock.RELAXED: _("Relaxed"),
    Clock.DAY: _("A day a move"),
    Clock.TWO_DAYS: _("Two days a move"),
    Clock.THREE_DAYS: _("Three days a move"),
    Clock.NONE: _("No clock"),
}
VISIBILITIES: dict[str, Choice] = {
    Visibility.PUBLIC: Choice(_("Public"), _("Listed in the lobby; anybody can sit down or watch.")),
    Visibility.LINK: Choice(_("Unlisted"), _("Not in any list: only people with the link find it."), _("unlisted")),
}
DELAYS: dict[str, Choice] = {
    Delay.NONE: Choice(_("Live"), _("Spectators see each move as it is made.")),
    Delay.SHORT: Choice(_("30 seconds later"), _("Spectators see everything 30 seconds later.")),
    Delay.LONG: Choice(_("2 minutes later"), _("Spectators see everything 2 minutes later.")),
    Delay.ROUND: Choice(
        _("One round later"), _("Spectators see each round from its beginning while the next one is being played.")
    ),
    Delay.OPEN: Choice(
        _("One round later, all hands open"),
        _("Spectators see each round while the next one is being played, with everybody’s tiles face up."),
    ),
}
ABSENCES: dict[str, Choice] = {
    "usual": Choice(_("The usual"), _("A bot plays on. A rated match of Kozel ends, as its rulebook says.")),
    Absence.HOLD: Choice(
        _("A bot plays on"),
        _(
            "Somebody who is away can take the seat back at any time; leaving is for good. "
            "Both cost conduct points while other people play."
        ),
        _("a bot plays on"),
    ),
    Absence.FORFEIT: Choice(
        _("The match ends"),
        _(
            "A player who runs out of time or leaves loses at once, and the match is over for everybody. "
            "Both cost conduct points."
        ),
        _("absence ends the match"),
    ),
}
TALKS: dict[str, Choice] = {
    Talk.FREE: Choice(_("Free text"), _("Players write what they like, and ready phrases.")),
    Talk.PHRASES: Choice(
        _("Ready phrases"),
        _("Players pick from sixteen phrases, which everybody reads in their own language."),
        _("ready phrases only"),
    ),
}
STAKES: dict[str, Choice] = {
    "casual": Choice(_("Casual"), _("Just for fun.")),
    "rated": Choice(
        _("Rated"),
        _("Played for rating points. Needs at least two people with accounts."),
        _("rated"),
    ),
}


def clock_note(clock: str) -> _StrPromise:
    """Return a clock in a list: ``30 s + 120 s``."""
    control = CONTROLS[Clock(clock)]
    if not control.move_ms or clock in DAILY:
        return CLOCK_NAMES[Clock(clock)]
    return format_lazy(_("{move} s + {bank} s"), move=control.move_ms // SECOND, bank=control.bank_ms // SECOND)


def _clock_text(clock: Clock) -> _StrPromise:
    control = CONTROLS[clock]
    if not control.move_ms:
        return _("No time limit for a move. After a day without one, the match is stopped. Not for rated matches.")
    if clock in DAILY:
        return _("For players who are not there at the same time. You get a mail in good time, if you like.")
    return format_lazy(
        _("{move} seconds per move, plus {bank} spare seconds per match for moves that take longer."),
        move=control.move_ms // SECOND,
        bank=control.bank_ms // SECOND,
    )


CLOCKS: dict[str, Choice] = {
    clock: Choice(CLOCK_NAMES[clock], _clock_text(clock), clock_note(clock)) for clock in Clock
}


def seats_choice(seats: int) -> Choice:
    """Return a number of seats in words."""
    return Choice(ngettext_lazy("%(count)d player", "%(count)d players", "count") % {"count": seats}, "")


def agreed_in_words(agreed: Agreed) -> list[Choice]:
    """Return the terms of a table."""
    words = words_of(agreed.variant)
    chosen = dict(agreed.options)
    options = [
        words.choice(option.name, chosen.get(option.name, option.default))
        for option in rules_for(agreed.variant).options
    ]
    stakes = STAKES["rated" if agreed.rated else "casual"]
    return [
        *options,
        CLOCKS[Clock(agreed.clock)],
        ABSENCES[agreed.absence],
        stakes,
        VISIBILITIES[agreed.visibility],
        DELAYS[agreed.delay],
        TALKS[agreed.talk],
    ]


def changes(agreed: Agreed) -> tuple[Choice, ...]:
    """Return the terms that differ from the classic game: usual options, a normal clock, public, no delay, casual.

    The number of players and the length do not count, because lists show the seats and the minutes.
    """
    words, options = words_of(agreed.variant), dict(agreed.options)
    changed = [
        _named(words.option(option.name), words.choice(option.name, options[option.name]))
        for option in rules_for(agreed.variant).options
        if option is not LENGTH and options.get(option.name, option.default) != option.default
    ]
    if agreed.clock != Clock.NORMAL:
        changed.append(_named(CLOCK, CLOCKS[Clock(agreed.clock)]))
    if agreed.visibility != Visibility.PUBLIC:
        changed.append(_named(VISIBILITY, VISIBILITIES[agreed.visibility]))
    if agreed.delay != Delay.NONE:
        changed.append(_named(DELAY, DELAYS[agreed.delay]))
    if agreed.absence == Absence.FORFEIT and not (agreed.rated and rules_for(agreed.variant).absence_rule):
        changed.append(_named(ABSENCE, ABSENCES[Absence.FORFEIT]))
    if agreed.talk != Talk.FREE:
        changed.append(_named(TALK, TALKS[agreed.talk]))
    if agreed.rated:
        changed.append(_named(STAKE, STAKES["rated"]))
    return tuple(changed)


def _named(title: Text, choice: Choice) -> Choice:
    """Return a choice with the title of its option."""
    return replace(choice, name=format_lazy("{title}: {choice}", title=title, choice=choice.name))
