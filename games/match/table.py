"""The public side of a match, apart from the game itself: seats, clocks, chat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from games.enums import (
    STAGES_OF_START,
    UNFINISHED,
    Absence,
    Clock,
    Delay,
    Due,
    RematchAnswer,
    SeatState,
    Status,
    Talk,
    Visibility,
)


@dataclass(frozen=True, slots=True)
class Person:
    """The person or bot in a seat. ``kind`` is an ``Occupant``; a bot with a ``user_id`` plays for that person.

    ``guest``: without an account. ``bank_ms`` is the time bank left at the beginning of the turn. ``nonce`` is the
    person's part of the shuffle, known from the start of the match on, ``nonce_commitment`` what committed to it.
    Whoever does not ``gains`` gets no rating points of a rated match that is over, whatever the rulebook gives.
    ``state`` is a ``SeatState``, ``vote`` what the person says about the absence of others, a ``Vote`` or "".
    ``lag_ms`` is the lag of the person's line, which nobody else is shown.
    ``rematch`` is the answer to a rematch, a ``RematchAnswer`` or "".
    ``removed``: a moderator took the person out of the match. ``bot`` is the ``BotLevel`` of a bot, otherwise "".
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


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of chat and its writer, a ``guest`` if without an account. ``earlier``: said before the rematch.

    ``phrase`` is the key of a ready phrase, "" for what somebody typed. ``slug`` is that of its match.
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
    """What a match did to the rating of the person in a seat: a ``RatingChange``."""

    seat: int
    mu_before: float
    mu: float
    sigma: float
    expected: float
    place: int
    of: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What a match was like, once it is over. ``best`` is the seat and the points of its best move, if any scored."""

    minutes: int
    drawn: int
    best: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Agreed:
    """The terms of a match: ``delay`` is how much later spectators see it, ``absence`` what one leads to, and ``talk``
    what players write.
    """

    variant: str
    options: tuple[tuple[str, str], ...] = ()
    rated: bool = False
    visibility: str = Visibility.LINK
    clock: str = Clock.NONE
    delay: str = Delay.NONE
    absence: str = Absence.HOLD
    talk: str = Talk.FREE


@dataclass(frozen=True, slots=True)
class Timer:
    """The clock of a table. Times are milliseconds since 1970, or lengths in milliseconds.

    ``move_ms`` is the free time of each move before the bank is touched, 0 without a clock. ``deadline_ms`` is when
    ``due_kind`` (a ``Due``) happens: ``timeout`` for the clock of the seat to move, ``round`` for the next deal.
    For spectators of a match with a delay that has not begun for them, it is when it does.
    """

    move_ms: int = 0
    turn_started_ms: int | None = None
    deadline_ms: int | None = None
    due_kind: str = Due.NOTHING

    def stopped(self) -> Timer:
        """Return the clock of a table at which nothing is due."""
        return Timer(self.move_ms)


NO_TIMER = Timer(move_ms=1)
"""For a table outside a match: with ``move_ms`` 0 it would say that there is no clock."""


@dataclass(frozen=True)
class Table:
    """The public side of a match. ``version`` counts the events, ``revision`` every visible change.

    ``public_at`` is when spectators may know how it ended; ``no_points`` (a ``NoPoints``) why somebody gains no
    rating points in a rated match, known or foreseen; ``facts`` and ``rated`` are known once the match is over, to all
    who may know its end. ``earlier`` are the
    matches of its series that are over for everybody, ``wins`` those of each seat in them. ``void_reason`` is why a
    moderator declared the match void.
    """

    match_id: int
    slug: str
    agreed: Agreed
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
    facts: Facts | None = None
    rated: tuple[RatedSeat, ...] = ()
    earlier: tuple[int, ...] = ()
    wins: tuple[int, ...] = ()
    void_reason: str = ""

    @property
    def variant(self) -> str:
        return self.agreed.variant

    @property
    def seat_count(self) -> int:
        return len(self.people)

    @property
    def delayed(self) -> bool:
        return self.agreed.delay != Delay.NONE

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of a user, None for anybody else."""
        if user_id is not None:
            for person in self.people:
                if person.user_id == user_id:
                    return person.seat
        return None

    def is_played_by(self, user_id: int | None) -> bool:
        """Return whether the match is not over and the user has a seat in it."""
        return self.status in UNFINISHED and self.seat_of(user_id) is not None

    @property
    def is_starting(self) -> bool:
        """Return whether the start has begun, in which no seat changes hands any more."""
        return self.status == Status.OPEN and self.timer.due_kind in STAGES_OF_START

    @property
    def rematch_offered_by(self) -> int | None:
        """Return the seat that offers a rematch which is not laid yet, if one does."""
        return next((person.seat for person in self.people if person.rematch == RematchAnswer.OFFERED), None)

    @property
    def host_seat(self) -> int | None:
        return self.seat_of(self.host_id)


class Muted(NamedTuple):
    """What a reader does not get of the chats of a table: the lines of these people, what is ``typed``, or any."""

    people: frozenset[int] = frozenset()
    table: bool = False
    typed: bool = False

    def takes(self, line: ChatLine) -> bool:
        """Return whether the reader does not get this line."""
        return line.user_id in self.people or (self.typed and not line.phrase)


NOTHING_MUTED = Muted()


def visible_lines(lines: tuple[ChatLine, ...], muted: Muted) -> tuple[ChatLine, ...]:
    """Return the lines without those that are muted: the same object if there are none."""
    if muted.table:
        return ()
    if not any(map(muted.takes, lines)):
        return lines
    return tuple(line for line in lines if not muted.takes(line))
