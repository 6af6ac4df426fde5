"""Triominoes: triangular tiles with numbers at the corners; placements, bridges and hexagons score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.engine.ending import Ending, round_end_event
from games.engine.events import MatchEnded, Points, RoundEnded, Term
from games.engine.layout.lattice import Lattice, parse_place
from games.engine.leads import Lead
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.options import LENGTH_OPTION, Option, is_one_round, is_quick
from games.engine.rules import DRAW, NO_POINTS, PASS, Deal, Lot, RulesOf
from games.engine.state import Round, State
from games.engine.tiles import Tile, hand_text, is_double, pips, tile_text, triple_set

HAND_SIZE = 7
OFFICIAL_HAND_SIZE_FOR_TWO = 9
MAX_DRAWS = 3  # draws in a turn
TARGET = 400  # a total that makes the current round the last
QUICK_TARGET = 200
QUICK_ROUNDS = 2  # maximum number of rounds of a quick match

ZERO_TRIPLE = (0, 0, 0)
START_BONUS = 10
ZERO_BONUS = 30
HEXAGON_BONUS = (0, 50, 60, 70)  # by number of hexagons closed by one tile
BRIDGE_BONUS = 40
OUT_BONUS = 25
DRAW_PENALTY = -5
STUCK_PENALTY = -10  # for a turn that ends after the third draw without a placement
DRAW_POINTS, STUCK_POINTS = [
    Points.of(Term("triominoes.turn", "", penalty)) for penalty in (DRAW_PENALTY, STUCK_PENALTY)
]


class Triominoes(RulesOf[Lattice]):
    key = "triominoes"
    name = "Triominoes"
    rules_version = settling_version = 2
    seat_counts = (2, 3, 4)
    options = (Option("hands", ("leaflet", "official"), "leaflet"), LENGTH_OPTION)
    tile_set = triple_set(5)
    layout = Lattice()
    rules_ids = (
        "triominoes.set",
        "triominoes.edge",
        "triominoes.corners",
        "triominoes.rotation",
        "triominoes.value",
        "triominoes.hexagon",
        "triominoes.bridge",
        "triominoes.deal",
        "triominoes.start",
        "triominoes.turn",
        "triominoes.empty_pool",
        "triominoes.out",
        "triominoes.blocked",
        "triominoes.end",
        "quick.rounds",
        "quick.round",
    )
    refusals = {
        "triominoes.edge": "A tile must lie on an empty place that shares a whole edge with a tile on the table.",
        "triominoes.corners": "Every corner that meets a number on the table must show the same number.",
        "triominoes.rotation": "A tile may be turned, but it has no mirror image.",
        "triominoes.start": "The highest triple leads, or 0-0-0 from the same hand; without triples the most valuable "
        "tile. It lies at U(0,0) with its numbers rising.",
        "triominoes.turn": "Place one tile of your hand or draw, at most three times; only then the turn may end.",
        "triominoes.empty_pool": "The pool is empty: place a tile of your hand or end your turn.",
    }
    turn_rule = "triominoes.turn"
    must_play_rule = ""
    draw_rule = "triominoes.turn"
    pass_rule = "triominoes.empty_pool"
    out_rule = "triominoes.out"

    def hand_size(self, state: State) -> int:
        """Return 7, or 9 for two with ``hands=official`` (``triominoes.deal``)."""
        official = state.option("hands") == "official"
        return OFFICIAL_HAND_SIZE_FOR_TWO if official and state.setup.seats == 2 else HAND_SIZE

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """The highest triple leads, else the hand with the most valuable tiles (``triominoes.start``)."""
        triples = {tile: seat for seat, hand in enumerate(deal.hands) for tile in hand if is_double(tile)}
        if triples:
            highest = max(triples)
            choice = tuple(tile for tile in (highest, ZERO_TRIPLE) if triples.get(tile) == triples[highest])
            return Lead(triples[highest], "triominoes.start", tuple(dict.fromkeys(choice)))
        worth = [sorted(map(pips, hand), reverse=True) for hand in deal.hands]
        tied = [seat for seat, values in enumerate(worth) if values == max(worth)]
        leader = tied[0] if len(tied) == 1 else lot(tied)
        best = tuple(tile for tile in deal.hands[leader] if pips(tile) == worth[leader][0])
        return Lead(leader, "triominoes.start", best)

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """A seat that can place a tile may draw instead (``triominoes.turn``)."""
        plays = self.plays(state)
        if state.round.to_move is None or not state.round.plays:
            return plays
        return (*plays, DRAW if self.draws_left(state) else PASS)

    def broken_rule(self, state: State, move: Move) -> str:
        """Return the first broken rule in the order of the rule file."""
        layout, seat = self.layout_of(state.round), state.round.to_move
        if isinstance(move, Play) and layout.read(move.place) != (move.tile, move.place):
            return "triominoes.turn"
        if not state.round.plays:
            mirrored = isinstance(move, Play) and layout.objection(move.place) == "rotation"
            return "triominoes.rotation" if mirrored else "triominoes.start"
        if isinstance(move, Play) and seat is not None and move.tile in state.hands[seat]:
            return f"triominoes.{layout.objection(move.place)}"
        return "triominoes.empty_pool" if isinstance(move, Draw) and not state.boneyard else "triominoes.turn"

    def play_points(self, round: Round, play: Play) -> Points:
        """Return the value of the tile and its bonus (``triominoes.value``, ``.start``, ``.hexagon``, ``.bridge``)."""
        layout = self.layout_of(round)
        if not layout.tiles:
            return first_tile_points(play.tile)
        cell, _ = parse_place(play.place)
        return value_points(play.tile, len(layout.hexagons(cell)), layout.bridge(cell) is not None)

    def move_points(self, state: State, move: Move) -> Points:
        """Draws and stuck turns cost points (``triominoes.turn``)."""
        if isinstance(move, Draw):
            return DRAW_POINTS
        if isinstance(move, Pass):
            return STUCK_POINTS if state.round.drawn == MAX_DRAWS else NO_POINTS
        return self.play_points(state.round, move)

    def draws_left(self, state: State) -> int:
        """Return the rest of three draws, or of the pool (``triominoes.turn``)."""
        return min(MAX_DRAWS - state.round.drawn, len(state.boneyard))

    def tiles_revealed_by_play(self, state: State, play: Play) -> tuple[Tile, ...]:
        """A lead of 0-0-0 reveals the highest triple of the hand (``triominoes.start``)."""
        if state.round.plays or play.tile != ZERO_TRIPLE:
            return ()
        return tuple(tile for tile in state.must_lead if tile != ZERO_TRIPLE)

    def is_over(self, state: State, seat: int) -> bool:
        """The round ends by going out or by a block (``triominoes.out``, ``triominoes.blocked``)."""
        return not state.hands[seat] or (not state.boneyard and state.round.passes >= state.setup.seats)

    def ended_by(self, state: State, seat: int) -> Ending:
        """In a block, the seat that placed last ended the round."""
        if not state.hands[seat]:
            return super().ended_by(state, seat)
        return Ending("blocked", state.round.plays[-1].seat, "triominoes.blocked")

    def length(self, state: State) -> int | None:
        """Return the maximum number of rounds of a quick match (``quick.rounds``)."""
        return QUICK_ROUNDS if is_quick(state) else super().length(state)

    def target(self, state: State) -> int:
        """Return the total that makes the round the last (``triominoes.end``, ``quick.rounds``)."""
        return QUICK_TARGET if is_quick(state) else TARGET

    def is_last(self, state: State) -> bool:
        """Return True if the target was reached, now or before a tie, or no round may follow."""
        reached = state.round.peak >= self.target(state) or (bool(state.rounds) and state.rounds[-1].last)
        return reached or super().is_last(state)

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Add the award of the round (``triominoes.out``, ``triominoes.blocked``)."""
        points = [NO_POINTS] * state.setup.seats
        winner = ending.seat if ending.reason == "out" else lightest(state.hands)
        if winner is not None:
            points[winner] = winner_points(state.hands, winner, ending)
        highest = max(
            standing_before.points + gained.total
            for standing_before, gained in zip(state.standing, points, strict=True)
        )
        return round_end_event(state, ending, points, last=self.is_last(state) or highest >= self.target(state))

    def match_end_after_round(self, state: State) -> MatchEnded | None:
        """The match ends after the last round, unless a full match has no single leader (``triominoes.end``)."""
        if is_one_round(state):
            return self.match_end_after_board(state)
        totals = [standing.points for standing in state.standing]
        if not self.is_last(state) or (totals.count(max(totals)) > 1 and not is_quick(state)):
            return None
        rule = "quick.rounds" if is_quick(state) else "triominoes.end"
        return MatchEnded("finished", None, rule, self.seat_ranks(state, totals), (), ())


def first_tile_points(tile: Tile) -> Points:
    """Return the points of the lead: its value, and a bonus for a triple."""
    terms = [Term("triominoes.value", tile_text(tile), pips(tile))]
    if is_double(tile):
        terms += bonus("triominoes.start", ZERO_BONUS if tile == ZERO_TRIPLE else 0)
        terms += bonus("triominoes.start", START_BONUS)
    return Points.of(*terms)


@lru_cache(maxsize=1024)
def value_points(tile: Tile, hexagons: int, is_bridge: bool) -> Points:
    """Return the points of a tile that is not the lead."""
    terms = [Term("triominoes.value", tile_text(tile), pips(tile))]
    terms += bonus("triominoes.hexagon", HEXAGON_BONUS[hexagons])
    terms += bonus("triominoes.bridge", BRIDGE_BONUS if is_bridge else 0)
    return Points.of(*terms)


def bonus(rule: str, points: int) -> list[Term]:
    """Return the term of a bonus, [] for 0 points."""
    return [Term(rule, f"+{points}", points)] if points else []


def lightest(hands: Sequence[Sequence[Tile]]) -> int | None:
    """Return the seat with the fewest tiles, then the fewest pips; None for a tie."""
    weights = [(len(hand), sum(map(pips, hand))) for hand in hands]
    return weights.index(min(weights)) if weights.count(min(weights)) == 1 else None


def winner_points(hands: Sequence[Sequence[Tile]], winner: int, ending: Ending) -> Points:
    """Return the points of the round's winner: the other hands less its own, and 25 for going out."""
    terms = bonus(ending.rule, OUT_BONUS if ending.reason == "out" else 0)
    terms += [
        Term(ending.rule, hand_text(hand), sum(map(pips, hand))) for seat, hand in enumerate(hands) if seat != winner
    ]
    own = hands[winner]
    terms += [Term(ending.rule, f"−({hand_text(own)})", -sum(map(pips, own)))] if own else []
    return Points.of(*terms)


RULES = Triominoes()
