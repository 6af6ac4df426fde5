"""The contents of the pages of tournaments, without models: rendering knows only these."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from games.daily_boards.content import BoardComparison

MAX_LISTED_LINES = 20


@dataclass(frozen=True, slots=True)
class Heading:
    """A tournament as lists and the top of its page show it.

    ``options`` are those of its tables. ``min_rating`` and ``max_rating`` are 0 without a limit. ``club`` is the
    name of its club, "" without one or after it has closed. ``commitment`` is that of its boards.
    """

    slug: str
    name: str
    format: str
    variant: str
    stage: str
    starts_at: datetime
    seats: int
    people: int
    parties: int
    minutes: int
    round: int
    rounds: int
    options: tuple[tuple[str, str], ...]
    clock: str
    rated: bool
    is_unlisted: bool
    asks: bool
    needs_account: bool
    bots_only: bool
    min_rating: int
    max_rating: int
    min_matches: int
    host: str
    club: str = ""
    club_slug: str = ""
    commitment: str = ""


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A party in the standing. ``names`` are those of its people. ``rank`` is 0 while nobody has points."""

    party: str
    rank: int
    names: tuple[str, ...]
    points: float
    is_gone: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table that is played. ``sides`` has the names of each side, () for a bot. ``slug`` is "" before the match."""

    number: int
    sides: tuple[tuple[str, ...], ...]
    slug: str


@dataclass(frozen=True, slots=True)
class Fact:
    """An event. ``kind`` is the key of its sentence; ``names`` and ``number`` (of a round or a table) fill it in."""

    kind: str
    at: datetime
    names: tuple[str, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person whose entry waits. ``entry`` is the number of the entry."""

    entry: int
    name: str
    asks_viewer: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """What everybody sees of a tournament. All readers of a revision share this object.

    ``lines`` is the whole standing, of which a page lists the first ``MAX_LISTED_LINES``. ``boards`` is the number of
    closed boards.
    """

    heading: Heading
    lines: tuple[StandingLine, ...]
    tables: tuple[TableLine, ...]
    table_count: int
    boards: int

    @property
    def listed_lines(self) -> tuple[StandingLine, ...]:
        return self.lines[:MAX_LISTED_LINES]

    @property
    def listed_parties(self) -> set[str]:
        return {line.party for line in self.listed_lines}


@dataclass(frozen=True, slots=True)
class Own:
    """What only the viewer sees.

    - ``status``: of the entry, "" without one. ``line``: in the standing, None if it is not there.
    - ``match``: the slug of the match that the viewer plays in the tournament now.
    - ``ending``: "played" or "unplayed" once no table can follow for the viewer in the running tournament, else "".
    - ``asking``: entries that the viewer, as host, may accept. ``entrants``: those that the host may remove.
    - ``partners``: people who seek a partner, as the viewer does.
    - ``has_blocks``: the viewer, who may enter, has blocked somebody.
    - ``hidden_matches``: the slugs of listed matches at which somebody has blocked the viewer.
    - ``boards``: the closed boards that the viewer has played.
    - ``nonce_stage``: what the browser does with its nonce: "enter", "reveal" or nothing. ``nonce_commitment`` is the
      one that the site has.
    """

    is_host: bool = False
    can_cancel: bool = False
    can_enter: bool = False
    status: str = ""
    is_removed: bool = False
    sits_out: bool = False
    line: StandingLine | None = None
    match: str = ""
    ending: str = ""
    asking: tuple[Candidate, ...] = ()
    entrants: tuple[Candidate, ...] = ()
    partners: tuple[Candidate, ...] = ()
    has_blocks: bool = False
    hidden_matches: frozenset[str] = frozenset()
    boards: tuple[BoardComparison, ...] = ()
    nonce_stage: str = ""
    nonce_commitment: str = ""


class FieldLine(NamedTuple):
    """A result on a board: of a party, or of a bot of a ``level``. ``points`` is None without a finished match."""

    names: tuple[str, ...]
    slug: str
    points: Fraction | None
    share: Fraction
    level: str = ""


class SeatField(NamedTuple):
    """The results on a board of all who had the same tiles. ``seat`` is the index of the seat, for reviews."""

    number: int
    seat: int
    lines: tuple[FieldLine, ...]


class EntrantNonce(NamedTuple):
    """The part of an entrant in the deals of boards; "" if it was not opened."""

    name: str
    nonce: str
