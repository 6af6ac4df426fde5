"""A referee to talk to, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from games.engine.referee import Referee

Answer = dict[str, Any]

HANDS = ["6-6 0-0 6-5 6-4 5-4 2-1 3-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1"]
BAZAAR = "1-0 1-1 2-2 3-1 3-2 4-0 4-2 4-3 4-4 5-1 5-2 5-5 6-0 6-2"
"""In this deal seat 1 must lead 3-3, and then seat 0 plays 3-0."""


class RefereeClient:
    """A referee in this process, asked and answered as over the pipe."""

    def __init__(self) -> None:
        self.referee = Referee()

    def ask(self, **request: Any) -> Answer:
        """Ask, whatever the answer."""
        return self.line(json.dumps(request).encode())

    def line(self, line: bytes) -> Answer:
        """Send one line as it is."""
        answer: Answer = json.loads(json.dumps(self.referee.answer(line)))
        return answer

    def do(self, name: str, **rest: Any) -> Answer:
        """Ask for what must be done."""
        answer = self.ask(do=name, **rest)
        assert answer["ok"], answer
        return answer

    def refuses(self, **request: Any) -> tuple[str, str | None]:
        """Ask for what must be refused; return the error and the rule."""
        before = self.ask(do="state")
        answer = self.ask(**request)
        assert not answer["ok"], answer
        assert set(answer) == {"ok", "error", "rule", "text"}
        assert self.ask(do="state") == before, "A refusal changes nothing."
        return answer["error"], answer["rule"]

    def play(self, *moves: str) -> Answer:
        """Make moves, each by the seat to move."""
        state = self.do("state")
        for text in moves:
            state = self.do("move", seat=state["to_move"], move=text)
        return state

    def play_out(self) -> Answer:
        """Make the first legal move until the round is over."""
        state = self.do("state")
        while state["legal"]:
            state = self.do("move", seat=state["to_move"], move=state["legal"][0])
        return state

    def deal(self, hands: Sequence[str], boneyard: str = "") -> Answer:
        """Deal exactly so."""
        return self.do("deal", hands=[hand.split() for hand in hands], boneyard=boneyard.split())

    def between_rounds(self, variant: str, seats: int, leader: int, options: Mapping[str, str]) -> Answer:
        """Start a match and play a round that ``leader`` ends, who may lead any tile then."""
        for seed in count():
            self.do("new", variant=variant, seats=seats, options=options)
            self.do("deal", seed=f"prelude {seed}")
            state = self.play_out()
            if state["round_over"]["seat"] == leader and not state["match_over"]:
                return state
        raise AssertionError("unreachable")
