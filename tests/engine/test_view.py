"""A view contains the viewer's own tiles and all counts, and nothing that depends on hidden tiles."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.decide import leave_match
from games.engine.events import RoundEnded
from games.engine.evolve import evolve
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, tile_text
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from tests.engine.matches import Match, matches
from tests.engine.positions import move, position, tiles

KOZEL = rules_for("kozel")
RANDOM = settings(max_examples=10, deadline=None)


def viewers(state: State) -> list[int | None]:
    return [None, *range(state.setup.seats)]


def hidden(state: State, viewer: int | None) -> list[Tile]:
    """Return the tiles face down for the viewer, in the order they lie."""
    hands = [tile for seat, hand in enumerate(state.hands) for tile in hand if seat != viewer]
    return [*hands, *state.boneyard, *state.aside]


def shuffled_hidden(state: State, viewer: int | None, chance: random.Random) -> State:
    """Return a state that differs only in which hidden tile lies where."""
    pool = hidden(state, viewer)
    chance.shuffle(pool)

    def take(count: int) -> tuple[Tile, ...]:
        hand, pool[:] = tuple(pool[:count]), pool[count:]
        return hand

    hands = tuple(hand if seat == viewer else take(len(hand)) for seat, hand in enumerate(state.hands))
    return replace(state, hands=hands, boneyard=take(len(state.boneyard)), aside=take(len(state.aside)))


@RANDOM
@given(matches(), st.integers(0, 10**6).map(random.Random))
def test_view_does_not_depend_on_hidden_tiles(match: Match, chance: random.Random) -> None:
    for state in match.running():
        for viewer in viewers(state):
            other = shuffled_hidden(state, viewer, chance)
            assert view_for(match.rules, other, viewer) == view_for(match.rules, state, viewer)


def values_in(thing: object) -> list[object]:
    """Return everything inside, dataclasses and tuples opened."""
    if is_dataclass(thing):
        return [value for field in fields(thing) for value in values_in(getattr(thing, field.name))]
    if isinstance(thing, tuple):
        return [thing, *(value for item in thing for value in values_in(item))]
    return [thing]


@RANDOM
@given(matches())
def test_view_contains_no_hidden_tile(match: Match) -> None:
    for state in match.running()[::9]:
        for viewer in viewers(state):
            view = view_for(match.rules, state, viewer)
            # The past is public, and names tiles that may be hidden again; so may the options and the sides' numbers.
            assert (view.rounds, view.setup) == (state.rounds, state.setup)
            inside = values_in(replace(view, rounds=(), setup=replace(view.setup, options=(), sides=())))
            texts = " ".join(value for value in inside if isinstance(value, str))
            visible = set(state.hands[viewer] if viewer is not None else ()) | {
                play.tile for play in state.round.plays
            }
            visible |= {tile for play in state.round.plays for tile in play.shown} | set(laid_at_the_start(state))
            for tile in set(hidden(state, viewer)) - visible:
                assert tile not in inside
                assert tile_text(tile) not in texts


def laid_at_the_start(state: State) -> list[Tile]:
    return [state.round.layout.read(text)[0] for text in state.round.start]


@RANDOM
@given(matches())
def test_hands_are_face_up_when_the_round_is_over(match: Match) -> None:
    for _, event, after in match.steps():
        if isinstance(event, RoundEnded):
            for viewer in viewers(after):
                view = view_for(match.rules, after, viewer)
                assert tuple(seat.hand for seat in view.seats) == after.hands
                assert view.legal == ()


@RANDOM
@given(matches())
def test_only_the_viewer_to_move_gets_legal_moves(match: Match) -> None:
    for state in match.running():
        for viewer in viewers(state):
            view = view_for(match.rules, state, viewer)
            mine = viewer is not None and viewer == state.round.to_move
            assert view.legal == (match.rules.legal_moves(state) if mine else ())


def view_of(viewer: int | None, rules: Rules = KOZEL) -> View:
    state = position(
        rules,
        hands=["6-4 5-0", "1-1", "2-2 3-3 4-4"],
        laid="6-3 3-5",
        boneyard="0-0 5-5",
        standing=["+19", "=20", "0"],
    )
    return view_for(rules, state, viewer)


def test_a_seat_sees_its_own_hand_and_the_others_counts() -> None:
    view = view_of(0)
    assert [seat.hand for seat in view.seats] == [tiles("6-4 5-0"), None, None]
    assert [seat.count for seat in view.seats] == [2, 1, 3]
    assert [seat.score for seat in view.seats] == ["+19", "=20", "0"]
    assert view.boneyard_size == 2
    assert [KOZEL.move_text(move) for move in view.legal] == ["6-4 left", "5-0 right"]


def test_a_spectator_sees_no_hand() -> None:
    view = view_of(None)
    assert [seat.hand for seat in view.seats] == [None, None, None]
    assert view.legal == ()
    assert (view.round.to_move, view.viewer) == (0, None)


def test_only_the_leader_sees_the_rule_of_a_forced_lead() -> None:
    state = replace(position(KOZEL, hands=["3-3 6-4", "1-0"]), must_lead=tiles("3-3"), lead_rule="kozel.lead_first")
    assert view_for(KOZEL, state, 0).lead_rule == "kozel.lead_first"
    assert view_for(KOZEL, state, 1).lead_rule == ""
    assert view_for(KOZEL, state, None).lead_rule == ""
    assert [KOZEL.move_text(move) for move in view_for(KOZEL, state, 0).legal] == ["3-3"]


def test_drawn_tile_is_not_in_the_list_of_moves() -> None:
    state = position(KOZEL, hands=["1-0", "5-4 0-0"], laid="6-3 3-5", boneyard="2-2")
    view = view_for(KOZEL, move(KOZEL, state, "draw", "pass"), 1)
    assert [(move.seat, move.act) for move in view.round.moves] == [(0, "draw"), (0, "pass")]
    assert (2, 2) not in values_in(view)


def test_hands_are_face_up_when_the_match_is_stopped() -> None:
    """Its secret is published then, so nothing is hidden any more."""
    state = position(KOZEL, hands=["6-4 5-0", "1-1"], laid="6-3 3-5")
    (event,) = leave_match(KOZEL, state, 1, "timeout")
    view = view_for(KOZEL, evolve(state, event), None)
    assert [seat.hand for seat in view.seats] == [tiles("6-4 5-0"), tiles("1-1")]
    assert (view.round.over, view.match_over, view.round.to_move) == (None, event, None)
