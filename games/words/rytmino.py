"""Rytmino in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.words import Choice, VariantWords

WORDS = VariantWords(
    name=pgettext_lazy("name of a game", "Rytmino"),
    text=_("Build rows and columns that repeat like beads on a string. Cross long lines to score."),
    options={
        "leftover": (
            _("Tiles left in hand"),
            {
                "none": Choice(
                    _("Cost nothing"), _("The deal is over as soon as somebody goes out, and nobody loses points.")
                ),
                "sackson": Choice(
                    _("Cost points (Sackson’s rule)"),
                    _(
                        "Each tile left in hand costs 25 points, a double 5. When somebody goes out, the deal goes "
                        "on until all have had equally many turns."
                    ),
                    _("tiles left in hand cost points"),
                ),
            },
        ),
        "deals": (
            _("Length of the match"),
            {
                "1": Choice(_("One deal"), _("One deal, and the most points win.")),
                "per_player": Choice(
                    _("A deal for every player"),
                    _("One deal per player, so that everybody begins once. The points of all deals count."),
                    _("a deal for every player"),
                ),
            },
        ),
    },
    rules={
        "rytmino.set": _("The tiles"),
        "rytmino.deal": _("The deal"),
        "rytmino.start": _("The starting pair"),
        "rytmino.line": _("Lines"),
        "rytmino.rhythm": _("Rhythm"),
        "rytmino.free": _("Free squares"),
        "rytmino.valid": _("Every line keeps its rhythm"),
        "rytmino.two": _("At least two lines"),
        "rytmino.stack": _("Never four side by side"),
        "rytmino.product": _("Points: lengths multiplied"),
        "rytmino.turn": _("If you can place, you must"),
        "rytmino.end": _("The end"),
    },
    refusals={
        "rytmino.deal": _("All tiles were dealt: there is nothing to draw."),
        "rytmino.start": _("A starting pair of two copies of the same double makes the deal void."),
        "rytmino.free": _("Both squares must be free."),
        "rytmino.valid": _("Every line that the tile joins must keep one rhythm from end to end."),
        "rytmino.two": _("A tile must extend at least two lines."),
        "rytmino.stack": _("Four tiles that point the same way may not lie exactly side by side."),
        "rytmino.turn": _("Place a tile from your hand. You can pass only if you cannot place any."),
    },
    phrases={
        "round": _("Deal %(round)s"),
        "round_heading": _("Deal"),
        "round_of": _("Deal %(round)s of %(of)s"),
        "is_last": _("Final deal"),
        "dealt": _("Deal %(round)s. %(name)s begins."),
        "own_dealt": _("Deal %(round)s. You begin."),
        "redealt": _("The first starting pair was void."),
        "lead_free": _("You begin: extend at least two lines."),
        "led": _("%(name)s began with %(tile)s."),
        "own_led": _("You began with %(tile)s."),
        "play_ends": _("Your turn: extend two or three lines."),
        "pass_no_draw_reason": _("Nothing fits now: you pass."),
        "played": _("%(name)s placed %(tile)s."),
        "own_played": _("You placed %(tile)s."),
        "over_blocked": _("Nobody can place a tile: the deal is over."),
        "this_round": _("this deal"),
        "fact_rounds": _("Deals"),
        "fact_out": _("Went out most"),
        "all_rounds": _("All deals"),
        "no_rounds": _("No deal is over yet."),
        "round_before": _("Previous deal"),
        "round_after": _("Next deal"),
        "moves_title": _("Moves of this deal"),
        "next_round": _("Next deal when all are ready"),
        "round_commitment": _("This deal’s key, sealed (SHA-256)"),
        "round_key": _("This deal’s key, revealed when the deal is over"),
    },
    picture=("H(0,0)=2-2", "H(0,1)=1-1", "H(0,2)=3-4", "V(2,1)=1-1", "V(-1,1)=1-5", "H(-1,3)=4-4"),
)
