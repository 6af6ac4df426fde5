"""Rytmino, the Domino Bead Game: every line is a rhythm; tiles score the product of the lines they extend."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

from games.engine.ending import Ending, round_end_event
from games.engine.events import MatchEnded, Points, RoundEnded, Standing, Term
from games.engine.layout.grid import Grid
from games.engine.layout.slots import Slot, parse_place, place_text
from games.engine.leads import Lead
from games.engine.moves import Draw, Move, Play
from games.engine.options import Option
from games.engine.rules import NO_POINTS, Deal, Lot, RulesOf
from games.engine.state import Round, State
from games.engine.tiles import Tile, double_set, is_double

HAND_SIZES = {2: 14, 3: 9, 4: 7}
STARTING_PAIR_SLOTS = (Slot("H", 0, 0), Slot("H", 0, 1))  # slots of the starting pair
LEFTOVER_COST = 25
LEFTOVER_DOUBLE_COST = 5


class Rytmino(RulesOf[Grid]):
    """In version 1 two copies of a tile in the starting pair always had opposite orientations, and a deal with
    ``leftover=sackson`` in which nobody could place a tile was ``blocked`` even if a seat had gone out.
    """

    key = "rytmino"
    name = "Rytmino"
    rules_version = settling_version = 3
    seat_counts = (2, 3, 4)
    options = (Option("leftover", ("none", "sackson"), "none"), Option("deals", ("1", "per_player"), "1"))
    tile_set = tuple(tile for tile in double_set(5, lowest=1) for _ in range(2))
    layout = Grid()
    rules_ids = (
        "rytmino.set",
        "rytmino.deal",
        "rytmino.start",
        "rytmino.line",
        "rytmino.rhythm",
        "rytmino.free",
        "rytmino.valid",
        "rytmino.two",
        "rytmino.stack",
        "rytmino.product",
        "rytmino.turn",
        "rytmino.end",
    )
    refusals = {
        "rytmino.deal": "There is no boneyard to draw from.",
        "rytmino.start": "A starting pair of the same two doubles voids the deal.",
        "rytmino.free": "Both cells must be free.",
        "rytmino.valid": "Every line that the tile becomes part of must be rhythmic in its full length.",
        "rytmino.two": "A tile must extend at least two lines.",
        "rytmino.stack": "Four tiles of one orientation must not lie exactly side by side.",
        "rytmino.turn": "Place a tile of your hand; only who cannot place any passes.",
    }
    turn_rule = "rytmino.turn"
    must_play_rule = "rytmino.turn"
    draw_rule = "rytmino.deal"
    pass_rule = "rytmino.turn"
    out_rule = "rytmino.end"

    def hand_size(self, state: State) -> int:
        return HAND_SIZES[state.setup.seats]  # rytmino.deal

    def deal(self, state: State, order: Sequence[int]) -> Deal:
        """Deal the hands, the tiles set aside, then the starting pair (``rytmino.deal``, ``rytmino.start``).

        The shuffle also decides the orientation of the pair: second copies of tiles, which have odd indices, are
        turned. The second tile is turned once more if the first tile dealt is a second copy.
        """
        dealt = super().deal(state, order)
        first, second = order[-len(STARTING_PAIR_SLOTS) :]
        half_turns = (first, second if state.setup.rules_version == 1 else second + order[0])
        pair = [
            self.tile_set[index][:: -1 if half_turn % 2 else 1]
            for index, half_turn in zip((first, second), half_turns, strict=True)
        ]
        start = tuple(place_text(slot, *halves) for slot, halves in zip(STARTING_PAIR_SLOTS, pair, strict=True))
        return Deal(dealt.hands, (), start, dealt.boneyard[: -len(STARTING_PAIR_SLOTS)])

    def void_rule(self, deal: Deal) -> str:
        """A starting pair of the same two doubles voids the deal (``rytmino.start``)."""
        (_, one, other), (_, third, fourth) = map(parse_place, deal.start)
        return "rytmino.start" if one == other == third == fourth else ""

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """Lots decide the first lead; in later deals the next seat leads (``rytmino.start``)."""
        seat = lot(range(state.setup.seats)) if state.lead is None else state.lead
        return Lead(seat, "rytmino.start")

    def broken_rule(self, state: State, move: Move) -> str:
        """Return the first broken rule in the order of the rule file."""
        if isinstance(move, Draw):
            return "rytmino.deal"
        layout, seat = self.layout_of(state.round), state.round.to_move
        if not isinstance(move, Play) or layout.read(move.place) != (move.tile, move.place):
            return "rytmino.turn"
        is_in_hand = seat is not None and move.tile in state.hands[seat]
        return f"rytmino.{layout.objection(move.place)}" if is_in_hand else "rytmino.turn"

    def play_points(self, round: Round, play: Play) -> Points:
        """Return the product of the lengths of the extended lines, doubled for a double (``rytmino.product``)."""
        return product_of(self.layout_of(round).lengths(play.place), play.tile[0] == play.tile[1])

    def is_over(self, state: State, seat: int) -> bool:
        """The deal ends when a seat is out and the last turns are over, or nobody can place (``rytmino.end``)."""
        layout = self.layout_of(state.round)
        return has_ended_by_going_out(state, seat) or not any(map(layout.fits, state.hands))

    def ended_by(self, state: State, seat: int) -> Ending:
        """The seat that went out first ended the deal, else the one that placed last."""
        out = first_out(state)
        if out is None or (state.setup.rules_version == 1 and not has_ended_by_going_out(state, seat)):
            return Ending("blocked", state.round.plays[-1].seat, "rytmino.end")
        return Ending("out", out, "rytmino.end")

    def length(self, state: State) -> int:
        """Return the number of deals (``rytmino.end``)."""
        deals = state.option("deals")
        return state.setup.seats if deals == "per_player" else int(deals)

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Subtract the tiles left in hand if the option says so (``rytmino.end``)."""
        points = [leftover_points(hand) if leftovers_count(state) else NO_POINTS for hand in state.hands]
        following = (leader_of(state) + 1) % state.setup.seats
        return round_end_event(state, ending, points, lead=following, last=self.is_last(state))

    def standing_after(self, state: State, ending: Ending) -> tuple[Standing, ...]:
        if not leftovers_count(state):
            return state.standing
        rows = zip(state.standing, state.hands, strict=True)
        return tuple([before.plus(sum(map(leftover_cost, hand))) for before, hand in rows])

    def match_end_after_round(self, state: State) -> MatchEnded | None:
        """The match ends after the last deal (``rytmino.end``)."""
        if not self.is_last(state):
            return None
        ranking = self.seat_ranks(state, [standing.points for standing in state.standing])
        return MatchEnded("finished", None, "rytmino.end", ranking, (), ())


@lru_cache(maxsize=4096)
def product_of(lengths: tuple[int, ...], doubled: bool) -> Points:
    """Return the points of a tile, by the new lengths of the line along it and of those across its halves.

    >>> product_of((2, 3, 3), True).terms[0].text
    '(3 × 3) × 2'
    """
    extended = [length for length, own in zip(lengths, (2, 1, 1), strict=True) if length > own]
    text, points = " × ".join(map(str, extended)), prod(extended)
    if doubled:
        text, points = f"({text}) × 2", 2 * points
    return Points.of(Term("rytmino.product", text, points))


def leader_of(state: State) -> int:
    return state.round.moves[0].seat


def first_out(state: State) -> int | None:
    """Return the seat that went out first, None while everybody has tiles.

    The deal ends within the same round of turns, so seats go out in turn order.
    """
    if all(state.hands):
        return None
    order = ((leader_of(state) + step) % state.setup.seats for step in range(state.setup.seats))
    return next((seat for seat in order if not state.hands[seat]), None)


def has_ended_by_going_out(state: State, seat: int) -> bool:
    """Return True if a seat went out and, with ``leftover=sackson``, all seats had equally many turns."""
    is_last_turn = not leftovers_count(state) or (seat + 1) % state.setup.seats == leader_of(state)
    return is_last_turn and first_out(state) is not None


def leftovers_count(state: State) -> bool:
    return state.option("leftover") == "sackson"


def leftover_cost(tile: Tile) -> int:
    """Return the negative points of a tile left in hand."""
    return -LEFTOVER_DOUBLE_COST if is_double(tile) else -LEFTOVER_COST


def leftover_points(hand: Sequence[Tile]) -> Points:
    doubles = sum(map(is_double, hand))
    counts = ((len(hand) - doubles, LEFTOVER_COST), (doubles, LEFTOVER_DOUBLE_COST))
    return Points.of(*(Term("rytmino.end", f"{count} × −{cost}", -count * cost) for count, cost in counts if count))


RULES = Rytmino()
