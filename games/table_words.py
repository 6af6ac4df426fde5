"""The terms of any table in words: each choice with one sentence that says what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.models import Match
from games.time_control import CONTROLS
from games.words import Choice

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SECOND = 1000
CLOCK_NAMES = {
    Match.Clock.FAST: _("Fast"),
    Match.Clock.NORMAL: _("Normal"),
    Match.Clock.RELAXED: _("Relaxed"),
    Match.Clock.NONE: _("No clock"),
}
VISIBILITIES = {
    Match.Visibility.PUBLIC: Choice(_("Public"), _("The lobby lists the table; anybody may sit down or watch.")),
    Match.Visibility.LINK: Choice(_("By link"), _("No list shows the table; only who gets its address finds it.")),
}
STAKES = {
    "casual": Choice(_("Casual"), _("Nothing is at stake; a bot plays on for whoever leaves.")),
    "rated": Choice(
        _("Rated"),
        _("The result counts for rating points, and who leaves or runs out of time loses. It takes two people."),
    ),
}


def clock_note(clock: str) -> _StrPromise:
    """Return a clock as a list shows it: ``30 s + 120 s``."""
    control = CONTROLS[Match.Clock(clock)]
    if not control.move_ms:
        return CLOCK_NAMES[Match.Clock.NONE]
    return format_lazy(_("{move} s + {bank} s"), move=control.move_ms // SECOND, bank=control.bank_ms // SECOND)


def _clock_text(clock: Match.Clock) -> _StrPromise:
    control = CONTROLS[clock]
    if not control.move_ms:
        return _("Everybody may think as long as they like; a match that nobody touches for a day is stopped.")
    return format_lazy(
        _("{move} seconds for each move, and {bank} seconds a match for the moves that take longer."),
        move=control.move_ms // SECOND,
        bank=control.bank_ms // SECOND,
    )


CLOCKS = {clock: Choice(CLOCK_NAMES[clock], _clock_text(clock), clock_note(clock)) for clock in Match.Clock}


def seats_choice(seats: int) -> Choice:
    """Return a number of seats in words."""
    return Choice(ngettext_lazy("%(count)d player", "%(count)d players", "count") % {"count": seats}, "")
