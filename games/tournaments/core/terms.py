"""The terms of a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Format = Literal["arena", "swiss", "duplicate"]
MINUTE = 60_000  # milliseconds
MIN_PARTIES = 4
MIN_BOARD_TABLES = 3
MAX_ROUNDS = 9
EXTRA_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tournament, fixed by its announcement.

    - ``sides``: parties of a full table, two to four. ``people``: of a party; 2 are partners.
    - ``starts_at``: milliseconds since 1970. ``minutes``: how long an arena lasts.
    - ``usual_minutes``: how long a match usually takes.
    - ``rounds``: of a Swiss or duplicate tournament; 0: by the number of parties at the start.
    """

    format: Format
    sides: int
    starts_at: int
    usual_minutes: int
    people: int = 1
    minutes: int = 0
    rounds: int = 0
    max_parties: int = 256

    @property
    def ends_at(self) -> int:
        """The end of an arena: nothing begins later than the usual minutes before."""
        return self.starts_at + self.minutes * MINUTE

    @property
    def last_begin(self) -> int:
        return self.ends_at - self.usual_minutes * MINUTE

    @property
    def min_parties(self) -> int:
        """The parties without which nothing starts. A board needs three tables to compare."""
        return max(MIN_PARTIES, (MIN_BOARD_TABLES - 1) * self.sides + 1) if self.format == "duplicate" else MIN_PARTIES


def round_count(parties: int, sides: int) -> int:
    """Return the usual number of rounds: two more than knock-out needs, at most nine.

    >>> [round_count(parties, sides) for parties, sides in ((4, 2), (5, 2), (256, 2), (200, 3), (200, 4))]
    [4, 5, 9, 7, 6]
    """
    power, rounds = 1, 0
    while power < parties:
        power, rounds = power * sides, rounds + 1
    return min(MAX_ROUNDS, rounds + EXTRA_ROUNDS)


def table_sizes(parties: int, sides: int) -> tuple[int, ...]:
    """Return the parties of each table: as few tables as possible, sizes as even as possible, the larger first.

    >>> table_sizes(10, 4), table_sizes(5, 4)
    ((4, 3, 3), (3, 2))
    """
    tables = -(-parties // sides)
    return tuple(parties // tables + (index < parties % tables) for index in range(tables))
