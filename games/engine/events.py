"""The facts of a match. Whatever a rule chose stands in the event, so replaying never judges again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a score line: its rule id, how it came about (``6-3 + 0-0``), its value in points."""

    rule: str
    text: str
    value: int


@dataclass(frozen=True, slots=True)
class Points:
    """Points a seat or side got: the total and the terms that explain it, in order of reading."""

    total: int
    terms: tuple[Term, ...] = ()

    @classmethod
    def of(cls, *terms: Term) -> Points:
        """Return the points that the terms make together.

        >>> Points.of(Term("kozel.hand_points", "6-3", 9), Term("kozel.pot", "+35", 35)).total
        44
        """
        return cls(sum([term.value for term in terms]), terms)


@dataclass(frozen=True, slots=True)
class Standing:
    """The score of a seat or side. ``opened`` is False for points that a game only remembers so far."""

    points: int = 0
    opened: bool = True

    def plus(self, points: int) -> Standing:
        """Return the score with so many points more."""
        return score(self.points + points, self.opened)


@lru_cache(maxsize=10_000)
def score(points: int, opened: bool) -> Standing:
    """Return a score. Every move makes one, and the cache is cheaper than a new object."""
    return Standing(points, opened)


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match began. ``commitment`` is SHA-256 of the site's secret, ``nonces`` one text a seat.

    See docs/fair-dealing.md. ``match`` is the match's name; ``options`` are all of them, each name with its choice.
    ``nonce_commitments`` are SHA-256 of the nonces, one a seat, given before anybody knew the nonces ("" for a
    bot, or a person who gave none); () where the record has none. ``bots`` are the seats of bots at the start.
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


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A deal that the rules void, with the rule that voids it; its parts are those of ``RoundDealt``."""

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
    """A round began. It carries all a fold needs, so a state can be rebuilt from the last deal on.

    ``boneyard`` is in drawing order; ``must_lead`` is empty where the leader may choose freely;
    ``start`` are placements that lie on the table from the deal on; ``aside`` are tiles out of play.
    ``lots`` are the seats among which lots were drawn for the lead (empty: none were needed).
    ``commitment`` is SHA-256 of the round's key.
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
    """``seat`` laid ``tile`` at ``place``. ``to_move`` is the next seat, None when the round ended.

    ``shown`` are the tiles of the hand that the seat had to show to everybody for it. Of every move, ``by`` says who
    made it: "" the player of the seat, ``clock`` when its time was up, ``bot`` in the place of a person.
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
    """``seat`` drew ``tile``, secret until the round is over."""

    seat: int
    tile: Tile
    to_move: int
    points: Points = Points(0)
    by: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """``seat`` passed."""

    seat: int
    to_move: int | None
    points: Points = Points(0)
    by: str = ""


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """A bot plays for the person in ``seat`` from now on. ``reason``: ``timeout``, or ``gone`` (no connection)."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The person in ``seat`` plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatForfeited:
    """The person in ``seat`` cannot come back, and a bot plays on.

    ``reason``: ``left``, or ``held`` once too often.
    """

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round is over: why, who ended it, what each seat (side) got, and the standing from then on.

    ``before`` and ``standing`` are the scores before and after; ``reset`` names the rule for each seat whose
    score changed by other than ``points`` ("" elsewhere); ``lead`` is who leads next (None: by lot or by rule);
    ``last``: the match was to end with this round, and goes on only where the rules ask for one more.
    ``made`` is what each side scored by its moves in this round, a part of ``before`` (empty: no move scored).
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


LEAVES = ("left", "timeout")
CAUSED = ("stopped", "deserted")
STOPS = (*CAUSED, "agreed", "moderated", "void")
"""Why a match has no result: somebody left only bots behind, nobody was there any
more, all agreed to stop, or a moderator stopped it or declared it void. One seat may cause the first two.
"""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over. ``reason``: ``finished``, ``timeout``, ``left`` (``seat`` says who), or one of ``STOPS``.

    A match that is ``stopped`` has a ``seat`` if its last person left it to bots, one that is ``deserted`` if that
    person was away too long.

    ``rating`` has one entry a seat with its arithmetic; it is empty for games without rating points.
    """

    reason: str
    seat: int | None
    rule: str
    places: tuple[int, ...]
    losers: tuple[int, ...]
    rating: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class StandingSet:
    """The score was set between rounds (the referee's ``standing``)."""

    standing: tuple[Standing, ...]
    pot: int


@dataclass(frozen=True, slots=True)
class KeyRevealed:
    """The key of a finished round, in hexadecimal."""

    round: int
    key: str


@dataclass(frozen=True, slots=True)
class SecretRevealed:
    """The site's secret of a finished match, in hexadecimal."""

    secret: str


Event = (
    MatchStarted
    | DealVoided
    | RoundDealt
    | Played
    | Drew
    | Passed
    | SeatHeld
    | SeatReturned
    | SeatForfeited
    | RoundEnded
    | MatchEnded
    | StandingSet
    | KeyRevealed
    | SecretRevealed
)
