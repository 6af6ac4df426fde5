"""Texts of the page of open data: what its files and their fields contain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from games.words import Text

NO_SUCH_FILE = _("This file does not exist, or is not on this server.")

# The names of fields, and what these contain.
RECORD_FIELDS: tuple[tuple[str, Text], ...] = (
    ("match", _("The code of the match")),
    ("day", _("The day on which the match ended; the day of a daily board")),
    ("kind", _("“rated” for a rated match, “daily_board” for a daily board")),
    ("players", _("For each seat the code of the person, or the level of the bot")),
    ("ratings", _("For each seat the rating before the match and its deviation")),
    ("result", _("How the match ended, with the places and points of all seats")),
    ("clock, absence", _("The clock, and what happens if a player is absent")),
    ("set, board", _("Daily boards with the same set and number have the same deal")),
    ("events", _("All deals and moves, and the points with their rules")),
)
CHOICE_FIELDS: tuple[tuple[str, Text], ...] = (
    ("match, day, player, rating", _("The same as in the record")),
    ("seats, seat, round", _("The number of players, the seat from 0, and the round from 1")),
    ("event", _("The number of the move among the events of the record")),
    ("move, best", _("The move, and the best one")),
    ("points_lost", _("How many points the move lost, compared with the best one")),
    ("chance_lost", _("How much of the chance to win the move lost; 0.01 is one percentage point")),
    ("chance", _("The chance to win after the move, from 0 to 1")),
    ("legal_moves", _("The number of legal moves")),
    ("checks, error", _("How many further simulations checked the choice, and the standard error of the chance")),
)


def content_text(kind: str, lines: int) -> str:
    """Return what a file of this kind contains."""
    if kind == "records":
        text = ngettext("%(count)d match as JSON, one per line", "%(count)d matches as JSON, one per line", lines)
        return text % {"count": lines}
    if kind == "choices":
        text = ngettext("%(count)d choice and its cost", "%(count)d choices and their cost", lines)
        return text % {"count": lines}
    if kind == "transcripts":
        return str(_("The same matches as short texts"))
    return str(_("Checksums of the files"))
