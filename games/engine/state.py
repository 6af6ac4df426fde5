"""The position of a match: immutable, complete, and secret (only ``view`` decides what leaves it)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from games.engine.events import MatchEnded, Played, Points, RoundEnded, Standing, StandingSet
from games.engine.layout import Layout
from games.engine.tiles import Tile

Act = Literal["play", "draw", "pass"]


class MoveMade(NamedTuple):
    """A move that a seat made, as everybody saw it. The nth ``play`` is the nth placement of the round."""

    seat: int
    act: Act
    points: Points = Points(0)
    by: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the match began with. ``sides`` is the side of each seat: its index in the standing.

    ``rules_version`` is the version of the rules under which it began; the match is always judged by that version.
    """

    variant: str
    rules_version: int
    seats: int
    options: tuple[tuple[str, str], ...]
    sides: tuple[int, ...]

    def option(self, name: str) -> str:
        """Return the choice made for an option. Raises ``KeyError`` if the variant has none of that name."""
        for option, choice in self.options:
            if option == name:
                return choice
        raise KeyError(name)


@dataclass(frozen=True)
class Round:
    """A round as everybody sees it, to its end and until the next deal; nothing in it is ever secret.

    ``number`` is 0 before the first deal. ``attempt`` counts the deals of this round, void ones included;
    ``commitment`` is SHA-256 of the round's key, and ``key`` that key once the round is over (in hexadecimal, "" until
    then). ``layout`` is the object of the variant's layout family (``games.engine.layout``), itself immutable;
    ``start`` are the placements that lay on the table from the deal on, ``plays`` those made since, in order, and
    ``moves`` everything done in this round. ``leader`` is who led it, or was to lead. ``drawn`` counts the tiles drawn
    in this turn, ``passes`` the turns in a row without a placement, ``scored`` the points of the last move;
    ``peak`` is the highest score that anybody had at any moment since the deal. ``over`` is how the round ended.
    """

    layout: Layout
    number: int = 0
    attempt: int = 0
    commitment: str = ""
    key: str = ""
    start: tuple[str, ...] = ()
    plays: tuple[Played, ...] = ()
    moves: tuple[MoveMade, ...] = ()
    to_move: int | None = None
    leader: int | None = None
    drawn: int = 0
    passes: int = 0
    scored: int = 0
    peak: int = 0
    over: RoundEnded | None = None


@dataclass(frozen=True)
class State:
    """A match at one moment. Seats are 0..seats-1 clockwise; ``boneyard`` is in drawing order.

    ``must_lead`` are the only tiles that may be led, by ``lead_rule``; ``aside`` are tiles out of play. ``lead`` is
    the seat that leads the next round; ``rounds`` are the ends of all finished rounds, ``standing_set`` is the score
    as it was dealt or set since the last of them. ``absent`` are the seats in which bots play for people,
    ``forfeited`` those of them to which nobody comes back. ``secret`` is the site's secret once the match is over (in
    hexadecimal, "" until it is revealed).
    """

    setup: Setup
    round: Round
    standing: tuple[Standing, ...]
    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...] = ()
    aside: tuple[Tile, ...] = ()
    must_lead: tuple[Tile, ...] = ()
    lead_rule: str = ""
    lead: int | None = None
    standing_set: StandingSet | None = None
    rounds: tuple[RoundEnded, ...] = ()
    match_over: MatchEnded | None = None
    secret: str = ""
    absent: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()

    def option(self, name: str) -> str:
        """Return the choice made for an option. Raises ``KeyError`` if the variant has none of that name."""
        return self.setup.option(name)


if TYPE_CHECKING:
    from dataclasses import replace

    changed = replace
else:

    def changed(before: Any, **changes: Any) -> Any:
        """Return a round or a state with these fields changed: ``dataclasses.replace`` in a quarter of its time.

        Every move makes a new one of both. It copies what the object has, which needs classes without slots, instead
        of handing each field to ``__init__``.
        """
        after = object.__new__(type(before))
        after.__dict__.update(before.__dict__, **changes)
        return after
