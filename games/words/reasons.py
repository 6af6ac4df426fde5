"""Sentences that explain a bot's move."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

NO_REASONS_IN_RATED_MATCHES = gettext_lazy("In rated matches bots explain nothing.")
NO_TILE_BY_A_BOT = gettext_lazy("No bot has played a tile in this round yet.")
NO_SPECIAL_REASON = gettext_lazy(
    "Nothing on the table favours it. If the bot had a choice, this tile did best in many rounds played "
    "out with guessed hands."
)


def reason_sentence(kind: str, value: int, name: str) -> str:
    """Return a reason (``games.bots.reasons``) as a sentence. ``name`` is the player that it is about, if any."""
    if kind == "points":
        return ngettext("It scores %(points)d point.", "It scores %(points)d points.", value) % {"points": value}
    if kind == "stuck":
        return _("Judging by the play so far, %(name)s has no tile that fits now.") % {"name": name}
    if kind == "few":
        return ngettext(
            "Only %(count)d of the tiles still out fits now.",
            "Only %(count)d of the tiles still out fit now.",
            value,
        ) % {"count": value}
    if kind == "pips":
        return ngettext(
            "It gets rid of %(pips)d pip, which would count against the player at the end.",
            "It gets rid of %(pips)d pips, which would count against the player at the end.",
            value,
        ) % {"pips": value}
    return _("A double fits in fewer places than other tiles, so it is best played early.")
