"""Classic goat in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.words import VariantWords
from games.words.length import length_option
from games.words.phrases import GOAT_PHRASES

WORDS = VariantWords(
    name=pgettext_lazy("name of a game", "Classic goat"),
    text=_("The simple goat: 0-0 leads, pips in hand count against you, 101 points lose."),
    options={
        "length": length_option(
            "gamezz",
            full=_("101 points lose."),
            quick=_("51 points lose; same rules otherwise."),
        ),
    },
    rules={
        "gamezz.players": _("Players and tiles"),
        "gamezz.deal": _("The deal"),
        "gamezz.lead": _("Who leads, and with which tile"),
        "gamezz.turn": _("The turn"),
        "gamezz.draw": _("Drawing and passing"),
        "gamezz.block": _("A blocked line"),
        "gamezz.score_out": _("Points when somebody goes out"),
        "gamezz.score_block": _("Points after a block"),
        "gamezz.end": _("101 points: the goat"),
        "quick.limit": _("A quick match: 51 loses"),
        "quick.round": _("Same deal at many tables: one round"),
    },
    refusals={
        "gamezz.lead": _(
            "Every round must be led with the first tile of the lead order that anybody holds: 0-0, if it is "
            "in a hand."
        ),
        "gamezz.turn": _(
            "Play a tile on an open end that shows one of its numbers. If one of your tiles fits, you must play."
        ),
        "gamezz.draw": _(
            "Nothing in your hand fits: draw while there are tiles in the boneyard, and pass once it is empty."
        ),
    },
    phrases={
        **GOAT_PHRASES,
        "draw_reason": _("Nothing fits %(ends)s: draw a tile from the boneyard."),
        "pass_reason": _("Nothing fits %(ends)s and the boneyard is empty: you pass."),
        "over_blocked": _("%(name)s blocked the line."),
        "own_over_blocked": _("You blocked the line."),
    },
    picture=("0-0", "6-0 right", "5-0 left", "6-6 right", "5-5 left"),
)
