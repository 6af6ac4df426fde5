"""Branches: other moves than those of a match that is over, from one of its steps to the end of the round.

A branch is a position and moves in notation, and is not stored. Tiles are drawn in the order of the match, which is in
the record of every match that is over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from zlib import crc32

from games.caches import BRANCH_ANSWERS
from games.engine.decide import make_move
from games.engine.refusal import Refusal
from games.engine.state import State, replace_fields
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.review.analysis import workers
from games.review.past import Step
from games.review.playing_on import play_on
from games.workers.jobs import Jobs
from infrastructure.runtime import PerProcess

MAX_WAITING = 10

# The bots' moves, in notation.
Answer = tuple[str, ...]
# The start of a branch, its moves, the seats of people, and the level of the bots.
Question = tuple[str, Answer, tuple[int, ...], str]


@dataclass(frozen=True, slots=True)
class Branch:
    """The legal moves of a branch, and the positions before and after them.

    ``refused`` says why the next move is illegal, if there is one.
    """

    positions: tuple[State, ...]
    moves: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    refused: Refusal | None = None

    def to_move(self, number: int) -> int | None:
        """Return the seat to move after a number of moves, None once the round is over."""
        return self.positions[number].round.to_move

    def view(self, number: int, seat: int | None, *, open_hands: bool) -> View:
        """Return the view of a seat (None: the public view), or of all hands, after a number of moves."""
        position = self.positions[number]
        return view_for(rules_for(position.setup.variant), position, seat, open_hands=open_hands)

    def until(self, number: int) -> Branch:
        """Return the branch with only its first moves."""
        return Branch(self.positions[: number + 1], self.moves[:number], self.steps[:number])

    def played(self, moves: Iterable[str]) -> Branch:
        """Return the branch with more moves, up to the first illegal one."""
        branch = self
        for move in moves:
            try:
                branch = branch._with(move)
            except Refusal as refusal:
                return replace(branch, refused=refusal)
        return branch

    def _with(self, text: str) -> Branch:
        position, number = self.positions[-1], len(self.moves) + 1
        rules = rules_for(position.setup.variant)
        move = rules.parse_move(position, text)
        events, after = make_move(rules, position, position.round.to_move or 0, move)
        step = Step(number, 0, position.round.number, events, None, timedelta())
        return Branch((*self.positions, after), (*self.moves, rules.move_text(move)), (*self.steps, step))


def begin(position: State) -> Branch | None:
    """Return a branch without moves, None where nobody is to move. Absent players and those who left play again."""
    if position.round.to_move is None:
        return None
    return Branch((replace_fields(position, absent=(), forfeited=()),))


_answers: PerProcess[Jobs[Question, Future[Answer]]] = PerProcess(
    partial(Jobs, "branches", max_unfinished=MAX_WAITING, max_cached=BRANCH_ANSWERS)
)


def answer(
    branch: Branch, people: Collection[int], level: str, *, name: str, address: str = "", account: int | None = None
) -> Future[Answer]:
    """Return the moves of bots of a level in all seats but those of ``people``. ``name`` identifies the start.

    Raises Refused ``too_fast`` if the queue is full, TooFast for a client over its limit.
    """
    question = (name, branch.moves, tuple(sorted(people)), level)
    seed = crc32(repr(question).encode())
    work = partial(workers().submit, play_on, branch.positions[-1], people, level, seed)
    return _answers().get_or_start(question, work, address=address, account=account)
