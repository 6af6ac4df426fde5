"""The phrases of a table in a language, translated once.

Translating is slow and tables are rendered hundreds of times a second, so the translated phrases of a variant and a
language are cached. They are HTML: escape names before you insert them. Nothing else needs escaping.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from django.utils import formats, translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, npgettext_lazy

from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.errors import Refused
from games.html import Html, escape, mark_trusted
from games.links import path_to
from games.words import words_of
from games.words.phrases import TABLE_PHRASES

if TYPE_CHECKING:
    from games.words import Text

RULE_REFUSAL_TEXTS: dict[str, Text] = {
    "round_over": _("The round is over."),
    "match_over": _("The match is over."),
    "not_your_turn": _("It is not your turn."),
    "bad_move": _("The site did not understand that move."),
    "illegal_move": _("The rules do not allow that move."),
}
# Texts with a number: ``number`` chooses the plural form, ``count`` is what the text shows.
PLURAL_PHRASES = {
    "tiles": ngettext_lazy("%(count)d tile", "%(count)d tiles", "number"),
    "drew": npgettext_lazy("in a list of moves", "%(count)d draw", "%(count)d draws", "number"),
    # Translators: the sum of the numbers on the tiles that a player still has.
    "in_hand": ngettext_lazy("%(count)d in hand", "%(count)d in hand", "number"),
    "pips": ngettext_lazy("%(count)d pip", "%(count)d pips", "number"),
    "wins": ngettext_lazy("%(count)d win", "%(count)d wins", "number"),
    "points": ngettext_lazy("%(count)s point", "%(count)s points", "number"),
    "missing": ngettext_lazy("Waiting for %(count)d more player.", "Waiting for %(count)d more players.", "number"),
    "aim_rounds": ngettext_lazy("%(count)s round or %(points)s", "%(count)s rounds or %(points)s", "number"),
    "final_score": ngettext_lazy("Final score: %(count)s point.", "Final score: %(count)s points.", "number"),
    "won_with": npgettext_lazy(
        "one person", "%(names)s wins with %(count)s point.", "%(names)s wins with %(count)s points.", "number"
    ),
    "won_by_side_with": npgettext_lazy(
        "partners", "%(names)s win with %(count)s point.", "%(names)s win with %(count)s points.", "number"
    ),
    "shared_with": ngettext_lazy(
        "%(names)s share first place with %(count)s point.",
        "%(names)s share first place with %(count)s points.",
        "number",
    ),
    "draws": ngettext_lazy("%(count)d draw left", "%(count)d draws left", "number"),
}


class NamedStyle(NamedTuple):
    """A part of CSS classes and ids, with its meaning."""

    key: Html
    name: Html


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The rules of a variant and its phrases in a language, as HTML: one object for each pair (``words_for``)."""

    rules: Rules
    language: str
    texts: Mapping[str, Html]
    # by the first character of a score; True: the character is shown
    score_forms: Mapping[str, tuple[NamedStyle, bool]]
    signs: Mapping[str, NamedStyle]  # by the reason that ended a round, or "pot"

    @property
    def variant(self) -> str:
        return self.rules.key

    def __getitem__(self, key: str) -> Html:
        return self.texts[key]

    def fill(self, key: str, **parts: Html | int) -> Html:
        """Return a phrase with its placeholders replaced."""
        return self.texts[key] % parts  # type: ignore[return-value]

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def count(self, key: str, number: int, **parts: Html | int) -> Html:
        """Return a text of ``PLURAL_PHRASES`` with a number, ``7 tiles``, and its other placeholders replaced."""
        text = _plural_phrase(key, number, self.language, tuple(parts))
        return text % parts if parts else text  # type: ignore[return-value]

    def one_of(self, values: Sequence[object]) -> Html:
        """Return ``6, 2 or 3``, "" for no values."""
        *texts, last = [escape(value) for value in values or ("",)]
        return self.fill("or", one=Html(", ".join(texts)), other=last) if texts else last

    def all_of(self, names: Sequence[Html]) -> Html:
        """Return ``Anna, Bela and Cleo``, "" for no names."""
        *before, last = names or (Html(""),)
        return self.fill("and", names=Html(", ".join(before)), last=last) if before else last

    def rule_title(self, rule: str) -> Html:
        return _rule_title(self.variant, rule, self.language)

    def rule(self, rule: str) -> Html:
        """Return a link to a rule with its title as text."""
        return _rule_link_html(self.variant, rule, self.language)


@cache
def words_for(variant: str, language: str) -> Words:
    """Return the words of a variant in a language. Raises UnknownVariant."""
    own = words_of(variant)
    with translation.override(language):
        about = {f"about_{form.style}": form.about for form in own.score_forms.values()}
        phrases = TABLE_PHRASES | about | dict(own.phrases)
        return Words(
            rules_for(variant),
            language,
            {key: escape(text) for key, text in phrases.items()},
            {
                sign: (NamedStyle(escape(form.style), escape(form.name)), form.shows_sign)
                for sign, form in own.score_forms.items()
            },
            {key: NamedStyle(escape(sign.drawing), escape(sign.name)) for key, sign in own.signs.items()},
        )


@cache
def _plural_phrase(key: str, number: int, language: str, placeholders: tuple[str, ...]) -> Html:
    """Return a text of ``PLURAL_PHRASES`` with a number. The placeholders ``parts`` stay."""
    text = number if number >= 0 else number_text(number)
    kept_placeholders = {placeholder: f"%({placeholder})s" for placeholder in placeholders}
    with translation.override(language):
        return escape(PLURAL_PHRASES[key] % {"number": abs(number), "count": text, **kept_placeholders})


@cache
def _rule_title(variant: str, rule: str, language: str) -> Html:
    with translation.override(language):
        return escape(words_of(variant).rules.get(rule, rule))


@cache
def _rule_link_html(variant: str, rule: str, language: str) -> Html:
    link = rule_link(variant, rule, language)
    return Html(f'<a href="{link}" target="_blank">{_rule_title(variant, rule, language)}</a>')


@cache
def rule_link(variant: str, rule: str, language: str) -> Html:
    """Return the address of a rule on the how-to-play page."""
    with translation.override(language):
        return escape(f"{path_to('how-to-play', variant)}#{rule}")


def number_text(number: float) -> Html:
    """Write a number with a real minus sign and the decimal mark of the active language."""
    return mark_trusted(formats.number_format(number).replace("-", "−"))


def refusal_text(error: Refusal | Refused, variant: str) -> str:
    """Return the reason for a refusal in the current language. It names nothing that the person cannot see."""
    if isinstance(error, Refused):
        return str(error.text)
    text = words_of(variant).refusals.get(error.rule or "")
    return str(text or RULE_REFUSAL_TEXTS.get(error.code) or error.text)
