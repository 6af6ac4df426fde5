"""The games that the site offers."""

from __future__ import annotations

from dataclasses import dataclass

from games.terms.presets import Preset, presets_of
from games.words import VariantWords, offered, words_of


@dataclass(frozen=True, slots=True)
class Game:
    """A game that the site offers, and its ready-made tables."""

    key: str
    words: VariantWords
    presets: tuple[Preset, ...]


def games() -> dict[str, Game]:
    """Return what the site offers, by key."""
    return {key: Game(key, words_of(key), presets_of(rules)) for key, rules in offered().items()}
