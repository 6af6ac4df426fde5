"""The task of a worker that proposes a pairing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.tournaments.core import commands
from games.tournaments.core.arena import propose_tables
from games.tournaments.core.seating import Pair
from games.tournaments.core.state import State
from games.tournaments.core.swiss import propose_round


@dataclass(frozen=True, slots=True)
class PairingTask:
    """The state to pair from, portable: a task travels between processes.

    ``waiting``: since when each party that the site has seen waits, in milliseconds. ``apart``: pairs that should not
    meet while there are others.
    """

    tournament: int
    state: State
    waiting: Mapping[str, int]
    apart: tuple[Pair, ...]
    seed: str
    now: int


def portable(state: State) -> State:
    """Return the state in a form that can be pickled."""
    return replace(state, entries=dict(state.entries))


def propose(task: PairingTask) -> commands.Pair | None:
    """Return the pairing that the clock should command, None if nobody should sit down now."""
    if task.state.is_arena:
        return propose_tables(task.state, task.waiting, task.seed, task.now, task.apart)
    return propose_round(task.state, task.waiting.keys(), task.seed, task.apart)
