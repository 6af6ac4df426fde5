"""The phrases of a table in a language, each translated once.

Translating is slow and a table is rendered hundreds of times a second, so the phrases of a (variant, language) are
translated together and kept. They are HTML: put escaped names into them, and nothing else needs escaping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, npgettext

from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.errors import Refused
from games.html import Html, escape, trusted
from games.links import path_to
from games.words import words_of
from games.words.phrases import PHRASES

if TYPE_CHECKING:
    from games.words import Text

REFUSALS: dict[str, Text] = {
    "round_over": _("The round is over."),
    "match_over": _("The match is over."),
    "not_your_turn": _("It is not your turn."),
    "bad_move": _("The site did not understand that move."),
    "illegal_move": _("The rules do not allow that move."),
}


class Named(NamedTuple):
    """A part of CSS classes and ids, and its meaning in words."""

    key: Html
    name: Html


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The rules of a variant and its phrases in a language, as HTML: one object for each pair (``words_for``)."""

    rules: Rules
    language: str
    texts: Mapping[str, Html]
    score_forms: Mapping[str, tuple[Named, bool]]
    """By the first character of a score's text: the form, and whether that character is shown."""
    signs: Mapping[str, Named]
    """Signs by the reason why a round ended, and that of the pot."""

    @property
    def variant(self) -> str:
        return self.rules.key

    def __getitem__(self, key: str) -> Html:
        return self.texts[key]

    def say(self, key: str, **parts: Html | int) -> Html:
        """Return a phrase with its parts filled in."""
        return self.texts[key] % parts  # type: ignore[return-value]

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def tiles(self, count: int) -> Html:
        """Return ``7 tiles``."""
        return _tiles_text(count, self.language)

    def drew(self, count: int) -> Html:
        """Return ``drew 8``."""
        return _drew_text(count, self.language)

    def pips(self, count: int) -> Html:
        """Return ``26 pips``."""
        return _pips_text(count, self.language)

    def wins(self, count: int) -> Html:
        """Return ``2 wins``."""
        return _wins_text(count, self.language)

    def points(self, count: int) -> Html:
        """Return ``1 point``."""
        return _points_text(count, self.language)

    def title(self, rule: str) -> Html:
        """Return the title of a rule."""
        return _title(self.variant, rule, self.language)

    def missing(self, count: int) -> Html:
        """Return ``Waiting for 2 more players.``"""
        return _missing_text(count, self.language)

    def draws(self, count: int) -> Html:
        """Return ``3 draws left``."""
        return _draws_text(count, self.language)

    def one_of(self, values: Sequence[object]) -> Html:
        """Return ``6, 2 or 3``, "" for no values."""
        *others, last = [escape(value) for value in values or ("",)]
        return self.say("or", one=Html(", ".join(others)), other=last) if others else last

    def rule(self, rule: str) -> Html:
        """Return a link to a rule by its title."""
        return _rule(self.variant, rule, self.language)


@cache
def words_for(variant: str, language: str) -> Words:
    """Return the words of a variant in a language. Raises UnknownVariant."""
    own = words_of(variant)
    with translation.override(language):
        about = {f"about_{form.style}": form.about for form in own.score_forms.values()}
        chosen = PHRASES | about | dict(own.phrases)
        return Words(
            rules_for(variant),
            language,
            {key: escape(text) for key, text in chosen.items()},
            {
                sign: (Named(escape(form.style), escape(form.name)), form.shows_sign)
                for sign, form in own.score_forms.items()
            },
            {key: Named(escape(sign.drawing), escape(sign.name)) for key, sign in own.signs.items()},
        )


@cache
def _tiles_text(count: int, language: str) -> Html:
    with translation.override(language):
        return escape(ngettext("%(count)d tile", "%(count)d tiles", count) % {"count": count})


@cache
def _drew_text(count: int, language: str) -> Html:
    with translation.override(language):
        text = npgettext("what somebody did", "drew %(count)d", "drew %(count)d", count)
        return escape(text % {"count": count})


@cache
def _pips_text(count: int, language: str) -> Html:
    with translation.override(language):
        return escape(ngettext("%(count)d pip", "%(count)d pips", count) % {"count": count})


@cache
def _wins_text(count: int, language: str) -> Html:
    with translation.override(language):
        return escape(ngettext("%(count)d win", "%(count)d wins", count) % {"count": count})


@cache
def _points_text(count: int, language: str) -> Html:
    with translation.override(language):
        text = ngettext("%(count)s point", "%(count)s points", abs(count))
        return escape(text % {"count": number_text(count)})


@cache
def _missing_text(count: int, language: str) -> Html:
    with translation.override(language):
        text = ngettext("Waiting for %(count)d more player.", "Waiting for %(count)d more players.", count)
        return escape(text % {"count": count})


@cache
def _draws_text(count: int, language: str) -> Html:
    with translation.override(language):
        return escape(ngettext("%(count)d draw left", "%(count)d draws left", count) % {"count": count})


@cache
def _title(variant: str, rule: str, language: str) -> Html:
    with translation.override(language):
        return escape(words_of(variant).rules.get(rule, rule))


@cache
def _rule(variant: str, rule: str, language: str) -> Html:
    return Html(f'<a href="{rule_link(variant, rule)}" target="_blank">{_title(variant, rule, language)}</a>')


@cache
def rule_link(variant: str, rule: str) -> Html:
    """Return the address where the how-to-play page explains a rule."""
    return escape(f"{path_to('how-to-play', variant)}#{rule}")


def number_text(number: float) -> Html:
    """Write a number with a real minus sign."""
    return trusted(str(number).replace("-", "−"))


def refusal_text(error: Refusal | Refused, variant: str) -> str:
    """Return in the current language why something was refused. It names nothing that the person cannot see."""
    if isinstance(error, Refused):
        return str(error.text)
    cited = words_of(variant).refusals.get(error.rule or "")
    return str(cited or REFUSALS.get(error.code) or error.text)
