"""The events of a tournament. They contain everything the rules decided, so applying them needs no rules.

``at`` is the time of an event. ``by`` is who caused it: "" for the schedule, else a party or the name of a role.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.tournaments.core.terms import Terms

BYE, ASKED, ABSENT = "bye", "asked", "absent"  # reasons for a round without a table
LEFT = "left"  # the reason of somebody who withdraws
LEFT_REASONS = (LEFT, ABSENT, "removed", "deleted")
NEW_BOTS = "bots"  # the reason of a duplicate tournament that ends between two boards


@dataclass(frozen=True, slots=True)
class Award:
    """The points of a party for a round without a table. ``reason``: ``bye``, ``asked`` or ``absent``."""

    party: str
    reason: str
    points: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a party at a table. ``place`` 0 is a party that did not come, or on a board left before the end.

    ``raw`` is in sixths of a point: by how much it was better than the mean of the other sides.
    """

    party: str
    place: int
    points: int
    raw: int = 0


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The matchpoints of a party on a board, a fraction.

    ``out_of`` 0 is a board that it still played at the close: the mean of its other boards counts.
    """

    party: str
    score: int
    out_of: int


@dataclass(frozen=True, slots=True)
class Announced:
    terms: Terms
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Entered:
    """A party entered, late after ``missed`` rounds, for which it has ``points``.

    ``commitments``: SHA-256 of the nonce of each person, "" without one.
    """

    party: str
    people: tuple[str, ...]
    at: int
    by: str = ""
    missed: int = 0
    points: int = 0
    commitments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """A party plays no more. What it has played stays. ``reason`` is one of ``LEFT_REASONS``."""

    party: str
    reason: str
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class SatOut:
    """A party asked not to play: in the next round, in an arena until it returns."""

    party: str
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    party: str
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """The tournament began, with ``rounds`` rounds (0 in an arena).

    ``nonces``: in order of entry, "" for one that was not opened. ``entropy``: what they add to the deals of boards.
    """

    rounds: int
    at: int
    by: str = ""
    nonces: tuple[str, ...] = ()
    entropy: str = ""


@dataclass(frozen=True, slots=True)
class Paired:
    """Tables were paired: a round, or in an arena (round 0) those that wait.

    ``tables`` has a party for each side, "" for a bot. ``first`` is the number of the first table. ``seed`` decided
    lots.
    """

    round: int
    first: int
    tables: tuple[tuple[str, ...], ...]
    awards: tuple[Award, ...]
    seed: str
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    table: int
    match: str
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """A table is over. On a board the points follow when it closes."""

    table: int
    results: tuple[Result, ...]
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A table does not count: in an arena it took too long, a board was not played to its end.

    ``missing`` are the parties of a board that did not come, left or were held at the end: they have 0 points.
    """

    table: int
    at: int
    by: str = ""
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardClosed:
    """A board is over at all tables. ``levels`` has for each side the raw results of the bots' levels in its seat."""

    round: int
    results: tuple[BoardResult, ...]
    at: int
    by: str = ""
    levels: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundOver:
    round: int
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class ResultChanged:
    """A moderator changed a result. Without results nobody has played at that table."""

    table: int
    results: tuple[Result, ...]
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """All is played, or fewer than two parties remain (``deserted``), or the bots have changed (``bots``)."""

    reason: str
    at: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Nothing counts. ``reason``: ``few`` parties at the start, else what staff gave."""

    reason: str
    at: int
    by: str = ""


PartyEvent = Entered | Left | SatOut | Returned
TableEvent = Begun | Counted | Dropped | ResultChanged
Event = Announced | PartyEvent | Started | Paired | TableEvent | BoardClosed | RoundOver | Ended | Cancelled
