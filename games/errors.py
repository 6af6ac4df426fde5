"""What the site refuses, apart from the rules of a game (those are ``games.engine`` refusals)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

TEXTS: dict[str, Text] = {
    "stale": _("The table has moved on since you looked. Nothing was played; look again."),
    "replaced": _("A bot plays this round for you. You can have your seat back with the next one."),
    "failed": _("That went wrong here. Nothing was changed; please try again."),
    "unavailable": _("The site cannot read or save anything right now. Nothing was changed; please try again soon."),
    "not_seated": _("You do not sit at this table."),
    "not_host": _("Only the person who opened this table can do that."),
    "not_open": _("This table is no longer open: the match has started or is over."),
    "starting": _("The match is starting. Who sits here, and with which part of the shuffle, is fixed by now."),
    "not_running": _("This match is not running."),
    "not_finished": _("This match is not finished yet."),
    "no_round_over": _("No round of this match is over yet."),
    "finished": _("This match is over."),
    "led": _("Somebody else leads already. You may follow."),
    "nameless": _("To lead others you need a name. Log in, or play as a guest."),
    "no_choice": _("There is nothing to choose here."),
    "seat_taken": _("Somebody else was faster: this seat is taken."),
    "table_full": _("Every seat at this table is taken."),
    "name_taken": _("Somebody at this table has a name like yours. Change yours in the settings, then sit down."),
    "already_seated": _("You already sit at this table."),
    "too_many_tables": _("You already sit at as many unfinished tables as one person may. Finish or leave one first."),
    "empty_seats": _("The match can start when every seat is taken. Wait for players or fill the seats with bots."),
    "suspended": _("You are suspended and cannot play now."),
    "no_name": _("To write here you need a name. Log in, or come as a guest."),
    "muted": _("You are muted and cannot write now."),
    "bad_request": _("The site could not read that."),
    "no_table": _("There is no such table, or it has gone away."),
    "ended": _("You are logged out here. Load the page anew."),
    "too_fast": _("That was too much at once. Wait a moment."),
}
"""One sentence for each code; a refusal that knows more brings its own text."""


class Refused(Exception):
    """The site says no: ``code`` for programs, ``text`` (translated late) for the person, ``rule`` an id or None."""

    def __init__(self, code: str, text: Text | None = None, *, rule: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.text: Text = text if text is not None else TEXTS[code]
        self.rule = rule
