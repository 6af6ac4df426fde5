"""The first and the last round of a match as the frames that a player's page receives.

The match is played in memory: the table stays as it is.
Runs in the shell of a site (``Server.run_code``) without its clock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.conf import settings

from games.engine.events import Event, KeyRevealed, MatchEnded, MatchStarted, RoundEnded, SecretRevealed
from games.engine.evolve import evolve, start_state
from games.engine.options import LENGTH_OPTION, QUICK
from games.engine.playout import playout
from games.engine.state import State
from games.engine.variants import rules_for
from games.enums import Due, Status
from games.geometry.spots import Shape
from games.match.snapshots import Snapshot, current_snapshot
from games.match.table import Table, Timer
from games.sockets.shared_frames import Display, RenderedMatch
from tests.games import tables

SAME_UPDATE = (RoundEnded, MatchEnded, KeyRevealed, SecretRevealed)  # sent together with the event before them
PAUSE_MS = 20_000


def prepare_replay(variant: str, seats: int, seed: str) -> dict[str, Any]:
    """Return the address of a table, the session of the player in seat 0, and the frames by shape of the felt."""
    ann = tables.person("Ann")
    rules = rules_for(variant)
    options = {LENGTH_OPTION.name: QUICK} if LENGTH_OPTION in rules.options else {}
    match = tables.running_table([ann], bots=seats - 1, variant=variant, clock="none", options=options)
    table = current_snapshot(match.pk).table
    played = list(visible_states(playout(rules, seats, options, seed, greedy=True)))
    states = [state for state in played if state.round.number in (1, played[-1].round.number)]
    return {
        "address": f"/match/{match.slug}/",
        "session": tables.browser_of(ann).cookies[settings.SESSION_COOKIE_NAME].value,
        "frames": {shape.value: frames_of(table, states, shape) for shape in Shape},
    }


def visible_states(events: list[Event]) -> Iterator[State]:
    """Yield the state after each update of the table."""
    started, *rest = events
    assert isinstance(started, MatchStarted)
    state = start_state(started)
    for event, following in zip(rest, [*rest[1:], None], strict=True):
        state = evolve(state, event)
        if not isinstance(following, SAME_UPDATE):
            yield state


def frames_of(table: Table, states: list[State], shape: Shape) -> list[str]:
    """Return the updates for a page from state to state; the first one replaces all zones."""
    frames, before = [], None
    for state in states:
        rendered = RenderedMatch(Snapshot(table_in_state(table, state), state))
        frame = rendered.frame(0, Display("en", shape))
        frames.append(str(frame.update_from(before)))
        before = frame
    return frames


def table_in_state(table: Table, state: State) -> Table:
    """Return the table of the page in another state. It keeps its revision, so that the page is never out of date."""
    if state.match_over:
        return replace(table, status=Status.FINISHED)
    if state.round.over is None:
        return table
    deadline = round(time.time() * 1000) + PAUSE_MS
    return replace(table, timer=Timer(deadline_ms=deadline, due_kind=Due.ROUND))
