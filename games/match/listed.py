"""Matches in lists, as plain values: the lobby and the history read them, rendering shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.engine.events import Standing
from games.enums import Occupant
from games.match.table import AgreedTerms


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat of a table in a list.

    ``standing`` is None before the first deal. ``is_followed``: the reader follows the player. ``is_away``: spectators
    see that the player is away.
    """

    name: str
    colour: str
    kind: Occupant
    is_guest: bool
    standing: Standing | None
    is_followed: bool = False
    is_away: bool = False


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table that is open or played at. ``round`` is 0 before the first deal; in an exhibition only bots play.

    ``awaits_viewer``: it is the turn of the person whose list it is. ``last_event_at`` is when spectators saw the last
    event, None before the first. ``waits_for_absent``: the player to move is away.
    """

    match_id: int
    slug: str
    agreed: AgreedTerms
    status: str
    round: int
    seats: tuple[ListedSeat, ...]
    spectators: int
    exhibition: bool
    awaits_viewer: bool = False
    last_event_at: datetime | None = None
    waits_for_absent: bool = False

    @property
    def variant(self) -> str:
        return self.agreed.variant

    @property
    def free(self) -> int:
        return sum(seat.kind == Occupant.EMPTY for seat in self.seats)

    @property
    def is_followed(self) -> bool:
        return any(seat.is_followed for seat in self.seats)


@dataclass(frozen=True, slots=True)
class TableLists:
    """Open tables, those with free seats first, and running ones, newest first.

    Tables of followed people come first.
    """

    open: tuple[ListedTable, ...] = ()
    running: tuple[ListedTable, ...] = ()
    exhibitions: tuple[ListedTable, ...] = ()


@dataclass(frozen=True, slots=True)
class FinishedPlayer:
    """The person or bot in a seat. ``user_id`` is for the link to its page; ``gain``: rating points or None."""

    seat: int
    name: str
    colour: str
    is_bot: bool
    is_guest: bool
    user_id: int | None
    outcome: str
    gain: int | None


@dataclass(frozen=True, slots=True)
class FinishedSide:
    """The players of a side and their place, 1 being the best, None where nobody won.

    ``number`` is that of the side in the rules. If a partner has left, the side is listed twice, with two places.
    """

    number: int
    place: int | None
    standing: Standing | None
    players: tuple[FinishedPlayer, ...]


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match. ``own`` is the side of the person whose list it is, ``void_reason`` why it is void."""

    match_id: int
    slug: str
    agreed: AgreedTerms
    finished_at: datetime
    rounds: int
    status: str
    sides: tuple[FinishedSide, ...]
    own: FinishedPlayer | None
    void_reason: str = ""

    @property
    def variant(self) -> str:
        return self.agreed.variant
