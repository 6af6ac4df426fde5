"""The requests of people, staff and the schedule to a tournament. ``decide`` answers with events or a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.tournaments.core.events import Award


@dataclass(frozen=True, slots=True)
class Enter:
    party: str
    people: tuple[str, ...]
    commitments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leave:
    """``reason`` is one of ``LEFT_REASONS``; ``by`` names staff."""

    party: str
    reason: str = "left"
    by: str = ""


@dataclass(frozen=True, slots=True)
class SitOut:
    party: str


@dataclass(frozen=True, slots=True)
class Return:
    party: str


@dataclass(frozen=True, slots=True)
class Start:
    """``present`` are the parties whom the site has seen. ``nonces``: in order of entry, "" for one not opened."""

    present: frozenset[str]
    nonces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Seat a proposal of ``swiss.propose_round`` or ``arena.propose_tables``, computed from an earlier state.

    A Swiss round is refused as ``stale`` unless it fits all entrants. Of an arena the tables stay whose parties are
    all free.
    """

    round: int
    tables: tuple[tuple[str, ...], ...]
    awards: tuple[Award, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class Begin:
    table: int
    match: str


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a table. ``places`` has those who played, by party; missing parties did not come.

    On a board, parties that left or were held at the end are missing, too. ``raws`` are in sixths (``raw_results``).
    """

    table: int
    places: Mapping[str, int]
    raws: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Drop:
    """End a table that does not count: an overdue one of an arena, or one on a board that was not played to its end.

    ``missing`` are the parties of a board that did not come, left or were held at the end.
    """

    table: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CloseBoard:
    """Close the board of the round. ``levels`` has for each side the raw results of the bots' levels in its seat."""

    levels: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """Change a result. Without ``places`` the table is void: nobody has played there."""

    table: int
    places: Mapping[str, int]
    by: str
    raws: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class End:
    """End an arena whose time is up, or a tournament that fewer than two parties play.

    ``has_new_bots``: the next boards would be played against other bots, so their results would not compare.
    """

    has_new_bots: bool = False


@dataclass(frozen=True, slots=True)
class Cancel:
    reason: str
    by: str


Command = (
    Enter | Leave | SitOut | Return | Start | Pair | Begin | Count | Drop | CloseBoard | ChangeResult | End | Cancel
)
