"""Records without keys: every deal and move is decided again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games.engine.events import DealEvent, Event, KeyRevealed, Played, RoundDealt, SecretRevealed
from games.engine.keyless import keyless_differences
from games.engine.playout import playout
from games.engine.variants import registry, rules_for


def keyless(variant: str, seats: int = 2) -> list[Event]:
    events = playout(rules_for(variant), seats, {}, f"keyless {variant}")
    kept_events = [event for event in events if not isinstance(event, KeyRevealed | SecretRevealed)]
    return [replace(event, commitment="") if isinstance(event, DealEvent) else event for event in kept_events]


@pytest.mark.parametrize("variant", registry())
def test_whole_match_has_no_differences(variant: str) -> None:
    for seats in rules_for(variant).seat_counts:
        assert list(keyless_differences(keyless(variant, seats))) == []


def changed(events: list[Event], change: Callable[[Any], Event], cls: type) -> list[Event]:
    """Change the first event of a class."""
    index = next(index for index, event in enumerate(events) if isinstance(event, cls))
    return [*events[:index], change(events[index]), *events[index + 1 :]]


CHANGES: dict[str, tuple[type, Callable[[Any], Event]]] = {
    "another lead": (RoundDealt, lambda deal: replace(deal, to_move=1 - deal.to_move)),
    "a tile twice": (RoundDealt, lambda deal: replace(deal, hands=(deal.hands[0], deal.hands[0]))),
    "another attempt": (RoundDealt, lambda deal: replace(deal, attempt=7)),
    "a commitment": (RoundDealt, lambda deal: replace(deal, commitment="00")),
    "another turn": (Played, lambda move: replace(move, to_move=move.seat)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_change_is_found(name: str) -> None:
    cls, change = CHANGES[name]
    assert next(keyless_differences(changed(keyless("kozel"), change, cls)))


def test_unfinished_match_is_found() -> None:
    events = keyless("kozel")
    assert next(keyless_differences(events[:-1])).startswith("The events are not those of a whole match")
