"""Sentences that explain a bot's move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.explanations.texts import FORMS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

NO_REASONS_IN_RATED_MATCHES = _("In rated matches bots explain nothing.")
NO_TILE_BY_A_BOT = _("No bot has played a tile in this round yet.")
NO_SPECIAL_REASON = _(
    "Nothing on the table favours it. If the bot had a choice, this tile did best in many rounds played "
    "out with guessed hands."
)
# The sentence of each kind of ``games.explanations.bot_moves.Reason``, and the names of its values.
# Translators: "it" is the tile that a bot played. Hidden tiles are not on the table.
REASONS: Mapping[str, tuple[tuple[str, ...], _StrPromise]] = {
    "points": (
        ("points",),
        ngettext_lazy("It scores %(points)d point.", "It scores %(points)d points.", "points"),
    ),
    "best_place": (
        ("points",),
        ngettext_lazy(
            "It scores %(points)d point, more than this tile would anywhere else.",
            "It scores %(points)d points, more than this tile would anywhere else.",
            "points",
        ),
    ),
    "most": (
        ("points",),
        ngettext_lazy(
            "It scores %(points)d point. No hidden tile could have scored as many.",
            "It scores %(points)d points. No hidden tile could have scored as many.",
            "points",
        ),
    ),
    "rare": (
        ("count", "number"),
        ngettext_lazy(
            "It opens a %(number)d, which only %(count)d hidden tile has.",
            "It opens a %(number)d, which only %(count)d hidden tiles have.",
            "count",
        ),
    ),
    "hexagon": (("points",), FORMS["hexagon"].text),
    "bridge": (("points",), FORMS["bridge"].text),
    "stuck": (("seat",), _("Judging by the play so far, %(name)s has no tile that fits now.")),
    "lacks": (("seat", "number"), FORMS["lacks"].text),
    "few": (
        ("count", "before"),
        ngettext_lazy(
            "Only %(count)d hidden tile fits now, %(before)d before.",
            "Only %(count)d hidden tiles fit now, %(before)d before.",
            "count",
        ),
    ),
    "quiet": ((), _("No hidden tile can score now. Before, there was one.")),
    "takes_place": (
        ("points",),
        ngettext_lazy(
            "It takes away a place where a hidden tile would score %(points)d point.",
            "It takes away a place where a hidden tile would score %(points)d points.",
            "points",
        ),
    ),
    "heaviest": (
        ("pips",),
        ngettext_lazy(
            "It takes %(pips)d pip out of the hand. No hidden tile that fitted has as many.",
            "It takes %(pips)d pips out of the hand. No hidden tile that fitted has as many.",
            "pips",
        ),
    ),
}


def reason_sentence(kind: str, values: Sequence[int], move: str, names: Sequence[str]) -> str:
    """Return a reason as a sentence, given the bot's move in words and the names of all seats."""
    placeholders, text = REASONS[kind]
    fields = dict(zip(placeholders, values, strict=True))
    name = names[fields["seat"]] if "seat" in fields else ""
    return str(text % {**fields, "name": name, "move": move})
