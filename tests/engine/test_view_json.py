"""A view as JSON: everything that a bot needs, and nothing that the view does not have."""

from __future__ import annotations

import json
from dataclasses import replace
from unittest.mock import ANY

import pytest
from hypothesis import given, settings

from games.bots import choose_move
from games.engine.notation import BadRecord
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.engine.view_json import view_from_data, view_to_data
from tests.engine.matches import Match, matches
from tests.engine.positions import somewhere

KOZEL = rules_for("kozel")


def read_again(view: View) -> View:
    """Return the view as a program reads it from its text."""
    return view_from_data(json.loads(json.dumps(view_to_data(view))))


@settings(max_examples=15, deadline=None)
@given(matches())
def test_view_read_from_json_is_the_same(match: Match) -> None:
    for _before, _event, state in match.steps():
        for viewer in (None, 0, state.setup.seats - 1):
            view = view_for(match.rules, state, viewer)
            again = read_again(view)
            assert view_to_data(again) == view_to_data(view)
            for name in ("layout", "number", "to_move", "leader", "drawn", "passes", "scored", "peak", "over"):
                assert getattr(again.round, name) == getattr(view.round, name), name
            assert replace(again, round=view.round, price=view.price, secret=view.secret) == view


@settings(max_examples=5, deadline=None)
@given(matches())
def test_bot_moves_the_same_from_json(match: Match) -> None:
    for number, state in enumerate(match.running()[:60:6]):
        view = view_for(match.rules, state, state.round.to_move)
        assert choose_move(read_again(view), "casual", number) == choose_move(view, "casual", number)


def test_fields_of_a_position() -> None:
    state = somewhere(KOZEL, 1, 2, 4)
    own, other = state.hands
    data = view_to_data(view_for(KOZEL, state, 0))
    assert data["hands"] == [list(map(tile_text, own)), None]
    assert data["counts"] == [len(own), len(other)]
    assert data["boneyard"] == len(state.boneyard)
    assert [row["move"] for row in data["moves"]] == [
        row.act if row.act != "play" else ANY for row in state.round.moves
    ]
    assert not {tile_text(tile) for tile in other} & set(json.dumps(data["moves"]).split('"'))


@pytest.mark.parametrize("field", ["variant", "seats", "hands", "moves", "standing", "rounds", "legal"])
@pytest.mark.parametrize("content", [None, 7, "x", [7], {"x": 1}])
def test_wrong_data_is_refused(field: str, content: object) -> None:
    state = somewhere(KOZEL, 1, 2, 4)
    data = view_to_data(view_for(KOZEL, state, 0))
    with pytest.raises(BadRecord):
        view_from_data(data | {field: content})
