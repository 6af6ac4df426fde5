"""The events of a match. They contain everything the rules decided, so applying them needs no rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.engine.moves import Draw, Move, Pass, Play
from games.engine.tiles import Tile

CLOCK, BOT = "clock", "bot"  # makers of moves other than the player (``by``)


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a score: its rule id, its calculation (``6-3 + 0-0``) and its value in points."""

    rule: str
    text: str
    value: int


@dataclass(frozen=True, slots=True)
class Points:
    """Points of a seat or side: the total and the terms that add up to it."""

    total: int
    terms: tuple[Term, ...] = ()

    @classmethod
    def of(cls, *terms: Term) -> Points:
        """Return the points with the sum of the terms as total.

        >>> Points.of(Term("kozel.hand_points", "6-3", 9), Term("kozel.pot", "+35", 35)).total
        44
        """
        return cls(sum([term.value for term in terms]), terms)


@dataclass(frozen=True, slots=True)
class Standing:
    """The score of a seat or side. ``opened`` is False for remembered points without an account (Kozel)."""

    points: int = 0
    opened: bool = True

    def plus(self, points: int) -> Standing:
        return cached_standing(self.points + points, self.opened)


@lru_cache(maxsize=10_000)
def cached_standing(points: int, opened: bool) -> Standing:
    """Return a cached ``Standing``: every move needs one."""
    return Standing(points, opened)


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match began. docs/fair-dealing.md explains the commitments.

    - ``options``: pairs of name and choice. ``match``: the name of the match. ``bots``: seats of bots at the start.
    - ``commitment``: SHA-256 of the site's secret.
    - ``nonces``: one text per seat. ``nonce_commitments``: their SHA-256, published before the nonces ("" for a bot
      or a person without a nonce); () in records without commitments.
    - ``source``, ``first``, ``entropy``: of a board, the name of its set, its number there, and the text made of the
      nonces of the whole set. A board has no nonces of its own.
    """

    variant: str
    seats: int
    options: tuple[tuple[str, str], ...]
    rules_version: int
    match: str = ""
    commitment: str = ""
    nonces: tuple[str, ...] = ()
    nonce_commitments: tuple[str, ...] = ()
    bots: tuple[int, ...] = ()
    source: str = ""
    first: int = 1
    entropy: str = ""


@dataclass(frozen=True, slots=True)
class DealVoided:
    """The rules voided a deal; ``rule`` is the rule id, the other fields are those of ``RoundDealt``."""

    round: int
    attempt: int
    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    rule: str
    commitment: str = ""
    start: tuple[str, ...] = ()
    aside: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round began. A state can be rebuilt from the last event of this type.

    - ``boneyard``: in drawing order. ``aside``: tiles out of play. ``start``: placements on the table before the lead.
    - ``to_move``: the leader, by ``rule``. ``must_lead``: the tiles that may be led (empty: any). ``lots``: the seats
      among which lots were drawn for the lead (empty: none).
    - ``commitment``: SHA-256 of the round's key.
    """

    round: int
    attempt: int
    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    to_move: int
    must_lead: tuple[Tile, ...]
    rule: str
    standing: tuple[Standing, ...]
    pot: int = 0
    start: tuple[str, ...] = ()
    aside: tuple[Tile, ...] = ()
    commitment: str = ""
    lots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """``seat`` played ``tile`` at ``place``. ``to_move`` is the next seat, None at the end of the round.

    ``shown``: tiles of the hand that the seat had to show for this move. ``by`` is who made the move: "" for the
    player, ``clock`` after a timeout, ``bot`` for a bot that replaces a person.
    """

    seat: int
    tile: Tile
    place: str
    to_move: int | None
    points: Points = Points(0)
    shown: tuple[Tile, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Drew:
    """``seat`` drew ``tile``, which is secret until the round is over."""

    seat: int
    tile: Tile
    to_move: int
    points: Points = Points(0)
    by: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    seat: int
    to_move: int | None
    points: Points = Points(0)
    by: str = ""


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """A bot plays for the person in ``seat`` until they return. ``reason``: ``timeout`` or ``gone`` (disconnected)."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The person in ``seat`` plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatForfeited:
    """A bot plays in ``seat`` to the end. ``reason``: ``left``, or ``held`` after too many absences."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round ended. Tuples have one entry per side.

    - ``reason``, ``seat``, ``rule``: why it ended, the seat that ended it, the rule id.
    - ``points``: for the end of the round. ``made``: for the moves of the round, contained in ``before``; () if none
      scored. ``before``, ``standing``: the scores before and after ``points``.
    - ``reset``: the rule that reset the score of a side, "" if none did.
    - ``lead``: the next leader, None if decided by lot or by the deal.
    - ``last``: the match ends with this round, unless the rules require one more.
    """

    round: int
    reason: str
    seat: int | None
    rule: str
    points: tuple[Points, ...]
    before: tuple[Standing, ...]
    standing: tuple[Standing, ...]
    reset: tuple[str, ...]
    pot: int
    lead: int | None
    last: bool = False
    made: tuple[Points, ...] = ()


LEAVE_REASONS = ("left", "timeout")
STOP_REASONS_WITH_SEAT = ("stopped", "deserted")
# Reasons for a match without a result: somebody left only bots behind, nobody was there any more, all agreed to
# stop, a moderator stopped it or declared it void. The first two may name a seat.
STOP_REASONS = (*STOP_REASONS_WITH_SEAT, "agreed", "moderated", "void")


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match ended. Tuples have one entry per seat, or none.

    ``reason`` is ``finished``, one of ``LEAVE_REASONS`` or one of ``STOP_REASONS``. ``seat`` is the seat that left or
    timed out; if the reason is in ``STOP_REASONS_WITH_SEAT``, the last person, who left bots behind or was away too
    long. ``rating`` are rating points, () in games without them.
    """

    reason: str
    seat: int | None
    rule: str
    places: tuple[int, ...]
    losers: tuple[int, ...]
    rating: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class StandingSet:
    """The score was set between rounds (request ``standing`` of the referee)."""

    standing: tuple[Standing, ...]
    pot: int


@dataclass(frozen=True, slots=True)
class KeyRevealed:
    """The key of a finished round was published, in hexadecimal."""

    round: int
    key: str


@dataclass(frozen=True, slots=True)
class SecretRevealed:
    """The site's secret of a finished match was published, in hexadecimal."""

    secret: str


DealEvent = DealVoided | RoundDealt
MoveEvent = Played | Drew | Passed
SeatEvent = SeatHeld | SeatReturned | SeatForfeited
RevealEvent = KeyRevealed | SecretRevealed
Event = MatchStarted | DealEvent | MoveEvent | SeatEvent | RoundEnded | MatchEnded | StandingSet | RevealEvent


def move_of(event: MoveEvent) -> Move:
    """Return the move without what the rules decided about it."""
    if isinstance(event, Played):
        return Play(event.tile, event.place)
    return Draw() if isinstance(event, Drew) else Pass()
