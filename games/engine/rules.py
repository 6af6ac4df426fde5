"""Everything that a variant defines: the common case of each rule, in about fifty members.

A variant sets the constants and writes ``hand_size``, ``leader``, ``score_round`` and ``finish``. It overrides other
members if its rulebook differs there. They are grouped as a match proceeds: the deal, the moves, the ends of rounds
and of the match, and texts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from games.engine.ending import Ending
from games.engine.events import MatchEnded, Points, RoundEnded, Standing
from games.engine.layout import Layout
from games.engine.leads import Lead
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.options import Option
from games.engine.ranking import ranks
from games.engine.refusal import Refusal
from games.engine.settling import forfeited, settled
from games.engine.state import Round, State
from games.engine.tiles import Tile, tile_text

DRAW = Draw()
PASS = Pass()
NO_POINTS = Points(0)
MOST_POINTS = 10**9
"""No score read from outside may be larger."""

Layout_co = TypeVar("Layout_co", bound=Layout, covariant=True)

Lot = Callable[[Sequence[int]], int]
"""Draws one of some seats by lot."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Where every tile of the set goes. ``boneyard`` is in drawing order; ``start`` are placements."""

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...] = ()
    start: tuple[str, ...] = ()
    aside: tuple[Tile, ...] = ()

    @property
    def shape(self) -> tuple[object, ...]:
        """How many tiles lie where, no matter which."""
        cells = tuple(text.partition("=")[0] for text in self.start)
        return tuple(map(len, self.hands)), len(self.boneyard), cells, len(self.aside)


class RulesOf(ABC, Generic[Layout_co]):
    """A variant on one family of layouts: an object without state. What it does not override is the common case."""

    key: ClassVar[str]
    name: ClassVar[str]
    """The name in English; the site translates it."""
    rules_version: ClassVar[int] = 1
    """Rises whenever a fix makes the rules judge differently. A match is judged by the version it began under."""
    settling_version: ClassVar[int] = 1
    """From this version on a forfeited seat is placed last, and an unfinished round counts for nobody."""
    seat_counts: ClassVar[tuple[int, ...]]
    options: ClassVar[tuple[Option, ...]] = ()
    tile_set: ClassVar[tuple[Tile, ...]]
    """Every tile of the set in rising order: the order to which the indices of the shuffle refer."""
    layout: Layout_co
    """The empty layout of the variant's family."""
    first_standing: ClassVar[Standing] = Standing()
    rules_ids: ClassVar[tuple[str, ...]]
    """Every rule id of the variant's rule file, in its order."""
    refusals: ClassVar[Mapping[str, str]]
    """The English sentence for each rule id that a refusal may cite."""

    turn_rule: ClassVar[str]
    must_play_rule: ClassVar[str]
    """The rule that a seat which can play has to; "" where it may draw or pass instead."""
    draw_rule: ClassVar[str]
    pass_rule: ClassVar[str]
    out_rule: ClassVar[str]
    leave_rule: ClassVar[str] = ""
    absence_rule: ClassVar[str] = ""
    """The rule by which a match ends when somebody runs out of time or leaves, "" where the rulebook is silent."""

    def __reduce__(self) -> str:
        """Pickle the rules as a reference to the global ``RULES`` of the variant's module.

        ``pickle`` takes a string for the name of a global in the module of the object. A worker process that loads a
        view then uses its own rules object, so cached layouts and names are not copied, and ``is`` still holds.
        """
        return "RULES"

    def knows(self, version: object) -> bool:
        """Return whether the rules can judge a match that began under this version of them."""
        return type(version) is int and 1 <= version <= self.rules_version

    def layout_of(self, round: Round) -> Layout_co:
        """Return the layout of a round as the type of this variant's layouts. Raises ``TypeError`` for another."""
        layout = round.layout
        if not isinstance(layout, type(self.layout)):
            raise TypeError(type(layout).__name__)
        return layout

    # The deal

    def sides(self, seats: int, options: Mapping[str, str]) -> tuple[int, ...]:
        """Return the side of each seat: here each seat is a side of its own."""
        return tuple(range(seats))

    def has_partners(self, seats: int, options: Mapping[str, str]) -> bool:
        """Return whether several seats are one side."""
        return len(set(self.sides(seats, options))) < seats

    @abstractmethod
    def hand_size(self, state: State) -> int:
        """Return how many tiles each seat is dealt."""

    def deal(self, state: State, order: Sequence[int]) -> Deal:
        """Deal the set in this order of its indices: seat 0's hand, seat 1's, ..., then the boneyard.

        A variant that deals more goes on with the tiles set aside and those of the start, in this order.
        """
        tiles = tuple(self.tile_set[index] for index in order)
        size = self.hand_size(state)
        cut = size * state.setup.seats
        hands = tuple(tiles[first : first + size] for first in range(0, cut, size))
        return Deal(hands, tiles[cut:])

    def has_shape(self, state: State, deal: Deal) -> bool:
        """Return whether the deal is the full set, with as many tiles in each place as the rules deal there."""
        started = [self.layout.read(text) for text in deal.start]
        tiles = [tile for part in (*deal.hands, deal.boneyard, deal.aside) for tile in part]
        tiles += [found[0] for found in started if found]
        usual = self.deal(state, range(len(self.tile_set)))
        return deal.shape == usual.shape and sorted(tiles) == list(self.tile_set)

    def void_rule(self, deal: Deal) -> str:
        """Return the id of the rule that voids the deal, "" for none."""
        return ""

    @abstractmethod
    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """Return who leads the round just dealt; ``lot`` decides where the rules draw lots."""

    # The moves

    def plays(self, state: State) -> tuple[Play, ...]:
        """Return every placement of the seat to move. Two copies of a tile make one."""
        return tuple(state.round.layout.plays(playable(state)))

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Return every legal move: a seat that can play must; else it draws, or passes once the boneyard is empty."""
        if state.round.to_move is None:
            return ()
        return self.plays(state) or ((DRAW,) if state.boneyard else (PASS,))

    def is_legal(self, state: State, move: Move) -> bool:
        """Return whether a move is one of the legal ones; for a placement the others are not worked out."""
        if isinstance(move, Play):
            return move.tile in playable(state) and state.round.layout.admits(move.tile, move.place)
        return move in self.legal_moves(state)

    def broken_rule(self, state: State, move: Move) -> str:
        """Return the id of the rule that an illegal move breaks."""
        if isinstance(move, Play):
            forced = state.must_lead and not state.round.plays and move.tile not in state.must_lead
            return state.lead_rule if forced else self.turn_rule
        if self.plays(state):
            return self.must_play_rule
        return self.draw_rule if state.boneyard else self.pass_rule

    def play_points(self, round: Round, play: Play) -> Points:
        """Return what a legal placement scores at once. It depends on the round alone, so everybody may know it."""
        return NO_POINTS

    def move_points(self, state: State, move: Move) -> Points:
        """Return what the seat to move scores at once by this legal move."""
        return self.play_points(state.round, move) if isinstance(move, Play) else NO_POINTS

    def draws_left(self, state: State) -> int | None:
        """Return how many tiles may still be drawn in this turn, None where the rules do not count them."""
        return None

    def shown(self, state: State, play: Play) -> tuple[Tile, ...]:
        """Return the tiles of the hand that the seat to move must show to everybody for this placement."""
        return ()

    # The ends of rounds and of the match

    def ending(self, state: State, seat: int) -> Ending | None:
        """Return why the round is over after ``seat`` moved, None while it goes on."""
        return self.ended_by(state, seat) if self.is_over(state, seat) else None

    def is_over(self, state: State, seat: int) -> bool:
        """Return whether the round is over after ``seat`` moved."""
        return not state.hands[seat]

    def ended_by(self, state: State, seat: int) -> Ending:
        """Return why a round that is over after ``seat`` moved is so. The layout is not asked again."""
        return Ending("out", seat, self.out_rule)

    def length(self, state: State) -> int | None:
        """Return how many rounds the match has, None where that is not agreed beforehand."""
        return None

    def pot(self, state: State) -> int | None:
        """Return the points that lie in a pot from round to round, None where the game has no pot."""
        return None

    def target(self, state: State) -> int | None:
        """Return the score that ends the match, None where none does."""
        return None

    def is_last(self, state: State) -> bool:
        """Return whether the match is to end with this round, as far as is known now."""
        length = self.length(state)
        return length is not None and state.round.number >= length

    @abstractmethod
    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Return the end of the round with its points and the standing from then on."""

    def standing_after(self, state: State, ending: Ending) -> tuple[Standing, ...]:
        """Return the standing of ``score_round`` alone, for callers that read no terms."""
        return self.score_round(state, ending).standing

    @abstractmethod
    def finish(self, state: State) -> MatchEnded | None:
        """Return the end of the match after a round was scored, None while it goes on."""

    def leave(self, state: State, seat: int, reason: str) -> MatchEnded:
        """Return the end of the match when a seat leaves: it is last, the others are ranked by ``settled``."""
        places = self.places(state, [self.merit(standing) for standing in settled(state, self.settling_version)], seat)
        return MatchEnded(reason, seat, self.leave_rule, places, (seat,), ())

    def merit(self, standing: Standing) -> int:
        """Return what sides are ranked by; more is better."""
        return standing.points

    def places(self, state: State, merits: Sequence[int], *left: int) -> tuple[int, ...]:
        """Return the place of each seat by the merits of the sides; whoever has left comes after all others."""
        last = (*left, *forfeited(state, self.settling_version))
        return ranks([(seat in last, -merits[side]) for seat, side in enumerate(state.setup.sides)])

    # Texts

    def count_text(self, round: Round) -> str:
        """Return the running count of the table as a sum (``3 + 1 + 4 = 8``), "" where there is none."""
        return ""

    @cached_property
    def tile_names(self) -> dict[str, Tile]:
        """Every spelling of every tile: its parts may be rotated, never mirrored."""
        names = {}
        for tile in self.tile_set:
            for turn in range(len(tile)):
                names[tile_text(tile[turn:] + tile[:turn])] = tile
        return names

    def read_tiles(self, text: str) -> tuple[Tile, ...]:
        """Read tiles of the set: ``6-4 1-1``. Raises ``KeyError`` for anything else."""
        return tuple(self.tile_names[name] for name in text.split())

    def move_text(self, move: Move) -> str:
        """Write a move as the referee protocol does."""
        if isinstance(move, Play):
            return self.layout.text(move.tile, move.place)
        return "draw" if isinstance(move, Draw) else "pass"

    def parse_move(self, state: State, text: str) -> Move:
        """Read a move, legal or not. Raises ``Refusal`` ``bad_move`` if the text is not a move."""
        if text == "draw":
            return DRAW
        if text == "pass":
            return PASS
        found = self.layout.read(text)
        if found is None or found[0] not in self.tile_set:
            raise Refusal("bad_move")
        return Play(*found)

    def standing_text(self, standing: Standing) -> str:
        """Write a score as it stands beside a name."""
        return str(standing.points)

    def standing_data(self, standing: Standing) -> int | str:
        """Write a score for the referee protocol."""
        return standing.points

    def read_standing(self, data: object) -> Standing:
        """Read what ``standing_data`` writes. Raises ``Refusal`` ``bad_request``."""
        if type(data) is not int or abs(data) > MOST_POINTS:
            raise Refusal("bad_request")
        return Standing(data)


def playable(state: State) -> tuple[Tile, ...]:
    """Return the tiles of the seat to move that it may play, as far as its hand decides; none where no round runs."""
    if state.round.to_move is None:
        return ()
    return state.must_lead if state.must_lead and not state.round.plays else state.hands[state.round.to_move]


Rules = RulesOf[Layout]
"""The rules of any variant, for code that serves all of them."""
