"""The public side of a match, apart from the game itself: seats, clocks, chat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from games.enums import (
    START_STAGES,
    UNFINISHED_STATUSES,
    AbsencePolicy,
    ChatPolicy,
    Clock,
    Delay,
    Due,
    Occupant,
    RematchAnswer,
    SeatState,
    Status,
    Visibility,
)

# A match between bots that somebody has opened is deleted this long after its end.
EXHIBITION_LIFETIME = timedelta(days=30)
# The end of a board is disclosed when its set closes, which sets the time then.
NOT_BEFORE_CLOSE = datetime(9000, 1, 1, tzinfo=UTC)
DAILY_SOURCE = "daily-"  # the names of sets of daily boards begin with it
LAST_DAILY_BOARD = 8


@dataclass(frozen=True, slots=True)
class Person:
    """The person or bot in a seat. ``kind`` is an ``Occupant``; a bot with a ``user_id`` plays for that person.

    ``bank_ms`` is the time bank at the beginning of the turn. ``nonce`` is the player's part of the shuffle, public
    once the match has started, and ``nonce_commitment`` its commitment. Without ``gains`` the player gets no rating
    points of a finished rated match, whatever the rulebook gives. ``state`` is a ``SeatState``. ``vote`` (a ``Vote``)
    and ``rematch`` (a ``RematchAnswer``) are "" without one. ``lag_ms`` is never shown to others. ``removed`` marks a
    player whom a moderator removed. ``bot`` is the ``BotLevel`` of a bot, "" for a person. ``skill`` is the ``mu`` and
    ``sigma`` of the public rating in a rated match, None for newcomers and other matches.
    """

    seat: int
    name: str
    colour: str
    kind: str
    user_id: int | None = None
    away: bool = False
    ready: bool = False
    bank_ms: int = 0
    guest: bool = False
    nonce_commitment: str = ""
    nonce: str = ""
    gains: bool = True
    rematch: str = ""
    state: str = SeatState.ACTIVE
    vote: str = ""
    lag_ms: int = 0
    removed: bool = False
    bot: str = ""
    skill: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of chat. ``earlier`` lines are from earlier matches of the series.

    ``phrase`` is the key of a preset phrase, "" for typed text. ``slug`` is that of its match.
    """

    id: int
    name: str
    text: str
    user_id: int | None = None
    guest: bool | None = False
    earlier: bool = False
    phrase: str = ""
    slug: str = ""


class RatedSeat(NamedTuple):
    """The ``RatingChange`` of the person in a seat."""

    seat: int
    mu_before: float
    mu: float
    sigma: float
    expected: float
    place: int
    of: int


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """Figures of a finished match. ``best`` is the seat and the points of the best move, None if no move scored."""

    duration_minutes: int
    drawn: int
    best: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class AgreedTerms:
    """The terms of a match: the ``delay`` for spectators, the effect of an ``absence``, the chat allowed."""

    variant: str
    options: tuple[tuple[str, str], ...] = ()
    rated: bool = False
    visibility: str = Visibility.LINK
    clock: str = Clock.NONE
    delay: str = Delay.NONE
    absence: str = AbsencePolicy.HOLD
    chat_policy: str = ChatPolicy.FREE


@dataclass(frozen=True, slots=True)
class SideStep:
    """The next step of a side after a table of a tournament: a ``NextStep``, "" if the tournament has moved on.

    ``match`` is the slug of its next match. ``at_ms`` is when its next table can be laid, 0 if that is open.
    """

    step: str = ""
    match: str = ""
    at_ms: int = 0


@dataclass(frozen=True, slots=True)
class TournamentPlace:
    """The tournament of a table, and what each side does next. ``steps`` is empty until the table is counted."""

    slug: str
    steps: tuple[SideStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Timer:
    """The clock of a table, in milliseconds or milliseconds since 1970.

    ``move_ms`` is the free time of a move before the bank is charged, 0 without a clock. ``deadline_ms`` is the time
    of ``due_kind`` (a ``Due``): ``timeout`` for the clock of the seat to move, ``round`` for the next deal. For
    spectators of a match with a delay that has not begun for them, it is the time of its beginning.
    """

    move_ms: int = 0
    turn_started_ms: int | None = None
    deadline_ms: int | None = None
    due_kind: str = Due.NOTHING

    def stopped(self) -> Timer:
        """Return the clock without a due event."""
        return Timer(self.move_ms)


NO_TIMER = Timer(move_ms=1)  # of a table outside a match; 0 would mean a match without a clock


@dataclass(frozen=True)
class Table:
    """The public side of a match. ``version`` counts the events, ``revision`` every visible change.

    ``public_at`` is when everybody may know the end. ``no_points`` (a ``NoPoints``) is why a player gains, or will
    gain, no rating points in a rated match. ``summary`` and ``rated`` exist once the match is over. ``earlier`` are
    the matches of its series whose end is public, ``wins`` the number that the player in a seat won. ``void_reason``
    is the moderator's reason for declaring the match void. ``tournament`` is None for a match of its own.
    ``source`` is the name of the set of a board, and ``board`` its number there.
    """

    match_id: int
    slug: str
    agreed: AgreedTerms
    people: tuple[Person, ...]
    status: str = Status.RUNNING
    commitment: str = ""
    host_id: int | None = None
    version: int = 0
    revision: int = 0
    round: int = 0
    timer: Timer = NO_TIMER
    rematch: str = ""
    messages: tuple[ChatLine, ...] = ()
    public_at: datetime | None = None
    no_points: str = ""
    summary: MatchSummary | None = None
    rated: tuple[RatedSeat, ...] = ()
    earlier: tuple[int, ...] = ()
    wins: tuple[int, ...] = ()
    void_reason: str = ""
    tournament: TournamentPlace | None = None
    source: str = ""
    board: int = 0

    @property
    def variant(self) -> str:
        return self.agreed.variant

    @property
    def seat_count(self) -> int:
        return len(self.people)

    @property
    def is_exhibition(self) -> bool:
        """Return whether the site opened this table and only bots sit at it."""
        return self.host_id is None and all(
            person.kind == Occupant.BOT and person.user_id is None for person in self.people
        )

    @property
    def is_open_board(self) -> bool:
        """Return whether others still play the deal of this table, so that only its player may see it."""
        return self.agreed.delay == Delay.BOARD and self.public_at in (None, NOT_BEFORE_CLOSE)

    @property
    def daily_date(self) -> str:
        """Return the date of a daily board, "" for other tables."""
        if not self.source.startswith(DAILY_SOURCE):
            return ""
        return self.source.removeprefix(f"{DAILY_SOURCE}{self.variant}-").rpartition("-")[0]

    @property
    def has_next_board(self) -> bool:
        return self.is_open_board and bool(self.daily_date) and self.board < LAST_DAILY_BOARD

    @property
    def days_kept(self) -> int | None:
        """Return for how many days an exhibition that somebody opens is kept, None for other matches."""
        return EXHIBITION_LIFETIME.days if self.is_exhibition else None

    @property
    def has_delay(self) -> bool:
        return self.agreed.delay != Delay.NONE

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of a user, None for anybody else."""
        if user_id is not None:
            for person in self.people:
                if person.user_id == user_id:
                    return person.seat
        return None

    def is_played_by(self, user_id: int | None) -> bool:
        """Return whether the user has a seat and the match is not over."""
        return self.status in UNFINISHED_STATUSES and self.seat_of(user_id) is not None

    @property
    def is_starting(self) -> bool:
        """Return whether the start has begun: seats cannot change any more."""
        return self.status == Status.OPEN and self.timer.due_kind in START_STAGES

    @property
    def rematch_offered_by(self) -> int | None:
        """Return the seat with an open offer of a rematch."""
        return next((person.seat for person in self.people if person.rematch == RematchAnswer.OFFERED), None)

    @property
    def host_seat(self) -> int | None:
        return self.seat_of(self.host_id)


class Muted(NamedTuple):
    """The chat lines that a reader does not see: those of these ``people``, all of the ``table``, or typed ones."""

    people: frozenset[int] = frozenset()
    table: bool = False
    hides_typed_lines: bool = False

    def hides(self, line: ChatLine) -> bool:
        return line.user_id in self.people or (self.hides_typed_lines and not line.phrase)


NOTHING_MUTED = Muted()


def visible_lines(lines: tuple[ChatLine, ...], muted: Muted) -> tuple[ChatLine, ...]:
    """Return the lines that are not muted: the same object if all are visible."""
    if muted.table:
        return ()
    if not any(map(muted.hides, lines)):
        return lines
    return tuple(line for line in lines if not muted.hides(line))
