"""Texts of the table and of each variant and its options.

The engine has no translations. The site offers exactly the variants that have words here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING

from games.engine.rules import Rules
from games.engine.variants import registry, rules_for

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of an option: its name, a sentence about its effect, and a short note for lists of tables."""

    name: Text
    text: Text
    note: Text = ""

    def __str__(self) -> str:
        return str(self.name)


@dataclass(frozen=True, slots=True)
class ScoreForm:
    """A kind of score whose text begins with a certain character.

    ``style`` is the end of CSS classes (``score-<style>``), ``about`` an explanation.
    """

    name: Text
    style: str
    shows_sign: bool
    about: Text


@dataclass(frozen=True, slots=True)
class Sign:
    """A small drawing of ``games.rendering.sprites``, and its meaning."""

    drawing: str
    name: Text


@dataclass(frozen=True, slots=True)
class VariantWords:
    """The texts of a variant.

    ``phrases`` replace those of ``games.words.phrases.TABLE_PHRASES``. ``over_<reason>`` says how a round ended, for
    reasons that only this game has.
    """

    name: Text
    text: Text = ""  # one sentence
    options: Mapping[str, tuple[Text, Mapping[str, Choice]]] = field(default_factory=dict)  # names and choices
    rules: Mapping[str, Text] = field(default_factory=dict)  # titles by rule id
    refusals: Mapping[str, Text] = field(default_factory=dict)  # sentences by the rule that a refusal cites
    phrases: Mapping[str, Text] = field(default_factory=dict)
    score_forms: Mapping[str, ScoreForm] = field(default_factory=dict)  # by the first character of a score
    signs: Mapping[str, Sign] = field(default_factory=dict)  # by the reason that ended a round, or "pot"
    picture: tuple[str, ...] = ()  # placements, in notation, whose drawing represents the game in the lobby

    def option(self, name: str) -> Text:
        """Return the name of an option."""
        return self.options[name][0] if name in self.options else name

    def choice(self, option: str, choice: str) -> Choice:
        """Return the words of a choice."""
        choices = self.options[option][1] if option in self.options else {}
        return choices.get(choice) or Choice(choice, "", f"{option}: {choice}")


@cache
def offered_variants() -> Mapping[str, Rules]:
    """Return the variants that the site offers, by key; the engine may have more."""
    return MappingProxyType({key: rules for key, rules in registry().items() if find_spec(f"{__name__}.{key}")})


@cache
def words_of(variant: str) -> VariantWords:
    """Return the words of a variant, only its name if the site does not offer it. Raises UnknownVariant."""
    rules = rules_for(variant)
    return (
        import_module(f"{__name__}.{rules.key}").WORDS if rules.key in offered_variants() else VariantWords(rules.name)
    )
