"""Results of daily boards in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.enums import BotLevel
from games.words.lookup import number_text

if TYPE_CHECKING:
    from games.words import Text

BOARD_STAGES: dict[str, Text] = {
    "played": pgettext_lazy("a board", "played"),
    "playing": pgettext_lazy("a board", "being played"),
    "waiting": pgettext_lazy("a board", "not played yet"),
}
NO_SUCH_GAME = _("There is no such game.")
NOT_CLOSED = _("The deals can be checked once the boards are closed.")
NO_SUCH_DAY = _("There were no boards of this game on that day.")


def points_text(points: Fraction | None) -> str:
    """Return points with their sign and at most one decimal; a dash for none."""
    if points is None:
        return "–"
    rounded = round(float(points), 1)
    number = number_text(int(rounded) if rounded.is_integer() else rounded)
    return f"+{number}" if rounded > 0 else str(number)


def percent_text(share: Fraction) -> str:
    """Return a share as a percentage with one decimal, without its sign."""
    return decimal_text(100 * float(share))


def decimal_text(number: float) -> str:
    return str(number_text(round(number, 1)))


def level_results(levels: Sequence[tuple[str, Fraction]]) -> list[tuple[Text, str]]:
    """Return the names of the bots' levels and their points, the strongest first."""
    points = dict(levels)
    return [(level.label, points_text(points[level])) for level in reversed(BotLevel) if level in points]
