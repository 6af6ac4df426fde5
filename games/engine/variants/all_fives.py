"""All Fives: a line with a spinner. The open ends are counted after every tile, and multiples of five score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from games.engine.ending import Ending, no_remaining_tile_fits, round_end_event
from games.engine.events import MatchEnded, Points, RoundEnded, Term
from games.engine.layout.spinner import DOWN, UP, SpinnerLine
from games.engine.leads import Lead
from games.engine.moves import Move, Play
from games.engine.options import LENGTH_OPTION, Option, is_one_round, is_quick
from games.engine.rules import NO_POINTS, Deal, Lot, RulesOf
from games.engine.state import Round, State
from games.engine.tiles import Tile, double_set, hand_text, is_double, pips

FIVE = 5
TARGET_FOR_TWO = 250
TARGET = 200
QUICK_TARGET = 100
QUICK_TARGET_FOR_FOUR = 60


class AllFives(RulesOf[SpinnerLine]):
    key = "all_fives"
    name = "All Fives"
    rules_version = settling_version = 2
    seat_counts = (2, 3, 4)
    options = (
        Option("hands", ("9-7-5", "5-5-5", "7-5-5"), "9-7-5"),
        Option("partners", ("no", "yes"), "no", seats=(4,)),
        Option("hand_end", ("subtract_own", "winner_collects"), "subtract_own"),
        Option("target", ("standard", "100", "150", "200", "250"), "standard"),
        LENGTH_OPTION,
    )
    tile_set = double_set(6)
    layout = SpinnerLine()
    rules_ids = (
        "all_fives.players",
        "all_fives.deal",
        "all_fives.lead",
        "all_fives.turn",
        "all_fives.spinner",
        "all_fives.count",
        "all_fives.score",
        "all_fives.blocked",
        "all_fives.hand_end",
        "all_fives.partners",
        "all_fives.target",
        "quick.target",
        "quick.round",
    )
    refusals = {
        "all_fives.turn": "Play a tile of your hand on an open end that shows one of its values; draw only while "
        "nothing fits, and pass only when nothing fits and the boneyard is empty.",
        "all_fives.spinner": "The ends of the spinner, the first double of the hand, open only when both its sides "
        "are occupied.",
    }
    turn_rule = "all_fives.turn"
    must_play_rule = "all_fives.turn"
    draw_rule = "all_fives.turn"
    pass_rule = "all_fives.turn"
    out_rule = "all_fives.hand_end"
    counts_ends = True

    def sides(self, seats: int, options: Mapping[str, str]) -> tuple[int, ...]:
        """Return the sides. Partners sit opposite each other (``all_fives.players``)."""
        return (0, 1, 0, 1) if options["partners"] == "yes" else tuple(range(seats))

    def hand_size(self, state: State) -> int:
        """Return the option's number for two, three or four players (``all_fives.deal``)."""
        return int(state.option("hands").split("-")[state.setup.seats - 2])

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """The seat that went out leads. Lots decide in hand 1 and after a blocked hand (``all_fives.lead``)."""
        seat = lot(range(state.setup.seats)) if state.lead is None else state.lead
        return Lead(seat, "all_fives.lead")

    def broken_rule(self, state: State, move: Move) -> str:
        """Name ``all_fives.spinner`` for an end of the spinner that is not open."""
        seat = state.round.to_move
        if isinstance(move, Play) and seat is not None and move.tile in state.hands[seat]:
            is_closed = move.place not in dict(self.layout_of(state.round).ends)
            if is_closed and move.place in (UP, DOWN):
                return "all_fives.spinner"
        return super().broken_rule(state, move)

    def play_points(self, round: Round, play: Play) -> Points:
        """Return the count after the tile, with points if it is a multiple of five (``all_fives.score``)."""
        total, text = count_ends(self.layout_of(round).place(play.tile, play.place))
        scored = 0 if total % FIVE else total
        return Points.of(Term("all_fives.score" if scored else "all_fives.count", text, scored))

    def ends_count_text(self, round: Round) -> str:
        """Return the count as a sum, "" before the lead (``all_fives.count``)."""
        layout = self.layout_of(round)
        return count_ends(layout)[1] if layout.line else ""

    def is_over(self, state: State, seat: int) -> bool:
        """The hand ends by the target, by going out or by a block (``.target``, ``.hand_end``, ``.blocked``)."""
        return self.has_won(state, seat) or not state.hands[seat] or no_remaining_tile_fits(state)

    def ended_by(self, state: State, seat: int) -> Ending:
        """The target comes before going out and a block."""
        if self.has_won(state, seat):
            return Ending("target", seat, end_rule(state))
        return Ending("blocked", seat, "all_fives.blocked") if state.hands[seat] else super().ended_by(state, seat)

    def has_won(self, state: State, seat: int) -> bool:
        """Return True if the move of ``seat`` scored and brought its side to the target (``all_fives.target``)."""
        return bool(state.round.scored) and state.standing[state.setup.sides[seat]].points >= self.target(state)

    def target(self, state: State) -> int:
        """Return the points that win (``all_fives.target``, ``quick.target``)."""
        choice = state.option("target")
        if is_quick(state):
            return QUICK_TARGET_FOR_FOUR if state.setup.seats == 4 else QUICK_TARGET
        if choice == "standard":
            return TARGET_FOR_TWO if state.setup.seats == 2 else TARGET
        return int(choice)

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Subtract the hands, or give them to the winner (``all_fives.hand_end``, ``all_fives.partners``)."""
        if ending.reason == "target":
            points = [NO_POINTS] * len(state.standing)
        elif winner_collects(state):
            points = collect_hands(state, ending)
        else:
            points = subtract_hands(state)
        return round_end_event(state, ending, points, lead=ending.seat if ending.reason == "out" else None)

    def match_end_after_round(self, state: State) -> MatchEnded | None:
        """The match ends at the target (``all_fives.target``, ``quick.target``)."""
        ended = state.round.over
        if ended is None:
            return None
        if is_one_round(state):
            return self.match_end_after_board(state)
        totals = [standing.points for standing in state.standing]
        winner = state.setup.sides[ended.seat] if ended.reason == "target" and ended.seat is not None else None
        if winner is None and not (winner_collects(state) and max(totals) >= self.target(state)):
            return None
        if winner is not None:
            totals[winner] = max(totals) + 1
        return MatchEnded("finished", None, end_rule(state), self.seat_ranks(state, totals), (), ())


def count_ends(layout: SpinnerLine) -> tuple[int, str]:
    """Return the count of a layout that is not empty, as a number and as a sum (``all_fives.count``).

    A double at the end of an arm counts both its halves, and so does a spinner at an end of the line.

    >>> count_ends(SpinnerLine().place((6, 6), ""))
    (12, '2 × 6 = 12')
    >>> count_ends(SpinnerLine().place((6, 6), "").place((6, 3), "right"))
    (15, '2 × 6 + 3 = 15')
    """
    first, last = layout.line[0], layout.line[-1]
    ends = [(first.left_half, first.tile)]
    if first is not last or not is_double(first.tile):  # a double alone is both ends, and counts once
        ends.append((last.right_half, last.tile))
    ends += [(arm[-1].right_half, arm[-1].tile) for arm in (layout.up, layout.down) if arm]
    return _count_and_text(tuple(ends))


@lru_cache(maxsize=10_000)
def _count_and_text(ends: tuple[tuple[int, Tile], ...]) -> tuple[int, str]:
    """Return the count of ends with their tiles, as a number and as a sum."""
    total = sum(2 * value if is_double(tile) else value for value, tile in ends)
    text = " + ".join(f"2 × {value}" if is_double(tile) else str(value) for value, tile in ends)
    return total, f"{text} = {total}"


def round_to_five(points: int) -> int:
    """Round pips to the nearest five (``all_fives.hand_end``).

    >>> [round_to_five(pips) for pips in (7, 8, 12, 13)]
    [5, 10, 10, 15]
    """
    return (points + 2) // FIVE * FIVE


def end_rule(state: State) -> str:
    return "quick.target" if is_quick(state) else "all_fives.target"


def winner_collects(state: State) -> bool:
    return state.option("hand_end") == "winner_collects"


def subtract_hands(state: State) -> list[Points]:
    """Return negative points for every hand, rounded separately."""
    rule = "all_fives.partners" if len(state.standing) < state.setup.seats else "all_fives.hand_end"
    terms: list[list[Term]] = [[] for _ in state.standing]
    for side, hand in zip(state.setup.sides, state.hands, strict=True):
        terms[side].append(Term(rule, pips_text(hand), -round_to_five(total_pips(hand))))
    return [Points.of(*side_terms) for side_terms in terms]


def collect_hands(state: State, ending: Ending) -> list[Points]:
    """Give the winner of the hand the tiles of the others; after a block to the single lightest side, less its own."""
    seats = list(zip(state.setup.sides, state.hands, strict=True))
    hands = [tuple(chain(*(hand for owner, hand in seats if owner == side))) for side in range(len(state.standing))]
    points = [Points.of(Term("all_fives.hand_end", pips_text(tiles), 0)) for tiles in hands]
    weights = list(map(total_pips, hands))
    if ending.reason == "out":
        winner = state.setup.sides[ending.seat]
        points[winner] = winner_points(hands, winner, own=())
    elif weights.count(min(weights)) == 1:
        winner = weights.index(min(weights))
        points[winner] = winner_points(hands, winner, own=hands[winner])
    return points


def winner_points(hands: Sequence[tuple[Tile, ...]], winner: int, *, own: tuple[Tile, ...]) -> Points:
    """Return the pips of the other sides less ``own``, rounded as a whole."""
    lost = tuple(chain(*hands[:winner], *hands[winner + 1 :]))
    gain = total_pips(lost) - total_pips(own)
    text = f"{hand_text(lost)} − ({hand_text(own)})" if own else hand_text(lost)
    return Points.of(Term("all_fives.hand_end", f"{text} = {gain}", round_to_five(gain)))


def total_pips(tiles: Iterable[Tile]) -> int:
    return sum(map(pips, tiles))


def pips_text(tiles: Sequence[Tile]) -> str:
    """Return the weight as a sum: ``6-5 + 1-1 = 13``, "" for no tiles."""
    return f"{hand_text(tiles)} = {total_pips(tiles)}" if tiles else ""


RULES = AllFives()
