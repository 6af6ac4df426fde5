"""The caches of this process: their values, keys and sizes, and when an entry is stale.

A cache of matches keeps one value for each match, with a number that grows with every change. Entries are not
invalidated: a reader compares the number with the row of the match and stores a newer value. The worst case is an old
view for a socket that is about to be updated. A dropped value is read again. The module that uses a cache declares the
type of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from threading import Lock
from typing import Any, Generic, TypeAlias, TypeVar

from infrastructure.runtime import PerProcess

Value = TypeVar("Value")


class MatchCache(Generic[Value]):
    """Keeps one (number, value) for each key, never replaces it by a lower number, and drops the oldest entry."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.values: dict[Hashable, tuple[int, Value]] = {}
        self.lock = Lock()

    def get_entry(self, key: Hashable) -> tuple[int, Value] | None:
        return self.values.get(key)

    def get_or_load(self, key: Hashable, load: Callable[[], Value]) -> Value:
        """Return a value that never changes; it is read the first time."""
        if (entry := self.get_entry(key)) is not None:
            return entry[1]
        value = load()
        self.put(key, 0, value)
        return value

    def get_or_renew(self, key: Hashable, number: int, load: Callable[[], Value]) -> Value:
        """Return the value with this number; it is read if the stored one has another."""
        entry = self.get_entry(key)
        if entry is not None and entry[0] == number:
            return entry[1]
        value = load()
        self.put(key, number, value)
        return value

    def put(self, key: Hashable, number: int, value: Value) -> None:
        with self.lock:
            entry = self.values.pop(key, None)
            if entry is not None and entry[0] > number:
                number, value = entry
            self.values[key] = (number, value)
            while len(self.values) > self.size:
                del self.values[next(iter(self.values))]


ProcessCache: TypeAlias = PerProcess[MatchCache[Value]]


RUNNING_MATCHES_CACHE_SIZE = 2000  # matches played in one process at the same time; a core carries some 750
SHOWN_MATCHES_CACHE_SIZE = 500  # matches on an open page of this process

# match/record: the state of a match. Key: match. Number: version. Stale when the row has a higher version.
states: ProcessCache[Any] = PerProcess(partial(MatchCache, RUNNING_MATCHES_CACHE_SIZE))
# match/record: the first event of a match. Key: match. Never stale.
start_events: ProcessCache[Any] = PerProcess(partial(MatchCache, RUNNING_MATCHES_CACHE_SIZE))
# fair_dealing/dealing: the secret of a match. Key: match. Never stale.
secrets: ProcessCache[Any] = PerProcess(partial(MatchCache, RUNNING_MATCHES_CACHE_SIZE))
# match/snapshots: the public table and the state. Key: match. Number: revision. Stale when the row has a higher one.
snapshots: ProcessCache[Any] = PerProcess(partial(MatchCache, RUNNING_MATCHES_CACHE_SIZE))
# spectators/delayed: what spectators of a match with a delay see. Key: match. Number: revision of what they see.
# Stale when the table has another revision than ``table_revision``, or at ``due``.
delayed_views: ProcessCache[Any] = PerProcess(partial(MatchCache, SHOWN_MATCHES_CACHE_SIZE))
# sockets/shared_frames: frames of a snapshot. Key: match, and whether it is delayed. Number: revision. Stale when the
# snapshot has another revision.
frames: ProcessCache[Any] = PerProcess(partial(MatchCache, 2 * SHOWN_MATCHES_CACHE_SIZE))
# spectators/chances: the newest estimate of the chances to win. Key: match, and whether it is delayed. Number:
# version. Stale in another round.
chances: ProcessCache[Any] = PerProcess(partial(MatchCache, 2 * SHOWN_MATCHES_CACHE_SIZE))
# tournaments/record: the state of a tournament. Key: tournament. Number: version. Stale when the row has a higher one.
tournaments: ProcessCache[Any] = PerProcess(partial(MatchCache, 100))
# services/board_days: the results of a closed day of boards. Key: day. Number: hour. Stale after it, since
# moderators may void matches and people may delete their accounts.
board_days: ProcessCache[Any] = PerProcess(partial(MatchCache, 200))
# services/board_days: the standing of a month. Key: its closed days. Number: hour. Stale after it.
board_months: ProcessCache[Any] = PerProcess(partial(MatchCache, 50))
# daily_boards/losses: what the choices of a person cost on the boards of a month. Key: game, month, person. Number:
# hour. Stale after it.
choice_losses: ProcessCache[Any] = PerProcess(partial(MatchCache, 1000))
# review/steps: the steps of a match. Key: match. Number: version. Stale when the viewer may see another version.
reviews: ProcessCache[Any] = PerProcess(partial(MatchCache, 100))

# records/uploads: uploaded records that were parsed. Key: the name, a digest of the record. Never stale.
uploads: ProcessCache[Any] = PerProcess(partial(MatchCache, 40))

# Caches of other kinds, whose entries are never stale: the key is all that the value is made of.
MAX_ANALYSES = 500  # review/analysis: key: match or upload, and step
MAX_BRANCH_ANSWERS = 200  # review/branch: key: position and level
MAX_SOCIAL_PREVIEWS = 100  # sharing/png_worker: key: what the picture shows
