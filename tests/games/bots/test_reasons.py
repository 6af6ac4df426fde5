"""What speaks for a bot's move: what everybody sees, and nothing of a hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.bots.reasons import Reason, reasons_for_play
from games.engine.decide import decide
from games.engine.evolve import evolve
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.match import record
from games.models import Match
from games.words import offered_variants
from tests.engine.positions import somewhere
from tests.games import tables

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


def test_heavy_tiles_are_played_early_if_remaining_pips_count() -> None:
    """Of 12 pips at most, 9 are heavy. After a double six of the other 27 tiles fit, after others twelve."""
    hands = ((6, 5), (5, 5), (4, 4), (2, 1)), ((6, 3), (1, 0), (5, 1), (3, 1))
    assert told(after(dealt(*hands), "6-5")) == [Reason("pips", 11)]
    assert told(after(dealt(*hands), "5-5")) == [Reason("few", 6), Reason("pips", 10), Reason("double")]
    assert told(after(dealt(*hands), "4-4")) == [Reason("few", 6), Reason("double")]
    assert told(after(dealt(*hands), "2-1")) == []


def test_reason_names_players_who_passed_on_the_open_value() -> None:
    """Ben passed on 2 and 1, so he has neither; 1-1 leaves 2 and 1 open."""
    hands = ((2, 1), (1, 1), (3, 0)), ((6, 3), (5, 3), (4, 3))
    led = after(dealt(*hands), "2-1")
    assert told(led) == []
    again = after(led, "pass", "1-1 right")
    assert told(again) == [Reason("stuck", 1), Reason("double")]


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
