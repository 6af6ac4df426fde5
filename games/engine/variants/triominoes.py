"""Triominoes: triangular tiles, numbers at the corners, points for every placement, bridges and hexagons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.engine.ending import Ending, round_ended
from games.engine.events import MatchEnded, Points, RoundEnded, Term
from games.engine.layout.lattice import Lattice, spot
from games.engine.leads import Lead
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.options import LENGTH, Option, is_quick
from games.engine.rules import DRAW, NO_POINTS, PASS, Deal, Lot, RulesOf
from games.engine.state import Round, State
from games.engine.tiles import Tile, hand_text, is_double, pips, tile_text, triple_set

HAND_SIZE = 7
OFFICIAL_FOR_TWO = 9
MOST_DRAWS = 3
"""How many tiles may be drawn in a turn."""
TARGET = 400
"""A total of this many points makes the round the last."""
QUICK_TARGET = 200
QUICK_ROUNDS = 2
"""A quick match has no more rounds."""

ZERO = (0, 0, 0)
START_BONUS = 10
ZERO_BONUS = 30
HEXAGON_BONUS = (0, 50, 60, 70)
"""By the number of hexagons that one tile closes."""
BRIDGE_BONUS = 40
OUT_BONUS = 25
DRAW_PENALTY = -5
STUCK_PENALTY = -10
"""On top, for a turn that ends after the third draw without a placement."""
DRAWN, STUCK = [Points.of(Term("triominoes.turn", "", penalty)) for penalty in (DRAW_PENALTY, STUCK_PENALTY)]


class Triominoes(RulesOf[Lattice]):
    """The rules of Triominoes."""

    key = "triominoes"
    name = "Triominoes"
    rules_version = settling_version = 2
    seat_counts = (2, 3, 4)
    options = (Option("hands", ("leaflet", "official"), "leaflet"), LENGTH)
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
        """Return 7, officially 9 for two (``triominoes.deal``)."""
        official = state.option("hands") == "official"
        return OFFICIAL_FOR_TWO if official and state.setup.seats == 2 else HAND_SIZE

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """Return the leader: by the highest triple, else by the most valuable tiles (``triominoes.start``)."""
        triples = {tile: seat for seat, hand in enumerate(deal.hands) for tile in hand if is_double(tile)}
        if triples:
            highest = max(triples)
            choice = tuple(tile for tile in (highest, ZERO) if triples.get(tile) == triples[highest])
            return Lead(triples[highest], "triominoes.start", tuple(dict.fromkeys(choice)))
        worth = [sorted(map(pips, hand), reverse=True) for hand in deal.hands]
        tied = [seat for seat, values in enumerate(worth) if values == max(worth)]
        leader = tied[0] if len(tied) == 1 else lot(tied)
        best = tuple(tile for tile in deal.hands[leader] if pips(tile) == worth[leader][0])
        return Lead(leader, "triominoes.start", best)

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Return every legal move: a seat that can place a tile may draw all the same (``triominoes.turn``)."""
        plays = self.plays(state)
        if state.round.to_move is None or not state.round.plays:
            return plays
        return (*plays, DRAW if self.draws_left(state) else PASS)

    def broken_rule(self, state: State, move: Move) -> str:
        """Return the id of the rule that an illegal move breaks, the first in the order of the rule file."""
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
            return lead_points(play.tile)
        cell, _ = spot(play.place)
        return value_points(play.tile, len(layout.hexagons(cell)), layout.bridge(cell) is not None)

    def move_points(self, state: State, move: Move) -> Points:
        """Return what a placement scores, or what a draw or a stuck turn costs (``triominoes.turn``)."""
        if isinstance(move, Draw):
            return DRAWN
        if isinstance(move, Pass):
            return STUCK if state.round.drawn == MOST_DRAWS else NO_POINTS
        return self.play_points(state.round, move)

    def draws_left(self, state: State) -> int:
        """Return what is left of three draws, or of the pool (``triominoes.turn``)."""
        return min(MOST_DRAWS - state.round.drawn, len(state.boneyard))

    def shown(self, state: State, play: Play) -> tuple[Tile, ...]:
        """Show the highest triple to everybody where 0-0-0 is led in its place (``triominoes.start``)."""
        if state.round.plays or play.tile != ZERO:
            return ()
        return tuple(tile for tile in state.must_lead if tile != ZERO)

    def is_over(self, state: State, seat: int) -> bool:
        """End the round by going out, or blocked (``triominoes.out``, ``triominoes.blocked``)."""
        return not state.hands[seat] or (not state.boneyard and state.round.passes >= state.setup.seats)

    def ended_by(self, state: State, seat: int) -> Ending:
        """Return who went out, else who placed last."""
        if not state.hands[seat]:
            return super().ended_by(state, seat)
        return Ending("blocked", state.round.plays[-1].seat, "triominoes.blocked")

    def length(self, state: State) -> int | None:
        """Return how many rounds a quick match has at most (``quick.rounds``)."""
        return QUICK_ROUNDS if is_quick(state) else None

    def target(self, state: State) -> int:
        """Return the total that makes the round the last (``triominoes.end``, ``quick.rounds``)."""
        return QUICK_TARGET if is_quick(state) else TARGET

    def is_last(self, state: State) -> bool:
        """Return whether the target was reached, in this round or before a tie, or no round may follow."""
        reached = state.round.peak >= self.target(state) or (bool(state.rounds) and state.rounds[-1].last)
        return reached or super().is_last(state)

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Add the award of the round (``triominoes.out``, ``triominoes.blocked``)."""
        points = [NO_POINTS] * state.setup.seats
        winner = ending.seat if ending.reason == "out" else lightest(state.hands)
        if winner is not None:
            points[winner] = award(state.hands, winner, ending)
        highest = max(before.points + gained.total for before, gained in zip(state.standing, points, strict=True))
        return round_ended(state, ending, points, last=self.is_last(state) or highest >= self.target(state))

    def finish(self, state: State) -> MatchEnded | None:
        """End the match after the last round; only a full one goes on if two lead together (``triominoes.end``)."""
        totals = [standing.points for standing in state.standing]
        if not self.is_last(state) or (totals.count(max(totals)) > 1 and not is_quick(state)):
            return None
        rule = "quick.rounds" if is_quick(state) else "triominoes.end"
        return MatchEnded("finished", None, rule, self.places(state, totals), (), ())


def lead_points(tile: Tile) -> Points:
    """Return what the first tile of all scores: its value, and a bonus for a triple."""
    terms = [Term("triominoes.value", tile_text(tile), pips(tile))]
    if is_double(tile):
        terms += bonus("triominoes.start", ZERO_BONUS if tile == ZERO else 0)
        terms += bonus("triominoes.start", START_BONUS)
    return Points.of(*terms)


@lru_cache(maxsize=1024)
def value_points(tile: Tile, hexagons: int, is_bridge: bool) -> Points:
    """Return what a tile scores that closes so many hexagons, or bridges."""
    terms = [Term("triominoes.value", tile_text(tile), pips(tile))]
    terms += bonus("triominoes.hexagon", HEXAGON_BONUS[hexagons])
    terms += bonus("triominoes.bridge", BRIDGE_BONUS if is_bridge else 0)
    return Points.of(*terms)


def bonus(rule: str, points: int) -> list[Term]:
    """Return the term of a bonus, none where there is none."""
    return [Term(rule, f"+{points}", points)] if points else []


def lightest(hands: Sequence[Sequence[Tile]]) -> int | None:
    """Return the seat with the fewest tiles, among equals that with the lowest value; None if there is still a tie."""
    weights = [(len(hand), sum(map(pips, hand))) for hand in hands]
    return weights.index(min(weights)) if weights.count(min(weights)) == 1 else None


def award(hands: Sequence[Sequence[Tile]], winner: int, ending: Ending) -> Points:
    """Return what the winner of the round gets: the other hands, with 25 for going out, less the own hand."""
    terms = bonus(ending.rule, OUT_BONUS if ending.reason == "out" else 0)
    terms += [
        Term(ending.rule, hand_text(hand), sum(map(pips, hand))) for seat, hand in enumerate(hands) if seat != winner
    ]
    own = hands[winner]
    terms += [Term(ending.rule, f"−({hand_text(own)})", -sum(map(pips, own)))] if own else []
    return Points.of(*terms)


RULES = Triominoes()
