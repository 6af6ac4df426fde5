"""Honest matches as the site deals them today: every game, table and end, with bots and with nonces kept back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from games.engine.deal import nonce_commitment
from games.engine.decide import stop_match
from games.engine.events import Event, KeyRevealed, SecretRevealed
from games.engine.notation import export_match
from games.engine.playout import Playout
from games.engine.rules import Rules
from games.engine.variants import registry
from games.tournaments.core.duplicate import entropy
from tests.engine.matches import MAX_MOVES, tables

Data = dict[str, Any]  # a match as JSON data


def export_events(events: Sequence[Event]) -> Data:
    """Return a match as the site hands it out."""
    data = export_match((seq, event, "") for seq, event in enumerate(events, 1))
    copied: Data = json.loads(json.dumps(data))
    return copied


class HonestMatch(Playout):
    """A match under the scheme of the site: some seats are bots', some people gave no nonce or did not open it."""

    def __init__(self, rules: Rules, seats: int, options: Mapping[str, str], seed: str) -> None:
        super().__init__(rules, seats, options, seed, greedy=Random(seed).random() < 0.5)
        self.sit(*(self.chance.choice(("gave", "gave", "gave", "kept", "nothing", "bot")) for _ in range(seats - 1)))

    def sit(self, *ways: str) -> None:
        """Let seat 0 give its nonce, and the others do as it is said here."""
        bots = tuple(seat for seat, way in enumerate(ways, 1) if way == "bot")
        promises = [nonce_commitment(nonce) for nonce in self.started.nonces]
        self.start_with(
            nonces=[
                nonce if way == "gave" else "" for nonce, way in zip(self.started.nonces, ("gave", *ways), strict=True)
            ],
            nonce_commitments=[
                promise if way in ("gave", "kept") else ""
                for promise, way in zip(promises, ("gave", *ways), strict=True)
            ],
            bots=bots,
        )

    def start_with(self, **fields: Any) -> None:
        """Begin with other fields in the start of the match."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list | range) else value for name, value in fields.items()
        }
        self.started = replace(self.started, **values)
        self.events[0] = self.started

    def stopped_after(self, moves: int) -> list[Event]:
        """Play so many moves; then the match is stopped from outside, in a round or between two."""
        for _ in range(moves):
            if self.state.match_over:
                break
            self.step()
        if not self.state.match_over:
            is_running = self.state.round.to_move is not None
            self._apply(stop_match(self.state, "stopped"))
            if is_running:
                self._apply((KeyRevealed(self.state.round.number, self._key(self.state.round.number)),))
        self._apply((SecretRevealed(self.secret),))
        return self.events

    def step(self) -> None:
        """Deal, or make a move."""
        if self.state.round.to_move is None:
            self._deal()
            return
        self._move(self.state.round.to_move)
        if self.state.round.to_move is None:
            self._apply((KeyRevealed(self.state.round.number, self._key(self.state.round.number)),))


class HonestBoard(HonestMatch):
    """A board of a set with one person: other tables have the same secret, set and entropy."""

    def __init__(self, rules: Rules, seats: int, seed: str, *, board: int = 1) -> None:
        super().__init__(rules, seats, rules.one_round, seed)
        self.start_with(
            nonces=[],
            nonce_commitments=[],
            bots=range(1, seats),
            source=f"daily-{seed}",
            first=board,
            entropy=entropy([seed]),
        )


def honest_board(seed: str) -> list[Event]:
    """Return an honest board of any game, seats and number, sometimes with an early end."""
    chance = Random(f"board {seed}")
    rules = chance.choice(list(registry().values()))
    table = HonestBoard(rules, chance.choice(rules.seat_counts), seed, board=chance.randint(1, 8))
    return table.stopped_after(chance.randrange(1, 20)) if chance.random() < 0.25 else table.play_match(MAX_MOVES)


def honest_match(seed: str) -> list[Event]:
    """Return an honest match of any game, table and end."""
    chance = Random(f"table {seed}")
    rules = chance.choice(list(registry().values()))
    seats, options = chance.choice(tables(rules))
    table = HonestMatch(rules, seats, options, seed)
    way = chance.random()
    if way < 0.25:
        return table.stopped_after(chance.randrange(1, 150))
    return table.play_match(chance.randrange(60) if way < 0.85 else MAX_MOVES)
