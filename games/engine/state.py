"""The position of a match: immutable, complete, and secret (only ``view`` decides what leaves it)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from games.engine.events import MatchEnded, Played, Points, RoundEnded, Standing
from games.engine.layout import Layout
from games.engine.tiles import Tile


class Step(NamedTuple):
    """What a seat did, as everybody saw it, and scored by it. The nth ``play`` is the nth placement of the round."""

    seat: int
    act: Literal["play", "draw", "pass"]
    points: Points = Points(0)


@dataclass(frozen=True, slots=True)
class State:
    """A match at one moment. Seats are 0..seats-1 clockwise; ``boneyard`` is in drawing order.

    ``layout`` is the object of the variant's layout family (``games.engine.layout``), itself immutable;
    ``start`` are the placements that lay on the table from the deal on; ``plays`` are this
    round's placements in order; ``rounds`` the ends of all finished rounds;
    ``drawn`` counts the tiles drawn in this turn, ``passes`` the turns in a row without a placement,
    ``scored`` the points of the last move; ``steps`` everything done in this round as all saw it;
    ``peak`` is the highest score that anybody had at any moment since the deal.
    ``sides`` gives each seat's side, the index into ``standing``. ``must_lead`` are the only tiles that may be led,
    by ``lead_rule``; ``lead`` is who leads the next round. ``attempt`` counts the deals of this round, void ones
    included; ``commitment`` is SHA-256 of the round's key; ``key`` is that key once the round is over, ``secret`` the
    site's secret once the match is (both in hexadecimal, "" until they are revealed).
    """

    variant: str
    seats: int
    options: tuple[tuple[str, str], ...]
    standing: tuple[Standing, ...]
    layout: Layout
    sides: tuple[int, ...]
    round: int = 0
    attempt: int = 0
    commitment: str = ""
    key: str = ""
    secret: str = ""
    hands: tuple[tuple[Tile, ...], ...] = ()
    boneyard: tuple[Tile, ...] = ()
    aside: tuple[Tile, ...] = ()
    start: tuple[str, ...] = ()
    plays: tuple[Played, ...] = ()
    steps: tuple[Step, ...] = ()
    to_move: int | None = None
    must_lead: tuple[Tile, ...] = ()
    lead_rule: str = ""
    lead: int | None = None
    drawn: int = 0
    passes: int = 0
    scored: int = 0
    peak: int = 0
    pot: int = 0
    rounds: tuple[RoundEnded, ...] = ()
    round_over: RoundEnded | None = None
    match_over: MatchEnded | None = None
