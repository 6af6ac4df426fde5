"""Reasons for a bot's move use only the table, which everybody sees, and no hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.decide import decide
from games.engine.evolve import evolve
from games.engine.moves import Play
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.explanations.bot_moves import Reason, reasons_for_play
from games.match import record
from games.models import Match
from games.words import offered_variants
from tests.engine.positions import somewhere
from tests.games import tables
from tests.games.explanations.truths import most_points

KOZEL = rules_for("kozel")


def dealt(*hands: tuple[Tile, ...], to_move: int = 0) -> State:
    """Return a round of Kozel with these hands and no boneyard, in which everything may be led."""
    state = somewhere(KOZEL, "reasons", len(hands), 0)
    state = replace(state, hands=hands, boneyard=(), must_lead=(), lead_rule="")
    return replace(state, round=replace(state.round, to_move=to_move, leader=to_move))


def after(state: State, *moves: str) -> State:
    for move in moves:
        assert state.round.to_move is not None
        for event in decide(KOZEL, state, state.round.to_move, KOZEL.parse_move(state, move)):
            state = evolve(state, event)
    return state


def told(state: State) -> list[Reason]:
    return reasons_for_play(view_for(rules_for(state.setup.variant), state, None), state.round.plays[-1])


def test_the_heaviest_tile_that_fits_is_no_common_tile() -> None:
    """On 6 and 1, no hidden tile is heavier than 6-6. 6-5 is lighter than 6-6, and 6-6 as a lead needs no reason."""
    hands = ((6, 1), (6, 6), (6, 5)), ((1, 0), (5, 1), (3, 1))
    assert told(after(dealt(*hands), "6-1", "1-0 right", "6-6 left")) == [Reason("heaviest", (12,))]
    assert told(after(dealt(*hands), "6-1", "1-0 right", "6-5 left")) == []
    assert told(after(dealt(*hands), "6-6")) == []


def test_reason_names_players_who_passed_on_the_open_value() -> None:
    """Ben passed on 2 and 1, so he has neither; 1-1 leaves 2 and 1 open."""
    hands = ((2, 1), (1, 1), (3, 0)), ((6, 3), (5, 3), (4, 3))
    led = after(dealt(*hands), "2-1")
    assert told(led) == []
    again = after(led, "pass", "1-1 right")
    assert told(again)[0] == Reason("stuck", (1,))


def test_a_number_that_a_player_lacks_is_opened() -> None:
    """Ben passed on 2 and 1. The ends are 0 and 6, until 6-2 opens a 2 again."""
    hands = ((2, 1), (1, 0), (2, 0), (6, 2), (4, 4)), ((6, 3), (5, 0), (6, 5), (4, 3))
    state = after(dealt(*hands), "2-1", "pass", "1-0 right", "5-0 right", "2-0 left", "6-5 right", "6-2 right")
    assert told(state) == [Reason("lacks", (1, 2))]


def test_a_rare_number_is_opened() -> None:
    """6-1 opens a 1. Five other tiles with a 1 are on the table, so only 3-1 is hidden."""
    hands = ((2, 1), (4, 1), (5, 1), (6, 1), (4, 4)), ((1, 1), (5, 4), (1, 0), (6, 0), (3, 3))
    state = after(dealt(*hands), "2-1", "1-1 right", "4-1 right", "5-4 right", "5-1 right", "1-0 right")
    assert told(after(state, "pass", "6-0 right", "6-1 right")) == [Reason("rare", (1, 1))]


@pytest.mark.parametrize("variant", offered_variants())
def test_reasons_do_not_depend_on_hidden_hands(variant: str) -> None:
    """Whatever lies face down may be any of the tiles that nobody has seen."""
    rules = rules_for(variant)
    for moves in range(1, 12):
        state = somewhere(rules, "hidden", 3, moves)
        if not state.round.plays or state.round.over:
            continue
        mixed = [*state.hands[1:], state.hands[0]]
        if len({len(hand) for hand in mixed}) > 1:
            continue
        assert told(replace(state, hands=tuple(mixed))) == told(state)


def reason_holds(state: State, before: State, reason: Reason) -> bool:
    """Return whether a reason for the last move holds in the positions after and before it, all hands known."""
    play, rules = state.round.plays[-1], rules_for(state.setup.variant)
    hidden = [*chain(*state.hands), *state.boneyard, *state.aside]
    fitted = [tile for tile in hidden if before.round.layout.places(tile)]
    fitting = [tile for tile in hidden if state.round.layout.places(tile)]
    earlier = {tile: most_points(rules, before, tile) or 0 for tile in set(fitted)}
    match reason.kind, reason.values:
        case "points" | "hexagon" | "bridge", (points,):
            return play.points.total == points
        case "most", (points,):
            return play.points.total == points > max(earlier.values())
        case "best_place", (points,):
            totals = [
                rules.play_points(before.round, other).total
                for other in before.round.layout.possible_plays([play.tile])
            ]
            return play.points.total == points == max(totals) and totals.count(points) == 1
        case "stuck", (seat,):
            return state.round.to_move == seat and not isinstance(rules.legal_moves(state)[0], Play)
        case "lacks", (seat, number):
            return number in play.tile and not any(number in tile for tile in state.hands[seat])
        case "rare", (count, number):
            return number in play.tile and count == sum(number in tile for tile in hidden)
        case "few", (count, earlier_count):
            return (count, earlier_count) == (len(fitting), len(fitted))
        case "quiet", ():
            return max(earlier.values()) > 0 and all(most_points(rules, state, tile) in (0, None) for tile in hidden)
        case "takes_place", (points,):
            return points == max(earlier.values()) > max(most_points(rules, state, tile) or 0 for tile in hidden)
        case "heaviest", (pips,):
            return sum(play.tile) == pips > max(map(sum, fitted))
    return False


@pytest.mark.parametrize("variant", offered_variants())
def test_reasons_hold_in_the_real_position(variant: str) -> None:
    rules, kinds = rules_for(variant), set()
    for number in range(40):
        seats, moves = 2 + number % 3, 2 + number % 17
        before, state = (somewhere(rules, f"reason {number}", seats, count) for count in (moves, moves + 1))
        if state.round.moves == before.round.moves or state.round.moves[-1].act != "play":
            continue
        for reason in told(state):
            kinds.add(reason.kind)
            assert reason_holds(state, before, reason), (number, reason)
    assert kinds


def said(match: Match, **headers: str) -> str:
    return Client(headers=headers).get(reverse("match-why", args=[match.slug])).text


@pytest.mark.django_db
class TestTheTable:
    def test_a_bot_explains_its_last_tile_on_demand(self, ann: User) -> None:
        match = tables.running_table([ann], bots=1, clock="none")
        assert "No bot has played a tile in this round yet." in said(match)
        while not any(play.seat == 1 for play in record.load_state(match.pk).round.plays):
            tables.make_first_move(match)
        text = said(match)
        assert "<h1>Why did the bot play that?</h1>" in text
        assert "<h1>" not in said(match, hx_request="true")
        client = tables.browser_of(ann)
        assert reverse("match-why", args=[match.slug]) in client.get(reverse("match", args=[match.slug])).text

    def test_rated_match_has_no_explanations(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben], rated=True)
        assert "In rated matches bots explain nothing." in said(match)
        assert "match-why" not in said(match)

    def test_table_without_bots_offers_no_explanations(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        page = Client().get(reverse("match", args=[match.slug])).text
        assert reverse("match-why", args=[match.slug]) not in page
