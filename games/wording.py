"""What the table says: every sentence of play, each looked up once a language.

Translating is slow and a table is rendered hundreds of times a second, so the phrases of a (variant, language) are
translated together and kept. They are HTML: put escaped names into them, and nothing else needs escaping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from games.engine.refusal import Refusal
from games.errors import Refused
from games.review_words import LOOKING_BACK
from games.words import words_of

if TYPE_CHECKING:
    from games.words import Text

PHRASES: dict[str, Text] = {
    # whose turn, and what to do
    "is_to_move": _("to move"),
    "waiting": _("%(name)s is to move."),
    "watching": _("You are watching this match."),
    "lead_free": _("You lead: lay any tile."),
    "lead_forced": _("You lead, with exactly this tile:"),
    "lead_one_of": _("You lead, with %(tiles)s:"),
    "play_ends": _("Your turn: lay a tile on %(ends)s."),
    "draw_reason": _("Nothing fits %(ends)s: draw a tile."),
    "pass_reason": _("Nothing fits %(ends)s and there is nothing to draw: you pass."),
    "pass_price_reason": _("You may not draw any more: you pass."),
    "play_or_draw": _("Your turn: lay a tile, or draw one."),
    "play_or_pass": _("Lay a tile, or pass."),
    "drawn_fits": _("You drew a tile that fits %(ends)s: play it."),
    "or": pgettext_lazy("6 or 2", "%(one)s or %(other)s"),
    "why": _("Why?"),
    "choose_end": _("Where shall %(tile)s go?"),
    "another_tile": _("Another tile"),
    # moves
    "led": _("%(name)s led %(tile)s."),
    "led_showing": _("%(name)s led %(tile)s, showing %(shown)s."),
    "played": _("%(name)s laid %(tile)s."),
    "played_left": _("%(name)s laid %(tile)s on the left."),
    "played_right": _("%(name)s laid %(tile)s on the right."),
    "played_up": _("%(name)s laid %(tile)s at the top."),
    "played_down": _("%(name)s laid %(tile)s at the bottom."),
    "drew": _("%(name)s drew a tile."),
    "passed": _("%(name)s passed."),
    "dealt": _("Round %(round)s: the tiles are dealt. %(name)s leads."),
    "redealt": _("The first deal was void by the rules; the tiles were dealt again."),
    "draw": _("Draw a tile"),
    "pass": _("Pass"),
    "left": _("Left, on %(value)s"),
    "right": _("Right, on %(value)s"),
    "up": _("Up, on %(value)s"),
    "down": _("Down, on %(value)s"),
    "place": _("Here"),
    "play_here": _("Play here:"),
    # the hand
    "your_tiles": _("Your tiles"),
    "your_seat": _("Your seat"),
    "fits": _("fits"),
    "fits_left": _("fits on the left"),
    "fits_right": _("fits on the right"),
    "fits_up": _("fits at the top"),
    "fits_down": _("fits at the bottom"),
    "fits_more": _("fits in more than one place"),
    "fits_not": _("does not fit"),
    # the table
    "board": _("The table"),
    "empty_board": _("No tile lies on the table yet."),
    "ends": _("Open ends: %(left)s on the left, %(right)s on the right."),
    "open_ends": _("Open ends: %(ends)s."),
    "end_left": pgettext_lazy("an open end", "%(value)s left"),
    "end_right": pgettext_lazy("an open end", "%(value)s right"),
    "end_up": pgettext_lazy("an open end", "%(value)s up"),
    "end_down": pgettext_lazy("an open end", "%(value)s down"),
    "spinner": _("The spinner is %(tile)s."),
    "arm_up": _("From the spinner up:"),
    "arm_down": _("From the spinner down:"),
    "count": _("Count:"),
    "line": _("The line from left to right:"),
    "lattice_rows": _("The rows from above, each from the left:"),
    "lattice_row": _("Row %(row)s: %(tiles)s."),
    "lattice_gap": pgettext_lazy("free places in a row of tiles", "gap"),
    "lattice_edges": _("Open edges, numbers clockwise: %(edges)s."),
    "lattice_corners": _("Free between tiles, numbers clockwise: %(corners)s."),
    "middle": _("In the middle"),
    "above": _("Above %(tile)s"),
    "below": _("Below %(tile)s"),
    "left_of": _("Left of %(tile)s"),
    "right_of": _("Right of %(tile)s"),
    "and_beside": _(" and beside %(tile)s"),
    "joining": _(", joining %(one)s and %(other)s"),
    "bridge": _("bridge"),
    "hexagons_1": _("hexagon"),
    "hexagons_2": _("two hexagons"),
    "hexagons_3": _("three hexagons"),
    "grid_rows": _("The rows from above:"),
    "grid_row_line": _("Row %(row)s from column %(column)s: %(numbers)s."),
    "grid_columns": _("The columns from the left:"),
    "grid_column_line": _("Column %(column)s from row %(row)s: %(numbers)s."),
    "grid_across": _("Row %(line)s, columns %(start)s and %(end)s"),
    "grid_down": _("Column %(line)s, rows %(start)s and %(end)s"),
    "grid_place": _("%(cells)s: %(first)s then %(second)s"),
    "grid_free": _("Free squares and the numbers that still fit:"),
    "grid_free_row": _("Row %(row)s, column %(squares)s."),
    "grid_dead": _("none"),
    "grid_stacked": _("Closed, because three tiles lie side by side there:"),
    "boneyard": _("Boneyard"),
    "aside": _("Set aside"),
    "pot": _("Pot"),
    "round": _("Round %(round)s"),
    "round_of": _("Round %(round)s of %(of)s"),
    "is_last": _("Last round"),
    "round_heading": _("Round"),
    "time_left": _("Time left"),
    "bank": _("bank"),
    "no_clock": _("No clock"),
    "away": _("away"),
    "bot": _("bot"),
    "host": _("host"),
    "partner": _("with %(name)s"),
    "free_seat": _("free seat"),
    "plays_for": _("a bot plays on"),
    "replaced": _("A bot plays for you."),
    "take_back": _("Take your seat back"),
    "read_rule": _("Read the rule"),
    # scores
    "remembered": _("remembered"),
    "account": _("account"),
    "score": _("Score"),
    "last_round": _("The round before"),
    "score_table": _("Score table"),
    "before": _("before"),
    "this_round": _("this round"),
    "total": _("total"),
    "all_rounds": _("All rounds"),
    "fish": _("fish"),
    "set_to_zero": _("the score is set to 0"),
    # the end of a round
    "over_out": _("%(name)s went out."),
    "over_blocked": _("The round is blocked."),
    "over_target": _("%(name)s reached the target."),
    "over_fish": _("%(name)s closed the line."),
    "over_fish_drawn": _("%(name)s closed the line; the round is drawn."),
    "next_round": _("The next round begins when all are ready, or when the pause is over."),
    "next_round_in": _("Next round in"),
    "ready": _("Ready"),
    "ready_wait": _("You are ready. Waiting for the others."),
    "is_ready": _("ready"),
    # the end of the match
    "match_over": _("The match is over"),
    "match_finished": _("Lost: %(names)s."),
    "match_won": _("%(names)s won the match."),
    "match_shared": _("%(names)s share the first place."),
    "match_timeout": _("%(name)s ran out of time."),
    "match_left": _("%(name)s left the match."),
    "match_stopped": _("The match was stopped."),
    "match_void": _("The match was declared void."),
    "loser": _("lost"),
    "place_number": _("Place"),
    "player": _("Player"),
    "rating": _("Rating points"),
    "casual": _("A casual match: no rating points were booked."),
    "no_rating": _("This game has no rating points."),
    "rematch": _("Rematch"),
    "to_rematch": _("Go to the rematch"),
    "record": _("Download the record"),
    "to_lobby": _("Back to the lobby"),
    # the open table
    "open_table": _("Waiting for players"),
    "sit": _("Sit here"),
    "sit_down": _("Sit down at a free seat to play."),
    "stand": _("Stand up"),
    "all_here": _("Everybody is here."),
    "start": _("Start the match"),
    "fill": _("Fill with bots"),
    "seats_missing": _("The match can start when every seat is taken."),
    "host_starts": _("%(name)s starts the match."),
    "starting": _("All seats are taken. The first deal comes in a moment."),
    # fair dealing
    "commitment": _("This match (SHA-256)"),
    "round_commitment": _("This round (SHA-256)"),
    "round_key": _("The key of this round, revealed at its end"),
    "secret": _("The secret of this match, revealed at its end"),
    "proof": _("The secret and the keys of all deals, for anybody to check"),
}
"""Shared phrases. A variant may say any of them in its own way (``VariantWords.phrases``)."""

REFUSALS: dict[str, Text] = {
    "round_over": _("The round is over."),
    "match_over": _("The match is over."),
    "not_your_turn": _("It is not your turn."),
    "bad_move": _("The site could not read that move."),
    "illegal_move": _("The rules do not allow that move."),
}


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The phrases of a variant in a language, as HTML. There is one object for each pair (``words_for``)."""

    variant: str
    language: str
    texts: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.texts[key]

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def tiles(self, count: int) -> str:
        """Return ``7 tiles``."""
        return _tiles_text(count, self.language)

    def points(self, count: int) -> str:
        """Return ``1 point``."""
        return _points_text(count, self.language)

    def title(self, rule: str) -> str:
        """Return the title of a rule."""
        return _title(self.variant, rule, self.language)

    def draws(self, count: int) -> str:
        """Return ``3 draws left``."""
        return _draws_text(count, self.language)

    def one_of(self, values: Sequence[object]) -> str:
        """Return ``6, 2 or 3``, "" for no values."""
        *others, last = map(str, values or ("",))
        return self["or"] % {"one": ", ".join(others), "other": last} if others else last

    def rule(self, rule: str) -> str:
        """Return a link to a rule by its title."""
        return _rule(self.variant, rule, self.language)


@cache
def words_for(variant: str, language: str) -> Words:
    """Return what the table says in a language. Raises UnknownVariant."""
    with translation.override(language):
        chosen = PHRASES | LOOKING_BACK | dict(words_of(variant).phrases)
        return Words(variant, language, {key: escape(str(text)) for key, text in chosen.items()})


@cache
def _tiles_text(count: int, language: str) -> str:
    with translation.override(language):
        return escape(ngettext("%(count)d tile", "%(count)d tiles", count) % {"count": count})


@cache
def _points_text(count: int, language: str) -> str:
    with translation.override(language):
        text = ngettext("%(count)s point", "%(count)s points", abs(count))
        return escape(text % {"count": number_text(count)})


@cache
def _draws_text(count: int, language: str) -> str:
    with translation.override(language):
        return escape(ngettext("%(count)d draw left", "%(count)d draws left", count) % {"count": count})


@cache
def _title(variant: str, rule: str, language: str) -> str:
    with translation.override(language):
        return escape(str(words_of(variant).rules.get(rule, rule)))


@cache
def _rule(variant: str, rule: str, language: str) -> str:
    return f'<a href="{rule_link(variant, rule)}" target="_blank">{_title(variant, rule, language)}</a>'


@cache
def rule_link(variant: str, rule: str) -> str:
    """Return the address where the how-to-play page explains a rule."""
    return f"{reverse('how-to-play', args=[variant])}#{rule}"


def number_text(number: int) -> str:
    """Write a number with a real minus sign."""
    return str(number).replace("-", "−")


def refusal_text(error: Refusal | Refused, variant: str) -> str:
    """Return in the current language why something was refused. It names nothing the person cannot see."""
    if isinstance(error, Refused):
        return str(error.text)
    cited = words_of(variant).refusals.get(error.rule or "")
    return str(cited or REFUSALS.get(error.code) or error.text)
