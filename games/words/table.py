"""The terms of a table in words: all of them, and those that differ from the defaults."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from games.engine.options import LENGTH_OPTION
from games.engine.variants import rules_for
from games.enums import DAILY_CLOCKS, AbsencePolicy, ChatPolicy, Clock, Delay, Visibility
from games.match.table import AgreedTerms
from games.match.time_control import TIME_CONTROLS
from games.words import Choice, words_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from games.words import Text

SECOND_MS = 1000
CLOCK_LABEL = _("Clock")
STAKES_LABEL = _("Stakes")
VISIBILITY_LABEL = _("Visibility")
DELAY_LABEL = _("Spectators")
ABSENCE_LABEL = _("If somebody is away")
CHAT_LABEL = _("Chat of the players")
CLOCK_NAMES: dict[str, _StrPromise] = {
    Clock.FAST: pgettext_lazy("a clock", "Fast"),
    Clock.NORMAL: pgettext_lazy("a clock", "Normal"),
    Clock.RELAXED: pgettext_lazy("a clock", "Relaxed"),
    Clock.ONE_DAY: _("1 day per move"),
    Clock.TWO_DAYS: _("2 days per move"),
    Clock.THREE_DAYS: _("3 days per move"),
    Clock.NONE: _("No clock"),
}
DAY_NAMES: dict[str, _StrPromise] = {
    Clock.ONE_DAY: pgettext_lazy("a clock", "1 day"),
    Clock.TWO_DAYS: pgettext_lazy("a clock", "2 days"),
    Clock.THREE_DAYS: pgettext_lazy("a clock", "3 days"),
}
VISIBILITIES: dict[str, Choice] = {
    Visibility.PUBLIC: Choice(_("Public"), _("Listed in the lobby; anybody can sit down or watch.")),
    Visibility.LINK: Choice(_("Unlisted"), _("Not listed: only people with the link find it."), _("unlisted")),
}
DELAYS: dict[str, Choice] = {
    Delay.NONE: Choice(_("Live"), _("Spectators see each move as it is made.")),
    Delay.SHORT: Choice(_("30 seconds later"), _("Spectators are 30 seconds behind.")),
    Delay.LONG: Choice(_("2 minutes later"), _("Spectators are 2 minutes behind.")),
    Delay.ROUND: Choice(_("One round later"), _("Spectators are one round behind.")),
    Delay.OPEN: Choice(
        _("One round later, all hands open"),
        _("Spectators are one round behind and see all tiles face up."),
    ),
}
# With that of boards, which no host can choose.
ALL_DELAYS: dict[str, Choice] = DELAYS | {
    Delay.BOARD: Choice(_("When the board closes"), _("Nobody else sees this table until the board closes.")),
}
ABSENCES: dict[str, Choice] = {
    "usual": Choice(
        pgettext_lazy("if somebody is away", "Standard"), _("A bot takes over (rated Kozel: the match ends).")
    ),
    AbsencePolicy.HOLD: Choice(
        _("A bot plays on"),
        _("A bot fills in until you return. Leaving is final. Both cost conduct points while other people play."),
        _("a bot plays on"),
    ),
    AbsencePolicy.FORFEIT: Choice(
        _("The match ends"),
        _(
            "If you run out of time or leave, you lose at once and the match is over for all. Both cost "
            "conduct points."
        ),
        _("absence ends the match"),
    ),
}
TALKS: dict[str, Choice] = {
    ChatPolicy.FREE: Choice(_("Free text"), _("Type freely, or pick preset phrases.")),
    ChatPolicy.PRESET_PHRASES: Choice(
        _("Preset phrases"),
        _("Sixteen preset phrases, shown in each reader’s language."),
        _("preset phrases only"),
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
    """Return a clock as lists of tables show it: ``30 s + 120 s``."""
    control = TIME_CONTROLS[Clock(clock)]
    if not control.move_ms or clock in DAILY_CLOCKS:
        return CLOCK_NAMES[Clock(clock)]
    seconds = {"move": control.move_ms // SECOND_MS, "bank": control.bank_ms // SECOND_MS}
    return format_lazy(_("{move} s + {bank} s"), **seconds)


def short_clock_name(clock: str) -> _StrPromise:
    """Return the name of a clock below the title "Clock": ``2 days``."""
    return DAY_NAMES.get(Clock(clock), CLOCK_NAMES[Clock(clock)])


def _clock_text(clock: Clock) -> _StrPromise:
    control = TIME_CONTROLS[clock]
    if not control.move_ms:
        return _("No time limit. The match stops after a day without a move. Not for rated matches.")
    if clock in DAILY_CLOCKS:
        return _("Time for each move. Play when you like; we can email you when it is your turn.")
    return format_lazy(
        _("{move} seconds per move, plus {bank} spare seconds per match for moves that take longer."),
        move=control.move_ms // SECOND_MS,
        bank=control.bank_ms // SECOND_MS,
    )


CLOCKS: dict[str, Choice] = {
    clock: Choice(CLOCK_NAMES[clock], _clock_text(clock), clock_note(clock)) for clock in Clock
}


def seats_choice(seats: int) -> Choice:
    """Return a number of seats in words."""
    return Choice(ngettext_lazy("%(count)d player", "%(count)d players", "count") % {"count": seats}, "")


def terms_in_words(agreed: AgreedTerms) -> list[Choice]:
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
        ALL_DELAYS[agreed.delay],
        TALKS[agreed.chat_policy],
    ]


def unusual_terms(agreed: AgreedTerms) -> tuple[Choice, ...]:
    """Return the terms that differ from the defaults: casual, default options, a normal clock, public, no delay.

    The number of players and the length do not count, because lists show the seats and the minutes.
    """
    words, options = words_of(agreed.variant), dict(agreed.options)
    changed = [_with_title(STAKES_LABEL, STAKES["rated"])] if agreed.rated else []
    changed += [
        _with_title(words.option(option.name), words.choice(option.name, options[option.name]))
        for option in rules_for(agreed.variant).options
        if option is not LENGTH_OPTION and options.get(option.name, option.default) != option.default
    ]
    if agreed.clock != Clock.NORMAL:
        changed.append(_with_title(CLOCK_LABEL, CLOCKS[Clock(agreed.clock)]))
    if agreed.visibility != Visibility.PUBLIC:
        changed.append(_with_title(VISIBILITY_LABEL, VISIBILITIES[agreed.visibility]))
    if agreed.delay != Delay.NONE:
        changed.append(_with_title(DELAY_LABEL, ALL_DELAYS[agreed.delay]))
    if agreed.absence == AbsencePolicy.FORFEIT and not (agreed.rated and rules_for(agreed.variant).absence_rule):
        changed.append(_with_title(ABSENCE_LABEL, ABSENCES[AbsencePolicy.FORFEIT]))
    if agreed.chat_policy != ChatPolicy.FREE:
        changed.append(_with_title(CHAT_LABEL, TALKS[agreed.chat_policy]))
    return tuple(changed)


def _with_title(title: Text, choice: Choice) -> Choice:
    """Return a choice with the title of its option."""
    return replace(choice, name=format_lazy("{title}: {choice}", title=title, choice=choice.name))
