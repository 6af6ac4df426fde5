"""The texts about draws, leads, the last round and tiles set aside."""

from __future__ import annotations

from dataclasses import replace

from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.positions import in_round, move, position
from tests.games.rendering.positions import texts, zones

TRIOMINOES = rules_for("triominoes")
RYTMINO = rules_for("rytmino")
LEAD = "U(0,0)=4/4/5"
FITS, FITS_NOT = "3-4-5", "0-1-2"


def zone_text(state: State, zone: str, seat: int | None = 0) -> str:
    return texts(zones(state, seat)[zone])


def holding(hand: str, *, pool: str = "0-0-0 0-0-1 0-0-2 0-0-3", drawn: int = 0) -> State:
    """Return the position in which Masha holds these tiles after a number of draws in this turn."""
    state = position(TRIOMINOES, hands=[hand, "1-1-1 1-1-2"], laid=LEAD, boneyard=pool)
    return move(TRIOMINOES, state, *["draw"] * drawn)


def test_a_draw_says_what_it_costs_and_how_many_are_left() -> None:
    hand = zone_text(holding(FITS), "hand")
    assert "Your turn: place a tile or draw one. Draw a tile −5 points, 3 draws left" in hand
    assert "1 draw left" in zone_text(holding(FITS, drawn=2), "hand")


def test_an_almost_empty_pool_leaves_fewer_draws() -> None:
    assert "1 draw left" in zone_text(holding(FITS, pool="0-0-0"), "hand")


def test_player_without_a_move_is_told_to_draw() -> None:
    assert "No tile fits: draw one. Why?" in zone_text(holding(FITS_NOT), "hand")


def test_after_three_draws_ending_the_turn_has_its_price() -> None:
    hand = zone_text(holding(FITS, drawn=3), "hand")
    assert "Place a tile or end your turn. End your turn −10 points" in hand
    assert "Three draws, and nothing fits." in zone_text(holding(FITS_NOT, drawn=3), "hand")


def test_with_an_empty_pool_ending_the_turn_is_free() -> None:
    hand = zone_text(holding(FITS_NOT, pool=""), "hand")
    assert "Nothing fits, and the pool is empty. Why? End your turn" in hand
    assert "points" not in hand
    assert "left" not in hand


def test_end_of_turn_cites_the_rule_of_its_price() -> None:
    for state, rule in ((holding(FITS_NOT, drawn=3), "turn"), (holding(FITS_NOT, pool=""), "empty_pool")):
        assert f'href="/rules/triominoes/#triominoes.{rule}"' in zones(state, 0)["hand"]


def test_only_the_player_to_move_sees_draws() -> None:
    assert "left" not in zone_text(holding(FITS), "hand", 1)
    assert "left" not in zone_text(holding(FITS), "hand", None)


def leading() -> State:
    """Return the position before the lead of a player with 5-5-5 and 0-0-0."""
    state = position(TRIOMINOES, hands=["0-0-0 1-2-3 5-5-5", "1-1-1 1-1-2"], boneyard="0-0-1")
    return replace(state, must_lead=((5, 5, 5), (0, 0, 0)), lead_rule="triominoes.start")


def test_a_choice_of_leads_names_the_tiles() -> None:
    assert "You must lead with 5-5-5 or 0-0-0: Why?" in zone_text(leading(), "hand")


def test_the_triple_that_must_be_shown_is_named_to_everybody() -> None:
    state = move(TRIOMINOES, leading(), "U(0,0)=0/0/0")
    assert "Masha led 0-0-0 and showed 5-5-5. +40 points" in zone_text(state, "status", 1)


def test_last_round_is_announced() -> None:
    assert "Final round" not in zone_text(holding(FITS), "status")
    assert "Round 2 Final round" in zone_text(in_round(holding(FITS), peak=400), "status")


def test_deals_agreed_beforehand_are_counted() -> None:
    options = {"deals": "per_player"}
    state = position(RYTMINO, hands=["5-2", "2-2"], start="H(0,0)=2-4 H(0,1)=3-1", options=options)
    assert "Deal 2 of 2" in zone_text(state, "status")
    single = replace(state.setup, options=(("deals", "1"), ("leftover", "none")))
    assert "Deal 1 " in zone_text(replace(in_round(state, number=1), setup=single), "status")


def test_a_tile_set_aside_is_told_by_number_only() -> None:
    state = position(RYTMINO, hands=["5-2", "2-2", "3-3"], start="H(0,0)=2-4 H(0,1)=3-1")
    assert "Set aside" not in zone_text(state, "status")
    assert "Set aside 1 1 tile" in zone_text(replace(state, aside=((5, 4),)), "status")
