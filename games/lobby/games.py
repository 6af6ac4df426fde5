"""The games that the site offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.engine.rules import Rules
from games.terms.presets import Preset, presets_of, usual_terms
from games.words import VariantWords, offered_variants, words_of
from games.words.length import LENGTH_NAMES, lengths_of, minutes_note

if TYPE_CHECKING:
    from games.words import Text


@dataclass(frozen=True, slots=True)
class Game:
    """A game that the site offers, and its ready-made tables."""

    key: str
    words: VariantWords
    presets: tuple[Preset, ...]
    lengths: tuple[GameLength, ...]


@dataclass(frozen=True, slots=True)
class GameLength:
    """A length of the matches of a game, its name ("" if it is the only one), and the minutes of a full table."""

    key: str
    name: Text
    minutes: Text


def offered_games() -> dict[str, Game]:
    """Return what the site offers, by key."""
    return {
        key: Game(key, words_of(key), presets_of(rules), _lengths(rules)) for key, rules in offered_variants().items()
    }


def _lengths(rules: Rules) -> tuple[GameLength, ...]:
    """Return the lengths of a game, the one that is played by default first."""
    lengths, seats = lengths_of(rules), usual_terms(rules).seats
    return tuple(
        GameLength(key, LENGTH_NAMES[key] if len(lengths) > 1 else "", minutes_note(rules.key, key, seats))
        for key in lengths
    )
