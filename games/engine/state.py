"""The complete position of a match, immutable. It contains secrets: viewers get a ``view`` of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from games.engine.events import MatchEnded, Played, Points, RoundEnded, Standing, StandingSet
from games.engine.layout import Layout
from games.engine.tiles import Tile

Act = Literal["play", "draw", "pass"]


class MoveMade(NamedTuple):
    """A move as everybody saw it. The nth ``play`` is the nth entry of ``Round.plays``."""

    seat: int
    act: Act
    points: Points = Points(0)
    by: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings of a match. ``sides`` is the side of each seat, as an index of the standing.

    ``rules_version`` is the version of the rules under which the match began, and by which it is always judged.
    """

    variant: str
    rules_version: int
    seats: int
    options: tuple[tuple[str, str], ...]
    sides: tuple[int, ...]

    def option(self, name: str) -> str:
        """Return the choice for an option. Raises ``KeyError``."""
        return dict(self.options)[name]


@dataclass(frozen=True)
class Round:
    """The public part of the current round, or of the last one until the next deal. Nothing in it is secret.

    - ``number``: 0 before the first deal. ``attempt``: number of the deal within the round, counting void ones.
    - ``commitment``: SHA-256 of the round's key. ``key``: that key, "" until the round is over.
    - ``layout``: the tiles on the table. ``start``: placements of the deal. ``plays``: placements since, in order.
    - ``moves``: all moves of the round. ``to_move``: None unless the round is running. ``leader``: who leads.
    - ``drawn``: tiles drawn in this turn. ``passes``: consecutive turns without a placement.
    - ``scored``: points of the last move. ``peak``: the highest score of any side since the deal.
    - ``over``: the end of the round.
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
    """A position. Seats are numbered from 0 clockwise.

    - ``standing``: one score per side. ``boneyard``: in drawing order. ``aside``: tiles out of play.
    - ``must_lead``: the tiles that may be led by ``lead_rule`` (empty: any). ``lead``: the leader of the next round.
    - ``rounds``: the ends of finished rounds. ``standing_set``: the score at the deal, or as it was set since the last
      round; None right after a round.
    - ``secret``: the site's secret in hexadecimal, "" until it is published after the match.
    - ``absent``: seats in which bots play for people. ``forfeited``: those to which nobody can return.
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
        """Return the choice for an option. Raises ``KeyError``."""
        return self.setup.option(name)


if TYPE_CHECKING:
    from dataclasses import replace

    replace_fields = replace
else:

    def replace_fields(before: Any, **changes: Any) -> Any:
        """Do what ``dataclasses.replace`` does in a quarter of its time, for dataclasses without slots.

        It copies ``__dict__`` instead of calling ``__init__``. Every move changes a round and a state.
        """
        after = object.__new__(type(before))
        after.__dict__.update(before.__dict__, **changes)
        return after
