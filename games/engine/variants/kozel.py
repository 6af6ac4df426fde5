"""Kozel, "the goat": a line game in which small change is only remembered and 101 points lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from games.engine.ending import Ending, round_ended
from games.engine.events import MatchEnded, Points, RoundEnded, Standing, Term
from games.engine.layout.line import Line
from games.engine.leads import Lead, first_lead, lead_order
from games.engine.options import LENGTH, Option, is_quick
from games.engine.refusal import Refusal
from games.engine.rules import MOST_POINTS, Deal, Lot, RulesOf
from games.engine.settling import forfeited, settled
from games.engine.state import State
from games.engine.tiles import Tile, double_set, hand_text

HAND_SIZE = 7
OPENING = 13
"""A round worth this many points or more opens an account."""
GOAT = 101
"""An account of this many points or more loses."""
QUICK_GOAT = 51
"""The same in a quick match."""
LONE_BLANK = 10
"""What the tile 0-0 is worth when it is the whole hand."""
VOID_DOUBLES = 5
VOID_VALUE = 6

LEFT = Points.of(Term("kozel.timeout", "", 0))
TILES = double_set(6)
LEAD_ORDER = lead_order(TILES, (1, 2, 3, 4, 5, 6, 0))


class Award(NamedTuple):
    """Each seat's points, the rule that resets its score ("" for none), the pot after it, the single highest seat."""

    points: list[int]
    reset: list[str]
    pot: int
    top: int | None


def hand_points(hand: Sequence[Tile]) -> int:
    """Return the points of a hand (``kozel.hand_points``).

    >>> hand_points([(6, 4), (0, 0)]), hand_points([(0, 0)])
    (10, 10)
    """
    return sum(map(sum, hand)) or LONE_BLANK * len(hand)


def remembered(standing: Standing, points: int) -> Standing:
    """Return the score after a round worth ``points`` (``kozel.remember``)."""
    return Standing(standing.points + points, standing.opened or points >= OPENING)


def account(standing: Standing) -> int:
    """Return the open account, 0 while unopened."""
    return standing.points if standing.opened else 0


def tenths(points: int, rule: str, text: str) -> Points:
    """Return rating points: a tenth of ``points``, halves up, at least 1, with its arithmetic.

    >>> tenths(45, "kozel.rating", "(100 − 55)").total, tenths(4, "kozel.rating", "(100 − 96)").total
    (5, 1)
    """
    gain = (points + 5) // 10
    arithmetic = f"{text} / 10 = {points / 10:g}"
    return Points.of(Term(rule, arithmetic if gain >= 1 else f"{arithmetic} < 1", max(1, gain)))


class Kozel(RulesOf[Line]):
    """The rules of Kozel."""

    key = "kozel"
    name = "Kozel"
    rules_version = settling_version = 2
    seat_counts = (2, 3, 4)
    options = (Option("fish", ("all", "one"), "all"), LENGTH)
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
        """Return 7 (``kozel.deal``)."""
        return HAND_SIZE

    def void_rule(self, deal: Deal) -> str:
        """Void a deal in which a hand has too many doubles or too many of one value (``kozel.redeal``)."""
        return "kozel.redeal" if any(map(is_void, deal.hands)) else ""

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """Return the leader: in round 1 by the list of leads, later the seat that ended the round before."""
        if state.lead is not None:
            return Lead(state.lead, "kozel.lead_next")
        return first_lead(LEAD_ORDER, deal.hands, "kozel.lead_first")

    def is_over(self, state: State, seat: int) -> bool:
        """End the round by going out, or by a fish (``kozel.out``, ``kozel.fish``)."""
        return not state.hands[seat] or is_fish(self.layout_of(state.round))

    def ended_by(self, state: State, seat: int) -> Ending:
        """Return whether somebody went out, or for whom there is a fish (``kozel.fish_all``, ``kozel.fish_one``)."""
        if not state.hands[seat]:
            return Ending("out", seat, "kozel.out")
        worth = [hand_points(hand) for hand in state.hands]
        if state.option("fish") == "one" and worth.count(max(worth)) > 1:
            return Ending("fish_drawn", seat, "kozel.fish_drawn")
        return Ending("fish", seat, "kozel.fish")

    def pot(self, state: State) -> int:
        """Return what is in the pot: as the last round left it, or as it was told since (``kozel.pot``)."""
        told = state.standing_set or (state.rounds[-1] if state.rounds else None)
        return 0 if told is None or state.match_over else told.pot

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Score the round (``kozel.hand_points`` to ``kozel.pot``)."""
        pot = self.pot(state)
        award = award_of(state, ending, pot)
        points, standing = points_of(state, ending, award.top, pot), standing_of(state, award)
        return round_ended(
            state, ending, points, standing=standing, reset=award.reset, pot=award.pot, lead=ending.seat
        )

    def standing_after(self, state: State, ending: Ending) -> tuple[Standing, ...]:
        """Return the standing of ``score_round`` alone, for callers that read no terms."""
        return standing_of(state, award_of(state, ending, self.pot(state)))

    def target(self, state: State) -> int:
        """Return the account that loses (``kozel.goat``, ``quick.limit``)."""
        return QUICK_GOAT if is_quick(state) else GOAT

    def finish(self, state: State) -> MatchEnded | None:
        """End the match when an account has reached the limit (``kozel.goat``, ``quick.limit``, ``kozel.rating``)."""
        accounts, limit = [account(standing) for standing in state.standing], self.target(state)
        if max(accounts) < limit:
            return None
        losers = tuple(seat for seat, points in enumerate(accounts) if points >= limit)
        rule = "quick.limit" if is_quick(state) else "kozel.goat"
        nothing = {seat: Points.of(Term(rule, f"{accounts[seat]} ≥ {limit}", 0)) for seat in losers}
        nothing |= dict.fromkeys(forfeited(state, self.settling_version), LEFT)
        rating = tuple(
            nothing.get(seat) or tenths(100 - points, "kozel.rating", f"(100 − {points})")
            for seat, points in enumerate(accounts)
        )
        merits = [-min(points, limit) for points in accounts]
        return MatchEnded("finished", None, rule, self.places(state, merits), losers, rating)

    def leave(self, state: State, seat: int, reason: str) -> MatchEnded:
        """End the match by a timeout or by leaving, with the totals after the last round (``kozel.timeout``)."""
        accounts = [account(standing) for standing in settled(state, self.settling_version)]
        own, left = accounts[seat], (seat, *forfeited(state, self.settling_version))
        rating = tuple(
            LEFT if each in left else tenths(own - points, "kozel.timeout", f"({own} − {points})")
            for each, points in enumerate(accounts)
        )
        return replace(super().leave(state, seat, reason), rating=rating)

    def merit(self, standing: Standing) -> int:
        """Rank by a low account."""
        return -account(standing)

    def standing_text(self, standing: Standing) -> str:
        """Write ``+19`` remembered, ``=20`` open, ``0`` unopened at zero."""
        if standing.opened:
            return f"={standing.points}"
        return f"+{standing.points}" if standing.points else "0"

    def standing_data(self, standing: Standing) -> int | str:
        """Write a score as beside a name."""
        return self.standing_text(standing)

    def read_standing(self, data: object) -> Standing:
        """Read what ``standing_text`` writes. Raises ``Refusal`` ``bad_request``."""
        if data == "0":
            return self.first_standing
        digits = data[1:] if isinstance(data, str) and data[:1] in ("+", "=") else ""
        if not (digits.isascii() and digits.isdecimal() and len(digits) < len(str(MOST_POINTS))):
            raise Refusal("bad_request")
        standing = Standing(int(digits), str(data)[0] == "=")
        if self.standing_text(standing) != data:
            raise Refusal("bad_request")
        return standing


def is_void(hand: Sequence[Tile]) -> bool:
    """Return whether a hand voids the deal (``kozel.redeal``)."""
    doubles, showing = 0, [0] * 7
    for high, low in hand:
        showing[high] += 1
        if high == low:
            doubles += 1
        else:
            showing[low] += 1
    return doubles >= VOID_DOUBLES or max(showing) >= VOID_VALUE


def is_fish(line: Line) -> bool:
    """Return whether both ends show one value whose six non-doubles all lie in the line (``kozel.fish``)."""
    value = line.left
    if value is None or value != line.right:
        return False
    return sum(value in placed.tile and placed.tile != (value, value) for placed in line.tiles) == 6


def award_of(state: State, ending: Ending, pot: int) -> Award:
    """Return the result of the round in numbers; ``pot`` is what was in the pot before it."""
    worth = list(map(hand_points, state.hands))
    top = worth.index(max(worth)) if worth.count(max(worth)) == 1 else None
    if ending.reason == "fish_drawn":
        return Award([0] * len(worth), [""] * len(worth), pot + sum(worth), None)
    if ending.reason == "fish" and state.option("fish") == "one":
        points = [sum(worth) + pot if seat == top else 0 for seat in range(len(worth))]
        reset = [
            "kozel.fish_one" if seat != top and forgets(before) else "" for seat, before in enumerate(state.standing)
        ]
        return Award(points, reset, 0, top)
    if top is not None:
        worth[top] += pot
    reset = [""] * len(worth)
    if ending.reason == "out" and forgets(state.standing[ending.seat]):
        reset[ending.seat] = "kozel.out_resets"
    return Award(worth, reset, pot if top is None else 0, top)


def standing_of(state: State, award: Award) -> tuple[Standing, ...]:
    """Return the standing that a result leaves."""
    rows = zip(state.standing, award.points, award.reset, strict=True)
    return tuple([RULES.first_standing if rule else remembered(before, points) for before, points, rule in rows])


def points_of(state: State, ending: Ending, top: int | None, pot: int) -> list[Points]:
    """Return the points of each seat with their terms; the pot goes to ``top`` (``kozel.pot``)."""
    if ending.reason == "fish_drawn":
        texts = [f"{hand_text(hand)} = {hand_points(hand)}" for hand in state.hands]
        return [Points.of(Term("kozel.fish_drawn", text, 0)) for text in texts]
    points = [Points.of(hand_term(hand)) for hand in state.hands]
    if ending.reason == "fish" and state.option("fish") == "one" and top is not None:
        points = [Points.of(Term("kozel.fish_one", "", 0))] * state.setup.seats
        points[top] = Points.of(*(Term("kozel.fish_one", hand_text(hand), hand_points(hand)) for hand in state.hands))
    if pot and top is not None:
        points[top] = Points.of(*points[top].terms, Term("kozel.pot", f"+{pot}", pot))
    return points


def hand_term(hand: Sequence[Tile]) -> Term:
    """Return the term of a seat's own hand, if it still has one."""
    return Term("kozel.hand_points", hand_text(hand), hand_points(hand)) if hand else Term("kozel.out", "", 0)


def forgets(standing: Standing) -> bool:
    """Return whether there are remembered points to lose."""
    return not standing.opened and standing.points > 0


RULES = Kozel()
