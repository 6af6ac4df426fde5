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
    """A choice of an option: its name, a sentence that says what it does, and a short note for lists of tables."""

    name: Text
    text: Text
    note: Text = ""

    def __str__(self) -> str:
        return str(self.name)


@dataclass(frozen=True, slots=True)
class ScoreForm:
    """What a score is whose text begins with a sign of its own.

    ``style`` is a part of names in style sheets (``score-<style>``); the sign itself is shown or only understood.
    ``about`` says what such a score means.
    """

    name: Text
    style: str
    shows_sign: bool
    about: Text


@dataclass(frozen=True, slots=True)
class Sign:
    """A small drawing of ``games.rendering.sprites``, and what it stands for."""

    drawing: str
    name: Text


@dataclass(frozen=True, slots=True)
class VariantWords:
    """The variant's name, one sentence about it, and its options: each a name and its choices.

    ``rules`` gives each rule id a short title, ``refusals`` the sentence for each one that a refusal may cite;
    ``phrases`` are what the table says differently in this game (the keys of ``games.words.phrases.PHRASES``), and
    ``over_<reason>`` for a reason of its own why a round ends; ``score_forms`` are kinds of scores by the sign that
    their text begins with, ``signs`` drawings by the reason of the end of a round, or ``pot``;
    ``picture`` are placements, in notation, whose drawing stands for the game in the lobby.
    """

    name: Text
    text: Text = ""
    options: Mapping[str, tuple[Text, Mapping[str, Choice]]] = field(default_factory=dict)
    rules: Mapping[str, Text] = field(default_factory=dict)
    refusals: Mapping[str, Text] = field(default_factory=dict)
    phrases: Mapping[str, Text] = field(default_factory=dict)
    score_forms: Mapping[str, ScoreForm] = field(default_factory=dict)
    signs: Mapping[str, Sign] = field(default_factory=dict)
    picture: tuple[str, ...] = ()

    def option(self, name: str) -> Text:
        """Return the name of an option."""
        return self.options[name][0] if name in self.options else name

    def choice(self, option: str, choice: str) -> Choice:
        """Return the words of a choice."""
        known = self.options[option][1] if option in self.options else {}
        return known.get(choice) or Choice(choice, "", f"{option}: {choice}")


@cache
def offered() -> Mapping[str, Rules]:
    """Return the variants that the site offers, by key; the engine may have more."""
    return MappingProxyType({key: rules for key, rules in registry().items() if find_spec(f"{__name__}.{key}")})


@cache
def words_of(variant: str) -> VariantWords:
    """Return the words of a variant, its bare name where the site does not offer it. Raises UnknownVariant."""
    rules = rules_for(variant)
    return import_module(f"{__name__}.{rules.key}").WORDS if rules.key in offered() else VariantWords(rules.name)
