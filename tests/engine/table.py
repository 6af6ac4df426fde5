"""A client of the referee protocol."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from games.engine.referee import Referee

Answer = dict[str, Any]

HANDS = ["6-6 0-0 6-5 6-4 5-4 2-1 3-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1"]
# Seat 1 must lead 3-3 in this deal; seat 0 then plays 3-0.
BAZAAR = "1-0 1-1 2-2 3-1 3-2 4-0 4-2 4-3 4-4 5-1 5-2 5-5 6-0 6-2"


class RefereeClient:
    """A referee in this process. Requests and answers pass through JSON."""

    def __init__(self) -> None:
        self.referee = Referee()

    def ask(self, **request: Any) -> Answer:
        return self.line(json.dumps(request).encode())

    def line(self, line: bytes) -> Answer:
        answer: Answer = json.loads(json.dumps(self.referee.answer(line)))
        return answer

    def do(self, name: str, **rest: Any) -> Answer:
        """Send a request that must succeed."""
        answer = self.ask(do=name, **rest)
        assert answer["ok"], answer
        return answer

    def refuses(self, **request: Any) -> tuple[str, str | None]:
        """Send a request that must be refused; return the error and the rule."""
        before = self.ask(do="state")
        answer = self.ask(**request)
        assert not answer["ok"], answer
        assert set(answer) == {"ok", "error", "rule", "text"}
        assert self.ask(do="state") == before, "A refusal changes nothing."
        return answer["error"], answer["rule"]

    def play(self, *moves: str) -> Answer:
        """Make moves of the seat to move and return the last state."""
        state = self.do("state")
        for text in moves:
            state = self.do("move", seat=state["to_move"], move=text)
        return state

    def play_out(self) -> Answer:
        """Make first legal moves until the round is over."""
        state = self.do("state")
        while state["legal"]:
            state = self.do("move", seat=state["to_move"], move=state["legal"][0])
        return state

    def deal(self, hands: Sequence[str], boneyard: str = "") -> Answer:
        return self.do("deal", hands=[hand.split() for hand in hands], boneyard=boneyard.split())
