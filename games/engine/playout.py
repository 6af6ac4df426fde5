"""Random matches with fair deals. The same seed gives the same match.

``python -m games.engine.playout kozel 4 SEED fish=one --leave 40`` prints a match in the export format. In games where
scores can fall, a random match may never end; ``--greedy`` picks among the moves that score most.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from random import Random

from games.engine.deal import commitment, deal_source, nonce_commitment
from games.engine.decide import deal_round, decide, forfeit_seat, give_back_seat, hold_seat, leave_match, new_match
from games.engine.events import CLOCK, Event, KeyRevealed, SecretRevealed
from games.engine.evolve import evolve, start_state
from games.engine.moves import Move
from games.engine.notation import export_match, write_json
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry, rules_for

ABSENCE_PROBABILITY = 0.1  # that a person leaves or returns before a move


class Playout:
    """A random match in progress. ``greedy``: only moves that score most; ``absences``: people leave and return."""

    def __init__(
        self,
        rules: Rules,
        seats: int,
        options: Mapping[str, str],
        seed: str,
        *,
        greedy: bool = False,
        absences: bool = False,
    ) -> None:
        self.rules = rules
        self.greedy = greedy
        self.absences = absences
        self.chance = Random(seed)  # noqa: S311 (reproducible; no secrets)
        self.secret = self.chance.randbytes(32).hex()
        nonces = [self.chance.randbytes(8).hex() for _ in range(seats)]
        self.started = new_match(
            rules,
            seats,
            options,
            match=seed,
            commitment=commitment(self.secret),
            nonces=nonces,
            nonce_commitments=list(map(nonce_commitment, nonces)),
        )
        self.events: list[Event] = [self.started]
        self.state: State = start_state(self.started)

    def play_match(self, leave_after: int | None = None) -> list[Event]:
        """Play to the end of the match; after ``leave_after`` moves the seat to move times out."""
        moves = 0
        while not self.state.match_over:
            if self.state.round.to_move is None:
                self._deal()
            elif moves == leave_after:
                self._apply(leave_match(self.rules, self.state, self.state.round.to_move, "timeout"))
            else:
                self._move(self.state.round.to_move)
                moves += 1
            if self.state.round.to_move is None:
                self._apply((KeyRevealed(self.state.round.number, self._key(self.state.round.number)),))
        self._apply((SecretRevealed(self.secret),))
        return self.events

    def _deal(self) -> None:
        number = self.state.round.number + 1
        key, count = self._key(number), len(self.rules.tile_set)
        shuffle = deal_source(self.started).shuffler(key, number, count)
        self._apply(deal_round(self.rules, self.state, shuffle, commitment=commitment(key)))

    def _move(self, seat: int) -> None:
        moves: Sequence[Move] = self.rules.legal_moves(self.state)
        if self.greedy:
            points = [self.rules.move_points(self.state, move).total for move in moves]
            moves = [move for move, score in zip(moves, points, strict=True) if score == max(points)]
        by = self._leave_or_return(seat) if self.absences else ""
        self._apply(decide(self.rules, self.state, seat, self.chance.choice(moves), by=by))

    def _leave_or_return(self, seat: int) -> str:
        """Let the person in the seat leave or return at random, and return who makes the move."""
        draw = self.chance.random()
        if seat not in self.state.absent:
            if draw < ABSENCE_PROBABILITY:
                self._apply(hold_seat(self.state, seat, self.chance.choice(("timeout", "gone"))))
            return CLOCK if draw > 1 - ABSENCE_PROBABILITY else ""
        if seat not in self.state.forfeited and draw < 2 * ABSENCE_PROBABILITY:
            self._apply(give_back_seat(self.state, seat))
        elif seat not in self.state.forfeited and draw > 1 - ABSENCE_PROBABILITY / 2:
            self._apply(forfeit_seat(self.state, seat, "left"))
        return ""

    def _key(self, number: int) -> str:
        return deal_source(self.started).round_key(self.secret, number)

    def _apply(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)


def playout(
    rules: Rules,
    seats: int,
    options: Mapping[str, str],
    seed: str,
    *,
    leave_after: int | None = None,
    greedy: bool = False,
    absences: bool = False,
) -> list[Event]:
    """Return the events of a random match (see ``Playout``). Raises ``Refusal`` ``bad_request``."""
    return Playout(rules, seats, options, seed, greedy=greedy, absences=absences).play_match(leave_after)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m games.engine.playout", description="Print a random match.")
    parser.add_argument("variant", choices=sorted(registry()))
    parser.add_argument("seats", type=int)
    parser.add_argument("seed")
    parser.add_argument("option", nargs="*", help="name=choice")
    parser.add_argument("--leave", type=int, metavar="MOVES", help="the seat to move times out then")
    parser.add_argument("--greedy", action="store_true", help="choose among the moves that score most")
    args = parser.parse_args()
    rules, options = rules_for(args.variant), dict(option.split("=", 1) for option in args.option)
    events = playout(rules, args.seats, options, args.seed, leave_after=args.leave, greedy=args.greedy)
    data = export_match((seq, event, "") for seq, event in enumerate(events, 1))
    rows = ",\n".join(map(write_json, data.pop("events")))
    sys.stdout.write(write_json(data)[:-1] + f',"events":[\n{rows}\n]}}\n')


if __name__ == "__main__":
    main()
