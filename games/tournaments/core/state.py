"""The state of a tournament: a fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from games.tournaments.core.events import Award, BoardResult, Result
from games.tournaments.core.terms import Terms

Stage = Literal["announced", "running", "over", "cancelled"]
RoundStage = Literal["pairing", "playing"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A party in the tournament.

    - ``missed``, ``late_points``: rounds before a late entry, and the points for them.
    - ``awards``: the rounds without a table. ``left_reason``: why it plays no more, "" while it does.
    - ``sits_out``: it asked not to play.
    """

    party: str
    people: tuple[str, ...]
    missed: int = 0
    late_points: int = 0
    awards: tuple[Award, ...] = ()
    left_reason: str = ""
    sits_out: bool = False
    commitments: tuple[str, ...] = ()

    @property
    def has_half(self) -> bool:
        """Whether the points for one missed round, which everybody gets once, are used."""
        return self.missed > 0 or any(award.reason == "asked" and award.points for award in self.awards)

    def count(self, reason: str) -> int:
        """Return the number of rounds without a table for a reason."""
        return sum(award.reason == reason for award in self.awards)


@dataclass(frozen=True, slots=True)
class Table:
    """A pairing. ``parties`` has one for each side, "" for a bot. Times are 0 before they happen."""

    number: int
    round: int
    parties: tuple[str, ...]
    match: str = ""
    begun_at: int = 0
    over_at: int = 0
    results: tuple[Result, ...] = ()
    is_dropped: bool = False

    @property
    def is_pending(self) -> bool:
        return not self.over_at

    @property
    def people(self) -> tuple[str, ...]:
        """The parties without bots."""
        return tuple(party for party in self.parties if party)

    @property
    def came(self) -> tuple[Result, ...]:
        """The results of those who played."""
        return tuple(result for result in self.results if result.place)


@dataclass(frozen=True, slots=True)
class State:
    """A tournament.

    - ``round``: the last that was paired. ``rounds``: how many there are, 0 before the start and in an arena.
    - ``boards``: the results of each closed board, ``levels``: those of the bots there by side.
    """

    terms: Terms
    stage: Stage = "announced"
    round: int = 0
    rounds: int = 0
    round_stage: RoundStage = "pairing"
    entries: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))
    tables: tuple[Table, ...] = ()
    boards: tuple[tuple[BoardResult, ...], ...] = ()
    levels: tuple[tuple[tuple[int, ...], ...], ...] = ()
    entropy: str = ""

    @property
    def is_arena(self) -> bool:
        return self.terms.format == "arena"

    @property
    def is_duplicate(self) -> bool:
        return self.terms.format == "duplicate"

    @property
    def is_board_open(self) -> bool:
        """Whether a deal is at play that others may not know, and whose results are secret."""
        return self.is_duplicate and len(self.boards) < self.round

    @property
    def disclosed_tables(self) -> tuple[Table, ...]:
        """The tables whose results the standing may show: on boards those of closed ones."""
        if not self.is_duplicate:
            return self.tables
        return tuple(table for table in self.tables if table.round <= len(self.boards))

    @property
    def is_finished(self) -> bool:
        return self.stage in ("over", "cancelled")

    @property
    def active(self) -> tuple[Entry, ...]:
        """The parties that have not left, in order of entry."""
        return tuple(entry for entry in self.entries.values() if not entry.left_reason)

    @property
    def free_parties(self) -> set[str]:
        """The parties that can sit down in an arena."""
        busy = {party for table in self.current_tables for party in table.people}
        return {entry.party for entry in self.active if not entry.sits_out} - busy

    def has_next_table(self, party: str, now: int) -> bool:
        """Return True while a party plays, is paired, or may still be paired."""
        may_be_paired = now <= self.terms.last_begin if self.is_arena else self.round < self.rounds
        return may_be_paired or any(table.is_pending and party in table.people for table in self.current_tables)

    @property
    def current_tables(self) -> tuple[Table, ...]:
        """The tables of the current round, in an arena all that are not over."""
        if self.is_arena:
            return tuple(table for table in self.tables if table.is_pending)
        return tuple(table for table in self.tables if table.round == self.round)
