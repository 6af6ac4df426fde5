"""The chances of the players to win the match, for spectators.

Estimates come from the view that spectators have at a version (``sockets/chance_estimator.py``). They are used for the
rest of the round, until a newer one is there. Without one, only the score counts. Everything here follows from what
spectators see, and nothing may be shown to the players.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from django.conf import settings

from games import bots, caches
from games.bots.winning import winning_chances
from games.caches import ProcessCache
from games.match.snapshots import Snapshot


class Estimate(NamedTuple):
    """The chance of each seat, estimated in a round."""

    round: int
    chances: tuple[float, ...]


_estimates: ProcessCache[Estimate] = caches.chances


def are_offered(variant: str) -> bool:
    """Return whether spectators of this game see the chances."""
    return bool(settings.CHANCES_CPU_PERCENT) and bots.has_bot_for_variant(variant)


def chance_percentages(snapshot: Snapshot) -> tuple[int, ...] | None:
    """Return the chance of each seat to win, None unless the match is running and has estimates."""
    chances = _score_chances(snapshot)
    if chances is None or snapshot.state is None:
        return None
    entry = _estimates().get_entry(estimate_key(snapshot))
    if entry is not None and snapshot.state.round.over is None and entry[1].round == snapshot.state.round.number:
        chances = list(entry[1].chances)
    return tuple(round(100 * chance) for chance in chances)


def needs_estimate(snapshot: Snapshot) -> bool:
    """Return whether a round is running in which the chances can be estimated, and this version has no estimate."""
    if snapshot.state is None or snapshot.state.round.to_move is None or _score_chances(snapshot) is None:
        return False
    entry = _estimates().get_entry(estimate_key(snapshot))
    return entry is None or entry[0] < snapshot.table.version


def estimate_key(snapshot: Snapshot) -> Hashable:
    return snapshot.table.match_id, snapshot.delayed


def store_estimate(snapshot: Snapshot, chances: tuple[float, ...]) -> None:
    """Store the estimate of this version."""
    _estimates().put(estimate_key(snapshot), snapshot.table.version, Estimate(snapshot.table.round, chances))


def _score_chances(snapshot: Snapshot) -> list[float] | None:
    """Return the chances by the score alone, None without a running match that bots can play and a model of it."""
    state = snapshot.state
    if state is None or state.match_over is not None or not are_offered(snapshot.table.variant):
        return None
    try:
        return winning_chances(state)
    except KeyError:
        return None
