"""Kozel in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.words import Choice, VariantWords

WORDS = VariantWords(
    name=pgettext_lazy("name of a game", "Kozel"),
    text=_("The goat: get rid of your tiles, and never be the one who reaches 101 points."),
    options={
        "fish": (
            _("When the line is closed (a fish)"),
            {
                "all": Choice(
                    _("Everybody counts"),
                    _("Each player scores the pips left in his own hand, as in any other round."),
                ),
                "one": Choice(
                    _("The heaviest hand takes all"),
                    _("The player with the most pips scores the pips of every hand; the others score nothing."),
                    _("fish: one takes all"),
                ),
            },
        ),
    },
)
