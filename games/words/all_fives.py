"""All Fives in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.words import Choice, VariantWords
from games.words.length import length_option

WORDS = VariantWords(
    name=pgettext_lazy("name of a game", "All Fives"),
    text=_(
        "Make the open ends add up to a multiple of five to score. The first double can be played on all four sides."
    ),
    options={
        "hands": (
            _("Tiles dealt"),
            {
                "9-7-5": Choice(
                    _("Nine, seven or five"),
                    _("Two players get nine tiles each, three players seven, four players five."),
                ),
                "5-5-5": Choice(
                    _("Five"),
                    _("Everybody gets five tiles, whatever the number of players: short hands and a large boneyard."),
                    _("five tiles each"),
                ),
                "7-5-5": Choice(
                    _("Seven or five"),
                    _("Two players get seven tiles each, three or four players five."),
                    _("seven or five tiles"),
                ),
            },
        ),
        "partners": (
            _("Partners"),
            {
                "no": Choice(_("Every player for themselves"), _("Each player has a score of their own.")),
                "yes": Choice(
                    _("Two against two"),
                    _("Four players: partners sit opposite each other and share one score."),
                    _("two against two"),
                ),
            },
        ),
        "hand_end": (
            _("When a round is over"),
            {
                "subtract_own": Choice(
                    _("Everybody pays"),
                    _("The pips left in your own hand, rounded to the nearest five, are taken off your score."),
                ),
                "winner_collects": Choice(
                    _("The winner collects"),
                    _("A player who goes out scores the pips left in the opponents’ hands; nobody loses points."),
                    _("the winner collects"),
                ),
            },
        ),
        "target": (
            _("Points to win"),
            {
                "standard": Choice(
                    pgettext_lazy("points to win", "Standard"),
                    _("250 points with two players, 200 with three or four."),
                ),
                "100": Choice("100", _("About half as long as usual."), _("to 100 points")),
                "150": Choice("150", _("A little shorter than usual."), _("to 150 points")),
                "200": Choice("200", _("The usual target of three or four players."), _("to 200 points")),
                "250": Choice("250", _("The usual target of two players."), _("to 250 points")),
            },
        ),
        "length": length_option(
            "all_fives",
            full=_("Up to the “points to win”."),
            quick=_("100 points win, 60 with four players, whatever the “points to win”."),
        ),
    },
    rules={
        "all_fives.players": _("Players and tiles"),
        "all_fives.deal": _("The deal"),
        "all_fives.lead": _("Who leads"),
        "all_fives.turn": _("The turn"),
        "all_fives.spinner": _("The spinner"),
        "all_fives.count": _("The count"),
        "all_fives.score": _("Scoring a count"),
        "all_fives.blocked": _("A blocked round"),
        "all_fives.hand_end": _("The end of a round"),
        "all_fives.partners": _("Partners"),
        "all_fives.target": _("Winning the match"),
        "quick.target": _("A quick match: 100 points win, with four players 60"),
        "quick.round": _("Same deal at many tables: one round"),
    },
    refusals={
        "all_fives.turn": _(
            "Play a tile on an open end that shows one of its numbers. You can draw only while nothing fits, "
            "and pass only when nothing fits and the boneyard is empty."
        ),
        "all_fives.spinner": _("The two ends of the spinner open only once there is a tile on each of its two sides."),
    },
    phrases={
        "lead_free": _("You lead: play any tile. A count of 5 or 10 scores."),
        "draw_reason": _("Nothing fits %(ends)s: draw a tile from the boneyard."),
        "pass_reason": _("Nothing fits %(ends)s and the boneyard is empty: you pass."),
        "over_blocked": _("%(name)s blocked the table: nothing fits any more."),
        "own_over_blocked": _("You blocked the table: nothing fits any more."),
        "over_target": _("%(name)s reached the target and wins the match."),
        "own_over_target": _("You reached the target and win the match."),
    },
    picture=("5-5", "5-3 left", "5-2 right", "5-4 up", "5-1 down", "3-3 left", "2-2 right"),
)
