"""The table of Triominoes: triangles, previews of placements with their figures and points, and words."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings

from games.engine.events import Points
from games.engine.layout.lattice import Lattice, rotations
from games.engine.moves import Play
from games.engine.state import Round, State
from games.engine.variants import rules_for
from games.examples.triominoes import BRIDGE_GAP, HEXAGON_GAP, TWO_HEXAGONS_GAP
from games.examples.triominoes import LEAD_PLACEMENT as PLAIN
from games.geometry.lattice import arrange
from games.html import Html, escape
from games.rendering.layouts.lattice import LatticeDrawing
from games.rendering.page import page_context
from games.rendering.sprites import sprite_sheet
from games.words.lookup import words_for
from tests.engine.positions import board as table
from tests.engine.positions import in_round, position
from tests.games.geometry.test_lattice import lattices
from tests.games.rendering.positions import frame_of, seen, table_at, texts, zones

RULES = rules_for("triominoes")
WORDS = words_for("triominoes", "en")


def marked(laid: str, place: str) -> str:
    """Return the mark of a placement on a table with these tiles."""
    layout, placement = table(Lattice(), laid), Lattice().read(place)
    assert placement is not None
    move = next(move for move in RULES.plays(holding(laid, placement[0])) if move.place == place)
    return LatticeDrawing(layout).place_mark(move, RULES.play_points(Round(layout), move), escape(place))


def holding(laid: str, *tiles: tuple[int, ...]) -> State:
    hand = " ".join("-".join(map(str, tile)) for tile in tiles)
    return position(RULES, hands=[hand, "3-3-4"], laid=laid, boneyard="0-3-3 0-4-4")


def outlines(mark: str) -> list[set[tuple[int, int]]]:
    """Return the corners of all outlines of a mark."""
    paths = re.findall(r'<path class="built" d="M(.*?)z"/>', mark)
    return [{(int(x), int(y)) for x, y in (corner.split() for corner in path.split("L"))} for path in paths]


def hexagon(x: int, y: int) -> set[tuple[int, int]]:
    """Return the corners of a hexagon around a vertex, with sides of 30 and rows 26 high."""
    return {(x + 30, y), (x + 15, y - 26), (x - 15, y - 26), (x - 30, y), (x - 15, y + 26), (x + 15, y + 26)}


class TestWhatATileWouldBuild:
    def test_a_bridge_is_outlined_with_a_ring_at_the_corner_it_reaches(self) -> None:  # T-12
        mark = marked(BRIDGE_GAP, "U(0,0)=0/1/2")
        assert outlines(mark) == [{(15, -26), (30, 0), (0, 0)}]
        assert '<circle class="built" cx="15" cy="-26"' in mark

    def test_a_hexagon_is_outlined_round_its_middle(self) -> None:  # T-15: round the left corner of U(0,0)
        assert outlines(marked(HEXAGON_GAP, "U(0,0)=4/5/5")) == [hexagon(0, 0)]

    def test_two_hexagons_have_two_outlines(self) -> None:  # T-17: round the left and the right corner of D(0,0)
        built = outlines(marked(TWO_HEXAGONS_GAP, "D(0,0)=0/3/5"))
        assert len(built) == 2
        assert hexagon(30, 0) in built
        assert hexagon(45, -26) in built

    def test_a_plain_placement_has_no_outline(self) -> None:  # T-07
        assert "built" not in marked(PLAIN, "D(-1,0)=5/3/4")

    @pytest.mark.parametrize(
        ("laid", "place", "points"),
        [
            (PLAIN, "D(-1,0)=5/3/4", 12),
            (BRIDGE_GAP, "U(0,0)=0/1/2", 43),
            (HEXAGON_GAP, "U(0,0)=4/5/5", 64),
            (TWO_HEXAGONS_GAP, "D(0,0)=0/3/5", 68),
        ],
    )
    def test_the_cell_shows_its_points_and_the_tile_in_it(self, laid: str, place: str, points: int) -> None:
        mark = marked(laid, place)
        assert f">+{points}</text>" in mark
        way, numbers = place[0].lower(), place[-5:].replace("/", "")
        assert f'<g class="look"><use href="#{way}{numbers}"' in mark

    @settings(max_examples=10)
    @given(lattices())
    def test_the_points_of_a_cell_at_the_edge_are_not_cut_off(self, layout: Lattice) -> None:
        min_x, top, wide, high = arrange(layout).window
        laid = {placed.tile for placed in layout.tiles}
        for tile in [tile for tile in RULES.tile_set if tile not in laid and layout.tiles][:8]:
            for place in layout.places(tile):
                mark = LatticeDrawing(layout).place_mark(Play(tile, place), Points(12), Html(""))
                text = re.search(
                    r'font-size="(.*?)".*class="gain" x="(.*?)" y="(.*?)"', LatticeDrawing(layout).font_size() + mark
                )
                assert text is not None
                size, x, line = map(float, text.groups())
                assert min_x <= x <= min_x + wide
                assert top <= line - size + 0.1
                assert line <= top + high


class TestButtons:
    def test_place_name_has_neighbour_figure_and_points(self) -> None:
        assert buttons(BRIDGE_GAP, "0-1-2") == ["Above 1-2-2, joining 1 and 2, bridge, 3 + 40 = 43 points"]

    def test_a_place_between_tiles_names_them_all(self) -> None:
        name = "Below 3-5-5 and beside 0-5-5 and beside 0-2-3, two hexagons, 8 + 60 = 68 points"
        assert name in buttons(TWO_HEXAGONS_GAP, "0-3-5")

    def test_a_lead_lies_in_the_middle(self) -> None:
        assert LatticeDrawing(Lattice()).place_name("U(0,0)=5/5/5", WORDS) == "In the middle"

    def test_plain_place_has_only_its_points(self) -> None:
        assert "Left of 4-4-5, joining 5 and 4, 12 points" in buttons(PLAIN, "3-4-5")

    def test_tile_with_one_place_still_asks_for_it(self) -> None:
        html = zones(holding(BRIDGE_GAP, (0, 1, 2)), 0)["hand"]
        assert 'id="h012" class="fits" form="choose" name="tile" value="0-1-2"' in html

    @settings(max_examples=10)
    @given(lattices())
    def test_places_of_a_tile_have_unique_names(self, layout: Lattice) -> None:
        laid = {placed.tile for placed in layout.tiles}
        for tile in [tile for tile in RULES.tile_set if tile not in laid and layout.tiles][:8]:
            names = [LatticeDrawing(layout).place_name(place, WORDS) for place in layout.places(tile)]
            assert len(names) == len(set(names))


def buttons(laid: str, tile: str) -> list[str]:
    """Return the names of the places of the chosen tile."""
    html = zones(holding(laid, RULES.tile_names[tile]), 0, chosen=tile)["hand"]
    return [texts(button) for button in re.findall(r"<button class=\"button act\".*?</button>", html)]


def hint(hand: str) -> str:
    """Return the sentence over the places of the chosen tile."""
    return "".join(re.findall(r'<span class="try" aria-hidden="true">(.*?)</span>', hand))


class TestWords:
    def test_empty_table_has_a_description(self) -> None:
        assert LatticeDrawing(Lattice()).description(WORDS) == "There are no tiles on the table yet."

    def test_tiles_are_described_row_by_row_with_gaps(self) -> None:
        text = LatticeDrawing(table(Lattice(), TWO_HEXAGONS_GAP)).description(WORDS)
        assert "Row 1: 3-5-5, 1-5-5, 1-2-5. Row 2: 0-2-3, gap, 0-5-5, 2-5-5. Row 3: 0-0-2, 0-0-0, 0-0-5." in text

    def test_open_edges_are_described_clockwise(self) -> None:
        # U(0,0)=4/4/5 is read 4 (top), 4 (right), 5 (left). Clockwise in the cell below: 5 left, 4 right; in the left
        # one: 4 above, 5 below; in the right one: 4 and 4.
        text = LatticeDrawing(table(Lattice(), PLAIN)).description(WORDS)
        assert "Open edges, numbers clockwise: 4-4, 4-5, 5-4." in text

    def test_cell_between_tiles_is_described_with_all_numbers(self) -> None:
        text = LatticeDrawing(table(Lattice(), TWO_HEXAGONS_GAP)).description(WORDS)
        assert "Free places between tiles, numbers clockwise: 0-3-5." in text


class TestDrawings:
    def test_there_is_a_drawing_of_every_tile_in_every_turn_and_both_ways(self) -> None:
        drawn = set(re.findall(r'<g id="([ud]\d{3})">', sprite_sheet("triominoes")))
        turns = {"".join(map(str, turned)) for tile in RULES.tile_set for turned in rotations(tile)}
        assert drawn == {way + turned for way in "ud" for turned in turns}
        assert len(drawn) == 312

    def test_numbers_stand_at_their_corners_clockwise(self) -> None:
        sprites = re.sub(r'<tspan class="p(\d)">\1</tspan>', r"\1", sprite_sheet("triominoes"))
        for name, tips in (("u", ((0, -13), (15, 13), (-15, 13))), ("d", ((0, 13), (-15, -13), (15, -13)))):
            text = re.search(
                rf'<g id="{name}012"><use href="#{name}"/><text class="number" x="(.*?)" y="(.*?)">012<', sprites
            )
            assert text is not None
            xs, ys = (list(map(float, text[at].split())) for at in (1, 2))
            for x, y, (tip_x, tip_y) in zip(xs, ys, tips, strict=True):
                nearest = min(tips, key=lambda tip: (tip[0] - x) ** 2 + (tip[1] - (y - 3.5)) ** 2)
                assert nearest == (tip_x, tip_y)

    def test_only_the_tile_laid_last_is_marked_and_tiles_are_moved_by_x_and_y(self) -> None:
        state = position(RULES, hands=["3-4-5 0-0-0", "3-3-4"], laid=PLAIN)
        html = zones(state)["board"]
        assert re.findall(r'<use href="#(\w+)" x="15" y="-13"/><g id="t1" data-by="(.*?)"', html) == [("u445", "0")]
        assert html.count("data-by") == 1

    @settings(max_examples=10)
    @given(lattices())
    def test_every_tile_on_the_table_has_its_drawing(self, layout: Lattice) -> None:
        sprites = sprite_sheet("triominoes")
        for laid in arrange(layout).tiles:
            html = LatticeDrawing(layout).tile(laid)
            assert f'id="{re.findall("#([a-z0-9]+)", html)[0]}"' in sprites

    def test_only_fitting_cells_are_highlighted(self) -> None:
        state = holding(PLAIN, (4, 5, 5), (4, 4, 4))
        only = zones(state, 0, chosen="4-4-4")
        assert re.findall(r'data-move="(.*?)"', only["spots"]) == ["D(0,0)=4/4/4"]
        assert hint(only["hand"]) == "It fits only here"
        assert hint(zones(state, 0, chosen="4-5-5")["hand"]) == "Choose a gold spot for a preview"
        assert "data-move" not in zones(state, 0)["spots"]

    def test_ids_in_drawings_are_unique(self) -> None:
        ids = re.findall(r' id="(.*?)"', sprite_sheet("triominoes"))
        assert len(ids) == len(set(ids))

    def test_ids_in_a_page_with_a_chosen_tile_are_unique(self) -> None:
        state = holding(TWO_HEXAGONS_GAP, (0, 3, 5), (1, 2, 4))
        page = page_context(table_at(state), seen(state, 0), seat=0, language="en", chosen="0-3-5")
        ids = re.findall(r' id="(.*?)"', "".join(map(str, page["zones"].values())) + str(page["sprites"]))
        assert "choice" in ids
        assert len(ids) == len(set(ids))


def crowded() -> Lattice:
    """Return a random layout of nearly all tiles."""
    random, layout, rest = Random(7), Lattice(), list(RULES.tile_set)
    while options := [(tile, layout.places(tile)) for tile in rest if layout.places(tile)]:
        tile, places = random.choice(options)
        layout = layout.place(tile, random.choice(places))
        rest.remove(tile)
    return layout


def test_a_frame_of_a_crowded_table_is_smaller_than_8_kb() -> None:
    layout = crowded()
    assert len(layout.tiles) > 50
    state = in_round(holding(PLAIN, (0, 0, 1), (0, 1, 2)), layout=layout)
    assert len(frame_of(table_at(state), seen(state, 0)).full_update.encode()) < 8000
