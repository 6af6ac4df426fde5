"""The terms of any table in words: each choice with one sentence that says what it does, and what is not classic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.engine.variants import rules_for
from games.enums import Clock, Delay, Visibility
from games.match.time_control import CONTROLS
from games.words import Choice, words_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from games.words import Text

SECOND = 1000
CLOCK = _("Clock")
STAKE = _("What it is played for")
VISIBILITY = _("Who can come")
DELAY = _("What spectators see")
CLOCK_NAMES = {
    Clock.FAST: _("Fast"),
    Clock.NORMAL: _("Normal"),
    Clock.RELAXED: _("Relaxed"),
    Clock.NONE: _("No clock"),
}
VISIBILITIES = {
    Visibility.PUBLIC: Choice(_("Public"), _("The lobby lists the table; anybody may sit down or watch.")),
    Visibility.LINK: Choice(
        _("By link"), _("No list shows the table; only who gets its address finds it."), _("by link")
    ),
}
DELAYS = {
    Delay.NONE: Choice(_("At once"), _("Spectators see each move when it is made.")),
    Delay.SHORT: Choice(_("30 s later"), _("Spectators see everything 30 seconds later.")),
    Delay.LONG: Choice(_("2 minutes later"), _("Spectators see everything 2 minutes later.")),
    Delay.ROUND: Choice(
        _("One round later"), _("Spectators see a round from its beginning while the next one is played.")
    ),
    Delay.OPEN: Choice(
        _("One round later, hands open"),
        _("Spectators see each round while the next one is played, with the tiles of all players open."),
    ),
}
STAKES = {
    "casual": Choice(_("Casual"), _("Nothing is at stake; a bot plays on for whoever leaves.")),
    "rated": Choice(
        _("Rated"),
        _(
            "The result counts for rating points, and who leaves or runs out of time loses. "
            "It takes two people with accounts."
        ),
        _("rated"),
    ),
}


def clock_note(clock: str) -> _StrPromise:
    """Return a clock as a list shows it: ``30 s + 120 s``."""
    control = CONTROLS[Clock(clock)]
    if not control.move_ms:
        return CLOCK_NAMES[Clock.NONE]
    return format_lazy(_("{move} s + {bank} s"), move=control.move_ms // SECOND, bank=control.bank_ms // SECOND)


def _clock_text(clock: Clock) -> _StrPromise:
    control = CONTROLS[clock]
    if not control.move_ms:
        return _(
            "Everybody may think as long as they like. Whoever lets a day pass has lost a rated match; "
            "any other is stopped."
        )
    return format_lazy(
        _("{move} seconds for each move, and {bank} seconds a match for the moves that take longer."),
        move=control.move_ms // SECOND,
        bank=control.bank_ms // SECOND,
    )


CLOCKS = {clock: Choice(CLOCK_NAMES[clock], _clock_text(clock), clock_note(clock)) for clock in Clock}


def seats_choice(seats: int) -> Choice:
    """Return a number of seats in words."""
    return Choice(ngettext_lazy("%(count)d player", "%(count)d players", "count") % {"count": seats}, "")


def changes(
    variant: str,
    options: Mapping[str, str],
    *,
    clock: str,
    visibility: str,
    rated: bool,
    delay: str = Delay.NONE,
) -> tuple[Choice, ...]:
    """Return how a table differs from the classic game: usual options, a normal clock, public, no delay, casual.

    With how many one plays is no difference: everybody sees the seats.
    """
    words = words_of(variant)
    changed = [
        _named(words.option(option.name), words.choice(option.name, options[option.name]))
        for option in rules_for(variant).options
        if options.get(option.name, option.default) != option.default
    ]
    if clock != Clock.NORMAL:
        changed.append(_named(CLOCK, CLOCKS[Clock(clock)]))
    if visibility != Visibility.PUBLIC:
        changed.append(_named(VISIBILITY, VISIBILITIES[visibility]))
    if delay != Delay.NONE:
        changed.append(_named(DELAY, DELAYS[Delay(delay)]))
    if rated:
        changed.append(_named(STAKE, STAKES["rated"]))
    return tuple(changed)


def _named(title: Text, choice: Choice) -> Choice:
    """Return a choice that says of what it is one."""
    return replace(choice, name=format_lazy("{title}: {choice}", title=title, choice=choice.name))
