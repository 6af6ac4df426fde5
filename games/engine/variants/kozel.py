"""Kozel, "the goat": a line game in which small scores are only remembered and 101 points lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from games.engine.ending import Ending, round_end_event
from games.engine.events import MatchEnded, Points, RoundEnded, Standing, Term
from games.engine.layout.line import Line
from games.engine.leads import Lead, first_lead, lead_order
from games.engine.options import LENGTH_OPTION, Option, is_one_round, is_quick
from games.engine.refusal import Refusal
from games.engine.rules import MAX_POINTS, Deal, Lot, RulesOf
from games.engine.settling import forfeited_seats, settled_standing
from games.engine.state import State
from games.engine.tiles import Tile, double_set, hand_text

HAND_SIZE = 7
ACCOUNT_OPENING_POINTS = 13  # points in one round that open an account
LOSING_POINTS = 101  # points of an account that lose the match
QUICK_LOSING_POINTS = 51
LONE_BLANK_POINTS = 10  # points of 0-0 as a whole hand
VOID_DOUBLES = 5
VOID_TILES_OF_ONE_VALUE = 6

LEAVER_POINTS = Points.of(Term("kozel.timeout", "", 0))
TILES = double_set(6)
LEAD_ORDER = lead_order(TILES, (1, 2, 3, 4, 5, 6, 0))


class RoundAward(NamedTuple):
    """The points of every seat, the rules that reset scores (or ""), the pot, and the seat with the heaviest hand."""

    points: list[int]
    reset: list[str]
    pot: int
    top: int | None


def hand_points(hand: Sequence[Tile]) -> int:
    """Return the pips of a hand, or 10 for 0-0 alone (``kozel.hand_points``).

    >>> hand_points([(6, 4), (0, 0)]), hand_points([(0, 0)])
    (10, 10)
    """
    return sum(map(sum, hand)) or LONE_BLANK_POINTS * len(hand)


def add_points(standing: Standing, points: int) -> Standing:
    """Return the score after a round with these points, which open an account from 13 on (``kozel.remember``)."""
    return Standing(standing.points + points, standing.opened or points >= ACCOUNT_OPENING_POINTS)


def open_account_points(standing: Standing) -> int:
    """Return the points of an open account, else 0."""
    return standing.points if standing.opened else 0


def rating_points(points: int, rule: str, text: str) -> Points:
    """Return rating points: a tenth of ``points``, rounded half up, at least 1.

    >>> rating_points(45, "kozel.rating", "(100 − 55)").total, rating_points(4, "kozel.rating", "(100 − 96)").total
    (5, 1)
    """
    gain = (points + 5) // 10
    arithmetic = f"{text} / 10 = {points / 10:g}"
    return Points.of(Term(rule, arithmetic if gain >= 1 else f"{arithmetic} < 1", max(1, gain)))


class Kozel(RulesOf[Line]):
    key = "kozel"
    name = "Kozel"
    rules_version = settling_version = 2
    seat_counts = (2, 3, 4)
    options = (Option("fish", ("all", "one"), "all"), LENGTH_OPTION)
    tile_set = TILES
    layout = Line()
    first_standing = Standing(0, opened=False)
    leave_rule = absence_rule = "kozel.timeout"
    rules_ids = (
        "kozel.players",
        "kozel.deal",
        "kozel.redeal",
        "kozel.lead_first",
        "kozel.lead_next",
        "kozel.turn",
        "kozel.must_play",
        "kozel.draw",
        "kozel.knock",
        "kozel.out",
        "kozel.fish",
        "kozel.hand_points",
        "kozel.remember",
        "kozel.out_resets",
        "kozel.fish_all",
        "kozel.fish_one",
        "kozel.fish_drawn",
        "kozel.pot",
        "kozel.goat",
        "kozel.rating",
        "kozel.timeout",
        "quick.limit",
        "quick.round",
    )
    refusals = {
        "kozel.redeal": "A hand with five or more doubles, or six or more tiles of one value, voids the deal.",
        "kozel.lead_first": "The first round is led with exactly the tile that the list of leads names.",
        "kozel.turn": "Lay one tile of your hand on an open end that shows one of its values.",
        "kozel.must_play": "You hold a tile that fits, so you must play.",
        "kozel.draw": "Nothing in your hand fits, so you must draw while the bazaar has tiles.",
        "kozel.knock": "The bazaar is empty and nothing in your hand fits, so you must knock.",
    }
    turn_rule = "kozel.turn"
    must_play_rule = "kozel.must_play"
    draw_rule = "kozel.draw"
    pass_rule = "kozel.knock"
    out_rule = "kozel.out"

    def hand_size(self, state: State) -> int:
        return HAND_SIZE  # kozel.deal

    def void_rule(self, deal: Deal) -> str:
        return "kozel.redeal" if any(map(is_void, deal.hands)) else ""

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """The list of leads decides in round 1, later the seat that ended the last round leads."""
        if state.lead is not None:
            return Lead(state.lead, "kozel.lead_next")
        return first_lead(LEAD_ORDER, deal.hands, "kozel.lead_first")

    def is_over(self, state: State, seat: int) -> bool:
        """The round ends by going out or by a fish (``kozel.out``, ``kozel.fish``)."""
        return not state.hands[seat] or is_fish(self.layout_of(state.round))

    def ended_by(self, state: State, seat: int) -> Ending:
        """A fish is drawn if two hands tie for the heaviest with ``fish=one`` (``kozel.fish_one``)."""
        if not state.hands[seat]:
            return Ending("out", seat, "kozel.out")
        worth = [hand_points(hand) for hand in state.hands]
        if state.option("fish") == "one" and worth.count(max(worth)) > 1:
            return Ending("fish_drawn", seat, "kozel.fish_drawn")
        return Ending("fish", seat, "kozel.fish")

    def pot(self, state: State) -> int:
        """Return the pot after the last round, or as it was set since (``kozel.pot``)."""
        latest = state.standing_set or (state.rounds[-1] if state.rounds else None)
        return 0 if latest is None or state.match_over else latest.pot

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Score the round (``kozel.hand_points`` to ``kozel.pot``)."""
        pot = self.pot(state)
        award = round_award(state, ending, pot)
        points, standing = round_points(state, ending, award.top, pot), standing_after_award(state, award)
        return round_end_event(
            state, ending, points, standing=standing, reset=award.reset, pot=award.pot, lead=ending.seat
        )

    def standing_after(self, state: State, ending: Ending) -> tuple[Standing, ...]:
        return standing_after_award(state, round_award(state, ending, self.pot(state)))

    def target(self, state: State) -> int:
        """Return the account that loses (``kozel.goat``, ``quick.limit``)."""
        return QUICK_LOSING_POINTS if is_quick(state) else LOSING_POINTS

    def match_end_after_round(self, state: State) -> MatchEnded | None:
        """The match ends when an account reaches the limit (``kozel.goat``, ``quick.limit``, ``kozel.rating``)."""
        if is_one_round(state):
            return self.match_end_after_board(state)
        accounts, limit = [open_account_points(standing) for standing in state.standing], self.target(state)
        if max(accounts) < limit:
            return None
        losers = tuple(seat for seat, points in enumerate(accounts) if points >= limit)
        rule = "quick.limit" if is_quick(state) else "kozel.goat"
        nothing = {seat: Points.of(Term(rule, f"{accounts[seat]} ≥ {limit}", 0)) for seat in losers}
        nothing |= dict.fromkeys(forfeited_seats(state, self.settling_version), LEAVER_POINTS)
        rating = tuple(
            nothing.get(seat) or rating_points(100 - points, "kozel.rating", f"(100 − {points})")
            for seat, points in enumerate(accounts)
        )
        merits = [-min(points, limit) for points in accounts]
        return MatchEnded("finished", None, rule, self.seat_ranks(state, merits), losers, rating)

    def leave(self, state: State, seat: int, reason: str) -> MatchEnded:
        """Add rating points by the accounts after the last finished round (``kozel.timeout``)."""
        accounts = [open_account_points(standing) for standing in settled_standing(state, self.settling_version)]
        own, leavers = accounts[seat], (seat, *forfeited_seats(state, self.settling_version))
        rating = tuple(
            LEAVER_POINTS if other in leavers else rating_points(own - points, "kozel.timeout", f"({own} − {points})")
            for other, points in enumerate(accounts)
        )
        return replace(super().leave(state, seat, reason), rating=rating)

    def merit(self, standing: Standing) -> int:
        return -open_account_points(standing)

    def standing_text(self, standing: Standing) -> str:
        """Return ``+19`` for remembered points, ``=20`` for an account, ``0`` for neither."""
        if standing.opened:
            return f"={standing.points}"
        return f"+{standing.points}" if standing.points else "0"

    def standing_data(self, standing: Standing) -> int | str:
        return self.standing_text(standing)

    def read_standing(self, data: object) -> Standing:
        """Read what ``standing_text`` returns. Raises ``Refusal`` ``bad_request``."""
        if data == "0":
            return self.first_standing
        digits = data[1:] if isinstance(data, str) and data[:1] in ("+", "=") else ""
        if not (digits.isascii() and digits.isdecimal() and len(digits) < len(str(MAX_POINTS))):
            raise Refusal("bad_request")
        standing = Standing(int(digits), str(data)[0] == "=")
        if self.standing_text(standing) != data:
            raise Refusal("bad_request")
        return standing


def is_void(hand: Sequence[Tile]) -> bool:
    """Return True for five doubles or six tiles of one value (``kozel.redeal``)."""
    doubles, tile_counts_by_number = 0, [0] * 7
    for high, low in hand:
        tile_counts_by_number[high] += 1
        if high == low:
            doubles += 1
        else:
            tile_counts_by_number[low] += 1
    return doubles >= VOID_DOUBLES or max(tile_counts_by_number) >= VOID_TILES_OF_ONE_VALUE


def is_fish(line: Line) -> bool:
    """Return True if both ends show one value whose six non-doubles are all in the line (``kozel.fish``)."""
    value = line.left_end
    if value is None or value != line.right_end:
        return False
    return sum(value in placed.tile and placed.tile != (value, value) for placed in line.tiles) == 6


def round_award(state: State, ending: Ending, pot: int) -> RoundAward:
    """Return the result of the round; ``pot`` is the pot before it."""
    worth = list(map(hand_points, state.hands))
    top = worth.index(max(worth)) if worth.count(max(worth)) == 1 else None
    if ending.reason == "fish_drawn":
        return RoundAward([0] * len(worth), [""] * len(worth), pot + sum(worth), None)
    if ending.reason == "fish" and state.option("fish") == "one":
        points = [sum(worth) + pot if seat == top else 0 for seat in range(len(worth))]
        reset = [
            "kozel.fish_one" if seat != top and remembers_points(before) else ""
            for seat, before in enumerate(state.standing)
        ]
        return RoundAward(points, reset, 0, top)
    if top is not None:
        worth[top] += pot
    reset = [""] * len(worth)
    if ending.reason == "out" and remembers_points(state.standing[ending.seat]):
        reset[ending.seat] = "kozel.out_resets"
    return RoundAward(worth, reset, pot if top is None else 0, top)


def standing_after_award(state: State, award: RoundAward) -> tuple[Standing, ...]:
    """Return the standing after the award."""
    rows = zip(state.standing, award.points, award.reset, strict=True)
    return tuple([RULES.first_standing if rule else add_points(before, points) for before, points, rule in rows])


def round_points(state: State, ending: Ending, top: int | None, pot: int) -> list[Points]:
    """Return the points of every seat with their terms. The pot goes to ``top`` (``kozel.pot``)."""
    if ending.reason == "fish_drawn":
        texts = [f"{hand_text(hand)} = {hand_points(hand)}" for hand in state.hands]
        return [Points.of(Term("kozel.fish_drawn", text, 0)) for text in texts]
    points = [
        Points.of(Term("kozel.hand_points", hand_text(hand), hand_points(hand)) if hand else Term("kozel.out", "", 0))
        for hand in state.hands
    ]
    if ending.reason == "fish" and state.option("fish") == "one" and top is not None:
        points = [Points.of(Term("kozel.fish_one", "", 0))] * state.setup.seats
        points[top] = Points.of(*(Term("kozel.fish_one", hand_text(hand), hand_points(hand)) for hand in state.hands))
    if pot and top is not None:
        points[top] = Points.of(*points[top].terms, Term("kozel.pot", f"+{pot}", pot))
    return points


def remembers_points(standing: Standing) -> bool:
    return not standing.opened and standing.points > 0


RULES = Kozel()
