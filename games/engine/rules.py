"""The base class of variants, with the common case of each rule.

A variant sets the constants and implements ``hand_size``, ``leader``, ``score_round`` and ``match_end_after_round``.
It overrides other members where its rulebook differs. They follow the course of a match: deal, moves, ends, notation.
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
from games.engine.options import LENGTH_OPTION, ONE_ROUND, Option, is_one_round
from games.engine.ranking import ranks
from games.engine.refusal import Refusal
from games.engine.settling import forfeited_seats, settled_standing
from games.engine.state import Round, State
from games.engine.tiles import Tile, tile_text

DRAW = Draw()
PASS = Pass()
NO_POINTS = Points(0)
MAX_POINTS = 10**9  # largest score that is read from outside

Layout_co = TypeVar("Layout_co", bound=Layout, covariant=True)

Lot = Callable[[Sequence[int]], int]  # draws one of these seats by lot


@dataclass(frozen=True, slots=True)
class Deal:
    """Where every tile of the set goes. ``boneyard`` is in drawing order; ``start`` are placements, as texts."""

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...] = ()
    start: tuple[str, ...] = ()
    aside: tuple[Tile, ...] = ()

    @property
    def shape(self) -> tuple[object, ...]:
        """The numbers of tiles, and the cells of ``start``."""
        cells = tuple(text.partition("=")[0] for text in self.start)
        return tuple(map(len, self.hands)), len(self.boneyard), cells, len(self.aside)


class RulesOf(ABC, Generic[Layout_co]):
    """The rules of a variant on one family of layouts. Objects have no state."""

    key: ClassVar[str]
    name: ClassVar[str]  # in English; the site translates it
    # Rises when a fix changes what the rules decide. A match is always judged by the version it began under.
    rules_version: ClassVar[int] = 1
    # From this version on, a forfeited seat ranks last and an unfinished round counts for nobody.
    settling_version: ClassVar[int] = 1
    seat_counts: ClassVar[tuple[int, ...]]
    options: ClassVar[tuple[Option, ...]] = ()
    tile_set: ClassVar[tuple[Tile, ...]]  # in rising order; a shuffle permutes the indices of this tuple
    layout: Layout_co  # the empty layout of the variant's family
    first_standing: ClassVar[Standing] = Standing()
    rules_ids: ClassVar[tuple[str, ...]]  # every rule id, in the order of the rule file
    refusals: ClassVar[Mapping[str, str]]  # English sentence for each rule that a refusal may cite

    turn_rule: ClassVar[str]
    must_play_rule: ClassVar[str]  # rule that forces a seat to play if it can; "" if it may draw or pass instead
    draw_rule: ClassVar[str]
    pass_rule: ClassVar[str]
    out_rule: ClassVar[str]
    leave_rule: ClassVar[str] = ""
    counts_ends: ClassVar[bool] = False  # whether ``ends_count_text`` has a count once a tile is placed
    # Rule that ends a match when somebody leaves or times out; "" if the rulebook has none.
    absence_rule: ClassVar[str] = ""

    def __reduce__(self) -> str:
        """Pickle a reference to the global ``RULES`` of the variant's module, so that ``is`` holds in workers, too."""
        return "RULES"

    def knows(self, version: object) -> bool:
        """Return True if the rules can judge a match that began under this version."""
        return type(version) is int and 1 <= version <= self.rules_version

    def layout_of(self, round: Round) -> Layout_co:
        """Return the layout of a round with its type. Raises ``TypeError`` for another family."""
        layout = round.layout
        if not isinstance(layout, type(self.layout)):
            raise TypeError(type(layout).__name__)
        return layout

    # The deal

    def sides(self, seats: int, options: Mapping[str, str]) -> tuple[int, ...]:
        """Return the side of each seat. Here all seats are sides of their own."""
        return tuple(range(seats))

    def has_partners(self, seats: int, options: Mapping[str, str]) -> bool:
        """Return True if several seats are one side."""
        return len(set(self.sides(seats, options))) < seats

    @abstractmethod
    def hand_size(self, state: State) -> int:
        """Return the number of tiles in a hand after the deal."""

    def deal(self, state: State, order: Sequence[int]) -> Deal:
        """Deal the set in this order of its indices: the hands by seat, then the boneyard.

        A variant that deals more continues with the tiles set aside and the placements of the start.
        """
        tiles = tuple(self.tile_set[index] for index in order)
        size = self.hand_size(state)
        cut = size * state.setup.seats
        hands = tuple(tiles[first : first + size] for first in range(0, cut, size))
        return Deal(hands, tiles[cut:])

    def has_shape(self, state: State, deal: Deal) -> bool:
        """Return True if the deal is the full set, in the numbers that the rules deal."""
        tiles = [tile for pile in (*deal.hands, deal.boneyard, deal.aside) for tile in pile]
        tiles += [placement[0] for placement in map(self.layout.read, deal.start) if placement]
        regular = self.deal(state, range(len(self.tile_set)))
        return deal.shape == regular.shape and sorted(tiles) == list(self.tile_set)

    def void_rule(self, deal: Deal) -> str:
        """Return the id of the rule that voids the deal, or ""."""
        return ""

    @abstractmethod
    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """Return the lead of the new round; ``lot`` decides if the rules draw lots."""

    # The moves

    def plays(self, state: State) -> tuple[Play, ...]:
        """Return every placement of the seat to move. Two copies of a tile have the same placements."""
        return tuple(state.round.layout.possible_plays(permitted_tiles(state)))

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Return every legal move. A seat that cannot play draws, or passes if the boneyard is empty."""
        if state.round.to_move is None:
            return ()
        return self.plays(state) or ((DRAW,) if state.boneyard else (PASS,))

    def is_legal(self, state: State, move: Move) -> bool:
        """Return True for a legal move, without computing the other placements."""
        if isinstance(move, Play):
            return move.tile in permitted_tiles(state) and state.round.layout.admits(move.tile, move.place)
        return move in self.legal_moves(state)

    def broken_rule(self, state: State, move: Move) -> str:
        """Return the id of the rule that an illegal move breaks."""
        if isinstance(move, Play):
            is_wrong_lead = state.must_lead and not state.round.plays and move.tile not in state.must_lead
            return state.lead_rule if is_wrong_lead else self.turn_rule
        if self.plays(state):
            return self.must_play_rule
        return self.draw_rule if state.boneyard else self.pass_rule

    def play_points(self, round: Round, play: Play) -> Points:
        """Return the points of a legal placement. They depend on public facts only."""
        return NO_POINTS

    def move_points(self, state: State, move: Move) -> Points:
        """Return the points of a legal move of the seat to move."""
        return self.play_points(state.round, move) if isinstance(move, Play) else NO_POINTS

    def draws_left(self, state: State) -> int | None:
        """Return how many tiles may still be drawn in this turn, None without a limit."""
        return None

    def tiles_revealed_by_play(self, state: State, play: Play) -> tuple[Tile, ...]:
        """Return the tiles of its hand that the seat to move must show to everybody for this placement."""
        return ()

    # The ends of rounds and of the match

    def ending(self, state: State, seat: int) -> Ending | None:
        """Return the end of the round after ``seat`` moved, None while it continues."""
        return self.ended_by(state, seat) if self.is_over(state, seat) else None

    def is_over(self, state: State, seat: int) -> bool:
        """Return True if the round is over after ``seat`` moved."""
        return not state.hands[seat]

    def ended_by(self, state: State, seat: int) -> Ending:
        """Return the end of a round that is over after ``seat`` moved. The layout is not checked again."""
        return Ending("out", seat, self.out_rule)

    def length(self, state: State) -> int | None:
        """Return the number of rounds of the match, None if it is not fixed."""
        return 1 if is_one_round(state) else None

    @property
    def one_round(self) -> Mapping[str, str]:
        """The options of a match of one round."""
        return {LENGTH_OPTION.name: ONE_ROUND} if LENGTH_OPTION in self.options else {}

    def pot(self, state: State) -> int | None:
        """Return the points in the pot, None in games without one."""
        return None

    def target(self, state: State) -> int | None:
        """Return the score that ends the match, None if there is none."""
        return None

    def is_last(self, state: State) -> bool:
        """Return True if the match ends with this round, as far as is known now."""
        length = self.length(state)
        return length is not None and state.round.number >= length

    @abstractmethod
    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Return the end of the round with its points and the new standing."""

    def standing_after(self, state: State, ending: Ending) -> tuple[Standing, ...]:
        """Return the standing of ``score_round``. Overrides skip the terms, which simulations do not need."""
        return self.score_round(state, ending).standing

    @abstractmethod
    def match_end_after_round(self, state: State) -> MatchEnded | None:
        """Return the end of the match after a round was scored, None while it continues."""

    def match_end_after_board(self, state: State) -> MatchEnded:
        """Return the end of a board after its only round: the points decide, and nobody loses (``quick.round``)."""
        points = [standing.points for standing in state.standing]
        merits = [-number for number in points] if self.are_points_bad else points
        return MatchEnded("finished", None, "quick.round", self.seat_ranks(state, merits), (), ())

    def leave(self, state: State, seat: int, reason: str) -> MatchEnded:
        """Return the end of the match when a seat leaves. It ranks last, the others by ``settled_standing``."""
        merits = list(map(self.merit, settled_standing(state, self.settling_version)))
        places = self.seat_ranks(state, merits, seat)
        return MatchEnded(reason, seat, self.leave_rule, places, (seat,), ())

    def merit(self, standing: Standing) -> int:
        """Return the number by which sides are ranked; more is better."""
        return standing.points

    @property
    def are_points_bad(self) -> bool:
        """Whether fewer points are better, so that the match is about not losing it."""
        return self.merit(Standing(1)) < self.merit(Standing(0))

    def seat_ranks(self, state: State, merits: Sequence[int], *leavers: int) -> tuple[int, ...]:
        """Return the rank of each seat by the merits of the sides. Seats whose person left rank last."""
        last = (*leavers, *forfeited_seats(state, self.settling_version))
        return ranks([(seat in last, -merits[side]) for seat, side in enumerate(state.setup.sides)])

    # Notation

    def ends_count_text(self, round: Round) -> str:
        """Return the count of the open ends as a sum (``3 + 1 + 4 = 8``), "" in games without one."""
        return ""

    @cached_property
    def tile_names(self) -> dict[str, Tile]:
        """The tiles by their texts, rotated in any way but never mirrored."""
        return {tile_text(tile[turn:] + tile[:turn]): tile for tile in self.tile_set for turn in range(len(tile))}

    def read_tiles(self, text: str) -> tuple[Tile, ...]:
        """Read tiles separated by spaces. Raises ``KeyError`` for a tile that is not in the set."""
        return tuple(self.tile_names[name] for name in text.split())

    def move_text(self, move: Move) -> str:
        """Return the notation of a move in the referee protocol."""
        if isinstance(move, Play):
            return self.layout.text(move.tile, move.place)
        return "draw" if isinstance(move, Draw) else "pass"

    def read_play(self, text: str) -> Play:
        """Read a placement in the notation of the layout, legal or not. Raises ``ValueError``."""
        placement = self.layout.read(text)
        if placement is None:
            raise ValueError(text)
        return Play(*placement)

    def parse_move(self, state: State, text: str) -> Move:
        """Read a move, legal or not. Raises ``Refusal`` ``bad_move``."""
        if text == "draw":
            return DRAW
        if text == "pass":
            return PASS
        placement = self.layout.read(text)
        if placement is None or placement[0] not in self.tile_set:
            raise Refusal("bad_move")
        return Play(*placement)

    def standing_text(self, standing: Standing) -> str:
        """Return the text of a score for a table."""
        return str(standing.points)

    def standing_data(self, standing: Standing) -> int | str:
        """Return the score in the notation of the referee protocol."""
        return standing.points

    def read_standing(self, data: object) -> Standing:
        """Read what ``standing_data`` returns. Raises ``Refusal`` ``bad_request``."""
        if type(data) is not int or abs(data) > MAX_POINTS:
            raise Refusal("bad_request")
        return Standing(data)


def permitted_tiles(state: State) -> tuple[Tile, ...]:
    """Return the tiles that the seat to move may play if they fit; none unless a round is running."""
    if state.round.to_move is None:
        return ()
    return state.must_lead if state.must_lead and not state.round.plays else state.hands[state.round.to_move]


Rules = RulesOf[Layout]  # any variant
