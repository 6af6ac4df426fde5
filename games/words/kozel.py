"""Kozel in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.words import Choice, ScoreForm, Sign, VariantWords
from games.words.length import length_option
from games.words.phrases import GOAT_PHRASES

WORDS = VariantWords(
    name=pgettext_lazy("name of a game", "Kozel"),
    text=_("Get rid of your tiles. First to 101 points is the goat, and loses."),
    options={
        "fish": (
            _("When the line is closed (fish)"),
            {
                "all": Choice(
                    _("Everybody scores"),
                    _("All players score their own hands, as in any other round."),
                ),
                "one": Choice(
                    _("The heaviest hand takes all"),
                    _("The player with the most points in hand gets the points of every hand; the others get none."),
                    _("fish: one takes all"),
                ),
            },
        ),
        "length": length_option(
            "kozel",
            full=_("101 points lose."),
            quick=_("51 points lose; same rules otherwise."),
        ),
    },
    rules={
        "kozel.players": _("Players and tiles"),
        "kozel.deal": _("The deal"),
        "kozel.redeal": _("A deal that is void"),
        "kozel.lead_first": _("Who leads the first round"),
        "kozel.lead_next": _("Who leads later rounds"),
        "kozel.turn": _("The turn"),
        "kozel.must_play": _("If you can play, you must"),
        "kozel.draw": _("Drawing"),
        "kozel.knock": _("Knocking"),
        "kozel.out": _("Going out"),
        "kozel.fish": _("Fish"),
        "kozel.hand_points": _("Points of a hand"),
        "kozel.remember": _("Remembered points and the account"),
        "kozel.out_resets": _("Going out clears remembered points"),
        "kozel.fish_all": _("Fish: everybody scores"),
        "kozel.fish_one": _("Fish: the heaviest hand takes all"),
        "kozel.fish_drawn": _("A drawn fish"),
        "kozel.pot": _("The pot"),
        "kozel.goat": _("The goat"),
        "kozel.rating": _("Rating points"),
        "kozel.timeout": _("Running out of time, or leaving"),
        "quick.limit": _("A quick match: 51 loses"),
        "quick.round": _("Same deal at many tables: one round"),
    },
    refusals={
        "kozel.redeal": _(
            "A hand with five or more doubles, or with six or more tiles of one number, makes the deal void."
        ),
        "kozel.lead_first": _("The first round must be led with the first tile of the lead order that anybody holds."),
        "kozel.turn": _("Play a tile on an open end that shows one of its numbers."),
        "kozel.must_play": _("You hold a tile that fits, so you must play it."),
        "kozel.draw": _("Nothing in your hand fits: you must draw while the bazaar has tiles."),
        "kozel.knock": _("Nothing in your hand fits, and there is nothing to draw: you must knock."),
    },
    phrases={
        **GOAT_PHRASES,
        "about_zero": _("No points yet: the account opens with a round that costs 13 or more."),
        "about_loser": _("The goat: a player who reaches the limit loses the match."),
        "boneyard": _("Bazaar"),
        "draw_reason": _("Nothing fits %(ends)s: draw a tile from the bazaar."),
        "pass_reason": _("Nothing fits %(ends)s and the bazaar is empty: you knock."),
        "pass_no_draw_reason": _("Nothing fits %(ends)s: you knock."),
        "pass": _("Knock"),
        "passed": _("%(name)s knocked."),
        "own_passed": _("You knocked."),
        "did_pass": pgettext_lazy("in a list of moves", "knock"),
        "over_fish": _("Fish! %(name)s blocked the line."),
        "own_over_fish": _("Fish! You blocked the line."),
        "over_fish_drawn": _(
            "Fish! %(name)s blocked the line, and the fish is drawn: nobody scores, and the points go into the pot."
        ),
        "own_over_fish_drawn": _(
            "Fish! You blocked the line, and the fish is drawn: nobody scores, and the points go into the pot."
        ),
    },
    score_forms={
        "+": ScoreForm(
            _("remembered"),
            "remembered",
            shows_sign=True,
            about=_("They count once a round costs you 13 or more. If you go out before that, they are forgotten."),
        ),
        "=": ScoreForm(
            _("account"),
            "account",
            shows_sign=False,
            about=_("Every point counts from now on, and a player who reaches the limit is the goat."),
        ),
    },
    signs={
        "fish": Sign("fish", _("fish")),
        "fish_drawn": Sign("fish", _("fish")),
        "pot": Sign("fish", _("fish")),
    },
    picture=("1-1", "4-1 right", "6-4 right", "6-3 right", "3-2 right", "5-2 right", "5-5 right", "5-0 right"),
)
