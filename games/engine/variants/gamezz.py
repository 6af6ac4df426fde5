"""Classic goat by the GAMEZZ rules: a line game. Tiles left in hand add their pips to the score; 101 points lose."""

from __future__ import annotations

from games.engine.ending import Ending, no_remaining_tile_fits, round_end_event
from games.engine.events import MatchEnded, Points, RoundEnded, Standing, Term
from games.engine.layout.line import Line
from games.engine.leads import Lead, first_lead, lead_order
from games.engine.options import LENGTH_OPTION, is_one_round, is_quick
from games.engine.rules import Deal, Lot, RulesOf
from games.engine.state import State
from games.engine.tiles import double_set, hand_text, pips

HAND_SIZE = 7
LOSING_POINTS = 101  # points that lose the match
QUICK_LOSING_POINTS = 51

TILES = double_set(6)
LEAD_ORDER = lead_order(TILES, (0, 6, 5, 4, 3, 2, 1))


class Gamezz(RulesOf[Line]):
    # GAMEZZ publishes these rules. Addresses, records and rule ids contain the key, so it stays.
    key = "gamezz"
    name = "Classic goat"
    rules_version = settling_version = 2
    seat_counts = (2, 3, 4)
    options = (LENGTH_OPTION,)
    tile_set = TILES
    layout = Line()
    rules_ids = (
        "gamezz.players",
        "gamezz.deal",
        "gamezz.lead",
        "gamezz.turn",
        "gamezz.draw",
        "gamezz.block",
        "gamezz.score_out",
        "gamezz.score_block",
        "gamezz.end",
        "quick.limit",
        "quick.round",
    )
    refusals = {
        "gamezz.lead": "Every round is led with exactly the tile that the list of leads names, 0-0 before all.",
        "gamezz.turn": "Lay one tile of your hand on an open end that shows one of its values; who can play must.",
        "gamezz.draw": "Nothing in your hand fits: draw while the boneyard has tiles, and pass once it is empty.",
    }
    turn_rule = "gamezz.turn"
    must_play_rule = "gamezz.turn"
    draw_rule = "gamezz.draw"
    pass_rule = "gamezz.draw"
    out_rule = "gamezz.score_out"

    def hand_size(self, state: State) -> int:
        return HAND_SIZE  # gamezz.deal

    def leader(self, state: State, deal: Deal, lot: Lot) -> Lead:
        """The first tile of the list of leads that is in a hand leads (``gamezz.lead``)."""
        return first_lead(LEAD_ORDER, deal.hands, "gamezz.lead")

    def is_over(self, state: State, seat: int) -> bool:
        """The round ends by going out or by a block (``gamezz.score_out``, ``gamezz.block``)."""
        return not state.hands[seat] or no_remaining_tile_fits(state)

    def ended_by(self, state: State, seat: int) -> Ending:
        return Ending("blocked", seat, "gamezz.block") if state.hands[seat] else super().ended_by(state, seat)

    def score_round(self, state: State, ending: Ending) -> RoundEnded:
        """Add the pips of all hands but that of the seat that ended the round (``.score_out``, ``.score_block``)."""
        rule = "gamezz.score_out" if ending.reason == "out" else "gamezz.score_block"
        points = []
        for seat, hand in enumerate(state.hands):
            worth, text = sum(map(pips, hand)), hand_text(hand)
            if seat == ending.seat:
                worth, text = 0, f"{text} = {worth}" if hand else ""
            points.append(Points.of(Term(rule, text, worth)))
        return round_end_event(state, ending, points)

    def standing_after(self, state: State, ending: Ending) -> tuple[Standing, ...]:
        return tuple(
            [
                before if seat == ending.seat else before.plus(sum(map(pips, state.hands[seat])))
                for seat, before in enumerate(state.standing)
            ]
        )

    def target(self, state: State) -> int:
        """Return the points that lose (``gamezz.end``, ``quick.limit``)."""
        return QUICK_LOSING_POINTS if is_quick(state) else LOSING_POINTS

    def match_end_after_round(self, state: State) -> MatchEnded | None:
        """The match ends when a seat reaches the limit (``gamezz.end``, ``quick.limit``)."""
        if is_one_round(state):
            return self.match_end_after_board(state)
        totals = [standing.points for standing in state.standing]
        losers = tuple(seat for seat, total in enumerate(totals) if total >= self.target(state))
        if not losers:
            return None
        rule = "quick.limit" if is_quick(state) else "gamezz.end"
        return MatchEnded("finished", None, rule, self.seat_ranks(state, [-total for total in totals]), losers, ())

    def merit(self, standing: Standing) -> int:
        return -standing.points


RULES = Gamezz()
