"""What drawing costs, how many draws are left, what may be led, and which round is the last, as the table says it."""

from __future__ import annotations

from dataclasses import replace

from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.rendering.frame import own_zones, shared_zones
from tests.engine.positions import in_round, move, position
from tests.games.rendering.positions import table_of, texts

TRIOMINOES = rules_for("triominoes")
RYTMINO = rules_for("rytmino")
LEAD = "U(0,0)=4/4/5"
FITS, FITS_NOT = "3-4-5", "0-1-2"


def shown(state: State, zone: str, seat: int | None = 0) -> str:
    """Return what a zone says to a seat."""
    rules = rules_for(state.setup.variant)
    table = table_of(state.setup.seats, variant=state.setup.variant, options=state.setup.options)
    view = view_for(rules, state, seat)
    zones = shared_zones(table, view, "en").markup | own_zones(table, view, seat, "en").markup
    return texts(zones[zone])


def holding(hand: str, *, pool: str = "0-0-0 0-0-1 0-0-2 0-0-3", drawn: int = 0) -> State:
    """Return the position in which Masha holds these tiles, after so many draws in this turn."""
    state = position(TRIOMINOES, hands=[hand, "1-1-1 1-1-2"], laid=LEAD, boneyard=pool)
    return move(TRIOMINOES, state, *["draw"] * drawn)


def test_a_draw_says_what_it_costs_and_how_many_are_left() -> None:
    said = shown(holding(FITS), "hand")
    assert "Your turn: place a tile or draw one. Draw a tile −5 points, 3 draws left" in said
    assert "1 draw left" in shown(holding(FITS, drawn=2), "hand")


def test_an_almost_empty_pool_leaves_fewer_draws() -> None:
    assert "1 draw left" in shown(holding(FITS, pool="0-0-0"), "hand")


def test_who_can_place_nothing_is_told_to_draw_and_why() -> None:
    assert "Nothing fits: draw a tile. Why?" in shown(holding(FITS_NOT), "hand")


def test_after_three_draws_ending_the_turn_has_its_price() -> None:
    said = shown(holding(FITS, drawn=3), "hand")
    assert "Place a tile or end your turn. End your turn −10 points" in said
    assert "Three draws, and nothing fits." in shown(holding(FITS_NOT, drawn=3), "hand")


def test_with_an_empty_pool_ending_the_turn_is_free() -> None:
    said = shown(holding(FITS_NOT, pool=""), "hand")
    assert "Nothing fits, and the pool is empty. Why? End your turn" in said
    assert "points" not in said
    assert "left" not in said


def test_the_rule_behind_a_turn_that_ends_is_the_one_that_prices_it() -> None:
    table = table_of(2, variant="triominoes", options=())
    for state, rule in ((holding(FITS_NOT, drawn=3), "turn"), (holding(FITS_NOT, pool=""), "empty_pool")):
        hand = own_zones(table, view_for(TRIOMINOES, state, 0), 0, "en").markup["hand"]
        assert f'href="/rules/triominoes/#triominoes.{rule}"' in hand


def test_who_watches_or_waits_sees_no_draws() -> None:
    assert "left" not in shown(holding(FITS), "hand", 1)
    assert "left" not in shown(holding(FITS), "hand", None)


def leading() -> State:
    """Return the position before the lead of who holds 5-5-5 and 0-0-0."""
    state = position(TRIOMINOES, hands=["0-0-0 1-2-3 5-5-5", "1-1-1 1-1-2"], boneyard="0-0-1")
    return replace(state, must_lead=((5, 5, 5), (0, 0, 0)), lead_rule="triominoes.start")


def test_a_choice_of_leads_names_the_tiles() -> None:
    assert "You must lead with 5-5-5 or 0-0-0: Why?" in shown(leading(), "hand")


def test_the_triple_that_must_be_shown_is_named_to_everybody() -> None:
    state = move(TRIOMINOES, leading(), "U(0,0)=0/0/0")
    assert "Masha led 0-0-0 and showed 5-5-5. +40 points" in shown(state, "status", 1)


def test_the_last_round_is_called_as_soon_as_it_is_known() -> None:
    assert "Final round" not in shown(holding(FITS), "status")
    assert "Round 2 Final round" in shown(in_round(holding(FITS), peak=400), "status")


def test_deals_agreed_beforehand_are_counted() -> None:
    options = {"deals": "per_player"}
    state = position(RYTMINO, hands=["5-2", "2-2"], start="H(0,0)=2-4 H(0,1)=3-1", options=options)
    assert "Deal 2 of 2" in shown(state, "status")
    single = replace(state.setup, options=(("deals", "1"), ("leftover", "none")))
    assert "Deal 1 " in shown(replace(in_round(state, number=1), setup=single), "status")


def test_a_tile_set_aside_is_told_by_number_only() -> None:
    state = position(RYTMINO, hands=["5-2", "2-2", "3-3"], start="H(0,0)=2-4 H(0,1)=3-1")
    assert "Set aside" not in shown(state, "status")
    assert "Set aside 1 1 tile" in shown(replace(state, aside=((5, 4),)), "status")
