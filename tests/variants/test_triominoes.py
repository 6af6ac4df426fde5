"""Triominoes, tiles and placing: each rule has a test named for it, here or in test_triominoes_*.py.

T-01 and so on are the examples of the rule file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations

import pytest

from games.engine.events import Played, Term
from games.engine.layout.lattice import (
    Cell,
    Lattice,
    cells_around,
    hexagon_corners,
    neighbours,
    touching_cells,
    vertices,
)
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.refusal import Refusal
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.positions import board, layout_of, legal, move, move_events, position, refused
from tests.variants.triominoes_boards import LEAD, T12, T15, T17, THREE_HEXAGONS

TRIOMINOES = rules_for("triominoes")


def position_with_hand(hand: str, laid: str, opponents: Sequence[str] = ("0-0-1",)) -> State:
    """Return a position with this hand at seat 0, and 0-0-1, so that the round does not end with the hand."""
    return position(TRIOMINOES, hands=[f"{hand} 0-0-1", *opponents], laid=laid, boneyard="0-1-1 0-0-2 0-2-2 0-0-3")


def terms(state: State, text: str) -> list[Term]:
    """Return the terms that make up the score of a placement."""
    (played, *_) = move_events(TRIOMINOES, state, text)
    assert isinstance(played, Played)
    assert played.points.total == sum(term.value for term in played.points.terms)
    return list(played.points.terms)


# Tiles


def test_triominoes_set__fifty_six_tiles_of_the_numbers_0_to_5() -> None:
    assert TRIOMINOES.tile_set == tuple(combinations_with_replacement(range(6), 3))
    assert len(TRIOMINOES.tile_set) == 56


def test_triominoes_set__a_tile_may_be_turned_but_has_no_mirror_image() -> None:
    """T-01."""
    assert TRIOMINOES.tile_names["1-2-0"] == TRIOMINOES.tile_names["2-0-1"] == (0, 1, 2)
    assert "0-2-1" not in TRIOMINOES.tile_names
    assert "0-0-6" not in TRIOMINOES.tile_names


def test_triominoes_set__cells_match_the_table_in_the_rules() -> None:
    i, j = 3, -2
    assert vertices(Cell("U", i, j)) == ((i, j + 1), (i + 1, j), (i, j))
    assert vertices(Cell("D", i, j)) == ((i + 1, j), (i, j + 1), (i + 1, j + 1))
    assert neighbours(Cell("U", i, j)) == (("D", i, j - 1), ("D", i - 1, j), ("D", i, j))
    assert neighbours(Cell("D", i, j)) == (("U", i, j + 1), ("U", i + 1, j), ("U", i, j))
    assert cells_around((i, j)) == (
        *(("U", i, j), ("D", i - 1, j), ("U", i - 1, j), ("D", i - 1, j - 1), ("U", i, j - 1), ("D", i, j - 1)),
    )


def test_triominoes_set__neighbours_share_an_edge_and_the_cells_round_a_vertex_touch_it() -> None:
    for cell in (Cell("U", 0, 0), Cell("D", 4, -7)):
        for corner, other in enumerate(neighbours(cell)):
            shared = set(vertices(cell)) & set(vertices(other))
            assert shared == set(vertices(cell)) - {vertices(cell)[corner]}
            assert cell in neighbours(other)
        assert len(set(touching_cells(cell))) == 12
        assert all(set(vertices(cell)) & set(vertices(other)) for other in touching_cells(cell))
    cells = cells_around((2, 3))
    assert all((2, 3) in vertices(cell) for cell in cells)
    assert all(one in neighbours(other) for one, other in zip(cells, cells[1:] + cells[:1], strict=True))
    assert set(hexagon_corners((2, 3))) == {vertex for cell in cells for vertex in vertices(cell)} - {(2, 3)}


# Placing


def test_triominoes_edge__a_tile_shares_a_whole_edge() -> None:
    """T-10: U(1,0) touches U(0,0) in one point only."""
    state = position_with_hand("4-4-4 3-4-5", LEAD)
    assert refused(TRIOMINOES, state, "U(1,0)=4/4/4") == ("illegal_move", "triominoes.edge")
    assert refused(TRIOMINOES, state, "U(9,9)=4/4/4") == ("illegal_move", "triominoes.edge")
    assert "D(0,0)=4/4/4" in legal(TRIOMINOES, state)


def test_triominoes_edge__tile_needs_an_empty_cell() -> None:
    state = position_with_hand("4-4-5", LEAD)
    assert refused(TRIOMINOES, state, "U(0,0)=4/4/5") == ("illegal_move", "triominoes.edge")


def test_triominoes_corners__a_corner_shows_the_number_that_lies_there() -> None:
    """T-09."""
    state = position_with_hand("4-5-5", LEAD)
    assert refused(TRIOMINOES, state, "D(0,0)=4/5/5") == ("illegal_move", "triominoes.corners")


def test_triominoes_corners__corner_opposite_the_edge_must_match() -> None:
    """T-13: the top of U(0,0) is a corner of U(0,1) and shows 0."""
    state = position_with_hand("1-2-3", T12)
    assert refused(TRIOMINOES, state, "U(0,0)=3/1/2") == ("illegal_move", "triominoes.corners")


def test_triominoes_rotation__a_mirror_image_is_no_tile() -> None:
    """T-08: left 5 and right 4 would fit, but 3, 5, 4 clockwise is not a rotation of 3-4-5."""
    state = position_with_hand("3-4-5", LEAD)
    assert refused(TRIOMINOES, state, "D(0,-1)=3/5/4") == ("illegal_move", "triominoes.rotation")


def test_triominoes_rotation__a_tile_is_offered_in_every_rotation_that_fits() -> None:
    state = position_with_hand("4-4-5", "U(0,0)=4/4/4")
    fitting = [text for text in legal(TRIOMINOES, state) if "5" in text]
    assert fitting == ["D(-1,0)=4/5/4", "D(0,-1)=5/4/4", "D(0,0)=4/4/5"]
    with pytest.raises(Refusal) as caught:
        TRIOMINOES.parse_move(state, "D(0,0)=4/4/6")
    assert caught.value.code == "bad_move"


# Points


def test_triominoes_value__the_sum_of_the_three_numbers() -> None:
    """T-07."""
    assert terms(position_with_hand("3-4-5", LEAD), "D(-1,0)=5/3/4") == [Term("triominoes.value", "3-4-5", 12)]


def test_triominoes_value__two_edges_without_a_hexagon_bring_no_bonus() -> None:
    """T-15 with a gap: U(0,-1) is empty."""
    state = position_with_hand("4-5-5", T15.replace(" U(0,-1)=5/5/1", ""))
    assert terms(state, "U(0,0)=4/5/5") == [Term("triominoes.value", "4-5-5", 14)]


def test_triominoes_hexagon__fifty_for_one() -> None:
    """T-15."""
    assert terms(position_with_hand("4-5-5", T15), "U(0,0)=4/5/5") == [
        Term("triominoes.value", "4-5-5", 14),
        Term("triominoes.hexagon", "+50", 50),
    ]


def test_triominoes_hexagon__sixty_for_two() -> None:
    """T-17."""
    state = position_with_hand("0-3-5", T17)
    assert [term.value for term in terms(state, "D(0,0)=0/3/5")] == [8, 60]
    assert layout_of(state, Lattice).hexagons(Cell("D", 0, 0)) == ((1, 0), (1, 1))


def test_triominoes_hexagon__seventy_for_three() -> None:
    assert [term.value for term in terms(position_with_hand("0-3-4", THREE_HEXAGONS), "U(0,0)=3/4/0")] == [7, 70]


def test_triominoes_hexagon__not_before_the_sixth_cell() -> None:
    laid = T15.replace(" D(-1,0)=5/2/4", "")
    assert [term.value for term in terms(position_with_hand("4-5-5", laid), "U(0,0)=4/5/5")] == [14]


def test_triominoes_bridge__forty_for_an_edge_and_the_opposite_point() -> None:
    """T-12."""
    state = position_with_hand("0-1-2", T12)
    assert terms(state, "U(0,0)=0/1/2") == [
        Term("triominoes.value", "0-1-2", 3),
        Term("triominoes.bridge", "+40", 40),
    ]
    assert layout_of(state, Lattice).bridge(Cell("U", 0, 0)) == (0, 1)


def test_triominoes_bridge__needs_the_opposite_point() -> None:
    laid = T12.replace(" U(0,1)=0/5/0", "").replace(" D(0,1)=5/0/1", "")
    state = position_with_hand("0-1-2", laid)
    assert [term.value for term in terms(state, "U(0,0)=0/1/2")] == [3]
    assert layout_of(state, Lattice).bridge(Cell("U", 0, 0)) is None


def test_triominoes_bridge__end_of_the_shared_edge_is_not_enough() -> None:
    """D(-1,0) shares an edge with the lead and touches nothing opposite that edge."""
    assert [term.value for term in terms(position_with_hand("3-4-5", LEAD), "D(-1,0)=5/3/4")] == [12]


def test_triominoes_bridge__two_edges_are_not_a_bridge() -> None:
    state = position_with_hand("4-5-5", T15.replace(" U(0,-1)=5/5/1", ""))
    assert all(vertex in layout_of(state, Lattice).values for vertex in vertices(Cell("U", 0, 0)))
    assert layout_of(state, Lattice).bridge(Cell("U", 0, 0)) is None


def test_triominoes_bridge__never_closes_a_hexagon() -> None:
    """A hexagon needs two edges, a bridge has one."""
    for laid, way, i, j in ((T12, "U", 0, 0), (T15, "U", 0, 0), (T17, "D", 0, 0), (THREE_HEXAGONS, "U", 0, 0)):
        lattice = board(TRIOMINOES.layout, laid)
        assert (lattice.bridge(Cell(way, i, j)) is None) == bool(lattice.hexagons(Cell(way, i, j)))


# Text


def test_triominoes__moves_are_written_as_the_protocol_says() -> None:
    state = position_with_hand("3-4-5", LEAD)
    play = Play((3, 4, 5), "D(-1,0)=5/3/4")
    written: dict[str, Move] = {"draw": Draw(), "pass": Pass(), "D(-1,0)=5/3/4": play}
    for text, expected in written.items():
        assert TRIOMINOES.move_text(expected) == text
        assert TRIOMINOES.parse_move(state, text) == expected


def test_triominoes__malformed_moves_are_rejected() -> None:
    for text in [
        "", "3-4-5", "3-4-5 left", "D(-1,0)", "D(-1,0)=5/3", "D(-1,0)=5/3/4/1", "d(-1,0)=5/3/4", "D(-1,0)=5-3-4",
        "D(-01,0)=5/3/4", "D(-0,0)=5/3/4", "D(+1,0)=5/3/4", "D(1.0,0)=5/3/4", "D(-1, 0)=5/3/4", "D(-1,0)=5/3/4 ",
        "D(9999999,0)=5/3/4", "D(\u0661,0)=5/3/4", "D(-1,0)=5/3/6", "D(-1,0)=\u0665/3/4", "draw 2", "Draw",
    ]:  # fmt: skip
        with pytest.raises(Refusal) as caught:
            TRIOMINOES.parse_move(position_with_hand("3-4-5", LEAD), text)
        assert caught.value.code == "bad_move"


def test_triominoes__every_order_of_the_corners_can_be_read() -> None:
    state = position_with_hand("3-4-5", LEAD)
    for corners in permutations("345"):
        text = f"D(-1,0)={'/'.join(corners)}"
        assert TRIOMINOES.parse_move(state, text) == Play((3, 4, 5), text)


def test_triominoes__a_tile_not_in_the_hand_is_refused_at_any_place() -> None:
    state = position_with_hand("3-4-5", LEAD, opponents=("1-1-4", "2-4-5"))
    for text in ("D(-1,0)=5/2/4", "D(0,-1)=2/4/5", "U(7,7)=1/1/4"):
        assert refused(TRIOMINOES, state, text) == ("illegal_move", "triominoes.turn")


def test_triominoes__lattices_with_the_same_tiles_are_equal() -> None:
    one, same = board(TRIOMINOES.layout, T12), board(TRIOMINOES.layout, T12)
    assert one == same
    assert hash(one) == hash(same)
    assert one != board(TRIOMINOES.layout, T15)
    assert layout_of(move(TRIOMINOES, position_with_hand("0-1-2", T12), "U(0,0)=0/1/2"), Lattice).values[0, 1] == 0
