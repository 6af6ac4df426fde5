"""Recorded matches of every game, seat count and option: today's rules make of them what they made of them then."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from games.engine.ending import Ending
from games.engine.events import Event, RoundEnded
from games.engine.replay import replay_differences
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.transcript import read, write
from games.engine.variants import registry, rules_for
from tests.engine import corpus
from tests.engine.matches import tables

matches = cache(corpus.load)


def events_of(text: str) -> tuple[Event, ...]:
    return tuple(entry.event for entry in read(text))


def terms_of(text: str) -> tuple[str, ...]:
    """Return the lines with the game, the seats and the options."""
    return tuple(text.splitlines()[1:4])


def test_every_match_replays_exactly() -> None:
    changed = [text.partition("\n\n")[0] for mark, text in matches() if corpus.digest(events_of(text)) != mark]
    assert changed == []


def test_transcripts_round_trip_and_replay_strictly() -> None:
    for _, text in matches()[:: len(matches()) // 20]:
        match = read(text)
        assert write(match) == text
        assert list(replay_differences([entry.event for entry in match])) == []


def test_current_rules_decide_every_match_without_facts() -> None:
    assert [text for _, text in matches() if "\n!" in text] == []


def test_corpus_covers_every_table() -> None:
    starts = [terms_of(text) for _, text in matches()]
    assert len(starts) >= 1000
    for rules in registry().values():
        count = sum(f'"{rules.key}"' in start[0] for start in starts)
        assert count >= 200
        seats = {start[1] for start in starts if f'"{rules.key}"' in start[0]}
        assert seats == {f"seats: {number}" for number in rules.seat_counts}
    assert len(set(starts)) == sum(len(tables(rules)) for rules in registry().values())


@pytest.mark.parametrize("key", sorted(registry()))
def test_changed_decision_is_found(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mark, text = next((mark, text) for mark, text in matches() if f'"{key}"' in text and "timeout" not in text)
    rules = type(rules_for(key))
    honest = rules.score_round

    def generous(self: Rules, state: State, ending: Ending) -> RoundEnded:
        ended = honest(self, state, ending)
        return replace(ended, pot=ended.pot + 1)

    monkeypatch.setattr(rules, "score_round", generous)
    assert corpus.digest(events_of(text)) != mark
