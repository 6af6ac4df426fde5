"""The levels of the bots in words, and their strength above random play."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.enums import BotLevel
from games.html import Html, escape

# In each game, each level was measured in at least this many matches against the one below it, the weakest against
# random play.
MIN_MEASURED_MATCHES = 2000
# Rating points of each level above random play, measured in whole matches of two.
RATING_POINTS_ABOVE_RANDOM = {
    "all_fives": (352, 669, 1055, 1432, 1893),
    "gamezz": (105, 188, 323, 463, 712),
    "kozel": (77, 156, 290, 465, 683),
    "rytmino": (420, 595, 736, 859, 947),
    "triominoes": (146, 241, 339, 473, 604),
}


class LevelWords(NamedTuple):
    """The name of a level, the mark at the seat of such a bot, and an explanation of the mark."""

    name: Html
    seat_mark: Html
    about: Html


@cache
def level_words(variant: str, language: str) -> dict[str, LevelWords]:
    """Return the words by level, from the weakest to the strongest."""
    with translation.override(language):
        return {level.value: _level_words(level, number, variant) for number, level in enumerate(BotLevel, 1)}


def _level_words(level: BotLevel, number: int, variant: str) -> LevelWords:
    sentences = [
        _("Level %(number)d of %(levels)d.") % {"number": number, "levels": len(BotLevel)},
        _("A bot. It sees only what you would see in its seat."),
    ]
    if points := rating_points_above_random(variant, level):
        text = ngettext(
            "%(points)d rating point stronger than random play.",
            "%(points)d rating points stronger than random play.",
            points,
        )
        sentences.append(text % {"points": points})
    # Translators: a mark beside the name of a bot. Its level shows when the mark is pressed.
    return LevelWords(escape(level.label), escape(_("bot")), escape(" ".join(sentences)))


def rating_points_above_random(variant: str, level: str) -> int:
    """Return the rating points of a level above random play, 0 if they were not measured."""
    points_by_level = RATING_POINTS_ABOVE_RANDOM.get(variant)
    return points_by_level[list(BotLevel).index(BotLevel(level))] if points_by_level else 0
