"""Branches: alternative moves from a step of a finished match to the end of the round.

A branch is a position and moves in notation. It is not stored. Tiles are drawn in the same order as in the match: the
record of a finished match reveals it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from zlib import crc32

from games.caches import MAX_BRANCH_ANSWERS
from games.engine.decide import apply_move
from games.engine.refusal import Refusal
from games.engine.state import State, replace_fields
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.review.analysis import review_workers
from games.review.bot_continuation import continue_with_bots
from games.review.match_steps import Step
from games.workers.jobs import Jobs
from infrastructure.runtime import PerProcess

MAX_QUEUED_BRANCHES = 10

# The bots' moves, in notation.
BotMoves = tuple[str, ...]
# The name of the start, the moves, the seats of people, and the level of the bots.
BranchKey = tuple[str, BotMoves, tuple[int, ...], str]


@dataclass(frozen=True, slots=True)
class Branch:
    """The legal moves of a branch, and the positions before and after them.

    ``refusal`` says why the next move is illegal, if there is one.
    """

    positions: tuple[State, ...]
    moves: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    refusal: Refusal | None = None

    def to_move(self, number: int) -> int | None:
        """Return the seat to move after a number of moves, None once the round is over."""
        return self.positions[number].round.to_move

    def view(self, number: int, seat: int | None, *, open_hands: bool) -> View:
        """Return the view of a seat (None: the public view), or of all hands, after a number of moves."""
        position = self.positions[number]
        return view_for(rules_for(position.setup.variant), position, seat, open_hands=open_hands)

    def truncate(self, number: int) -> Branch:
        """Return the branch with only its first moves."""
        return Branch(self.positions[: number + 1], self.moves[:number], self.steps[:number])

    def with_moves(self, moves: Iterable[str]) -> Branch:
        """Return the branch with more moves, up to the first illegal one."""
        branch = self
        for move in moves:
            try:
                branch = branch._with_move(move)
            except Refusal as refusal:
                return replace(branch, refusal=refusal)
        return branch

    def _with_move(self, text: str) -> Branch:
        position, number = self.positions[-1], len(self.moves) + 1
        rules = rules_for(position.setup.variant)
        move = rules.parse_move(position, text)
        events, after = apply_move(rules, position, position.round.to_move or 0, move)
        step = Step(number, 0, position.round.number, events, None, timedelta())
        return Branch((*self.positions, after), (*self.moves, rules.move_text(move)), (*self.steps, step))


def start_branch(position: State) -> Branch | None:
    """Return a branch without moves, None if nobody is to move. Absent players and those who left play again."""
    if position.round.to_move is None:
        return None
    return Branch((replace_fields(position, absent=(), forfeited=()),))


_jobs: PerProcess[Jobs[BranchKey, Future[BotMoves]]] = PerProcess(
    partial(Jobs, "branches", max_unfinished=MAX_QUEUED_BRANCHES, max_cached=MAX_BRANCH_ANSWERS)
)


def request_bot_moves(
    branch: Branch,
    human_seats: Collection[int],
    level: str,
    *,
    name: str,
    address: str = "",
    account: int | None = None,
) -> Future[BotMoves]:
    """Return the moves of bots of a level in all seats but those of ``human_seats``. ``name`` identifies the start.

    Raises Refused ``too_fast`` if the queue is full, LimitExceeded for a client over its limit.
    """
    key = (name, branch.moves, tuple(sorted(human_seats)), level)
    seed = crc32(repr(key).encode())
    submit = partial(review_workers().submit, continue_with_bots, branch.positions[-1], human_seats, level, seed)
    return _jobs().get_or_start(key, submit, address=address, account=account)
