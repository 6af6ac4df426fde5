"""The table of Rytmino: previews of placements, hints, and both in words."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from games.engine.layout.grid import Grid
from games.engine.layout.slots import cells_of, parse_place
from games.engine.moves import Play
from games.engine.state import Round
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.geometry.grid import cell_corner
from games.geometry.spots import HALF
from games.html import escape
from games.rendering.board import board_html as drawn_board
from games.rendering.board import hint_layer, spots_html
from games.rendering.frame import NO_HINTS
from games.rendering.hand import chosen_places, hand_zone
from games.rendering.layouts.grid import GridDrawing
from games.rendering.sprites import sprite_sheet
from games.rendering.status import status_zone
from games.rendering.zones import zone_html
from games.words.lookup import words_for
from tests.engine.positions import board, position, somewhere
from tests.games.geometry.test_grid import FEW, R_16, grids
from tests.games.rendering.positions import table_of, texts

RULES = rules_for("rytmino")
WORDS = words_for("rytmino", "en")
P0 = "H(0,0)=2-4 H(0,1)=3-1"  # the starting pair of


def place_mark(laid: str, place: str, *, again: bool = False) -> str:
    layout = board(Grid(), laid)
    placement = layout.read(place)
    assert placement is not None
    play = Play(*placement)
    return GridDrawing(layout).place_mark(
        play, RULES.play_points(Round(layout), play), escape(place), already_marked=again
    )


def highlighted_lines(mark: str) -> list[tuple[int, int, int, int]]:
    """Return the highlighted lines: first cell, width and height in cells."""
    lines = []
    for x, y, across, down in re.findall(r"M(-?\d+) (-?\d+)h(\d+)v(\d+)h-\d+z", mark):
        cell = (int(x) - 1) // HALF + 1, (int(y) - 1) // HALF + 1
        lines.append((*cell, (int(across) + 2) // HALF, (int(down) + 2) // HALF))
    return lines


def lengths(mark: str) -> list[str]:
    return re.findall(r'class="length"[^>]*>(\d+)<', mark)


def total(mark: str) -> str:
    return re.findall(r"<text[^>]*>([^<]*=[^<]*)</text>", mark)[0]


# Previews


def test_r_12_highlights_two_rows_of_three_for_nine_points() -> None:
    mark = place_mark(P0, "V(2,0)=5-2")
    assert highlighted_lines(mark) == [(0, 0, 3, 1), (0, 1, 3, 1)]
    assert (lengths(mark), total(mark)) == (["3", "3"], "3 × 3 = 9")
    assert 'data-move="V(2,0)=5-2"' in mark
    assert 'href="#u52" x="30" y="0"' in mark


def test_r_13_shows_that_a_double_doubles() -> None:
    assert total(place_mark(P0, "V(2,0)=5-5")) == "(3 × 3) × 2 = 18"


def test_r_16_highlights_three_lines_for_thirty_six_points() -> None:
    # Row 2 from -2 to 1, the columns -2 and -1 from 0 to 2.
    mark = place_mark(R_16, "H(-2,2)=4-3")
    assert highlighted_lines(mark) == [(-2, 2, 4, 1), (-2, 0, 1, 3), (-1, 0, 1, 3)]
    assert (lengths(mark), total(mark)) == (["4", "3", "3"], "4 × 3 × 3 = 36")


def test_previews_are_separate_from_the_board() -> None:
    mark = place_mark(P0, "V(2,0)=5-2")
    handle, look = mark.split('<g class="look"')
    assert "text" not in handle
    assert all(part in look for part in ('class="lit"', 'class="ghost"', 'class="length"', 'class="sum"'))


@FEW
@given(grids(), st.data())
def test_the_length_of_a_line_stands_on_a_free_square_at_its_end(layout: Grid, data: st.DataObject) -> None:
    if not layout.slots:
        return
    slot = data.draw(st.sampled_from(list(layout.slots)))
    place = next(p for t in RULES.tile_set for p in layout.places(t) if parse_place(p)[0] == slot)
    play = Play(layout.read(place)[0], place)
    mark = GridDrawing(layout).place_mark(play, RULES.play_points(Round(layout), play), escape(place))
    new = {cell_corner(cell) for cell in cells_of(slot)}
    free = {cell_corner(cell) for cell in layout.border()} - new
    middles = re.findall(r'class="length" x="(-?\d+)" y="(-?\d+)"', mark)
    assert len(middles) == len(layout.extended(slot))
    assert all((int(x) - HALF // 2, int(y) - HALF // 2) in free for x, y in middles)


def test_field_has_one_mark_for_both_orientations() -> None:
    # Right of the rows 2-4 and 3-1: 2-4-5 over 3-1-2, and turned 2-4-2 over 3-1-5.
    layout = board(Grid(), P0)
    both = [place for place in layout.places((5, 2)) if place.startswith("V(2,0)")]
    assert both == ["V(2,0)=5-2", "V(2,0)=2-5"]
    ways = [place_mark(P0, place, again=place != both[0]) for place in both]
    assert [re.findall(r'class="(place[^"]*)" data-move="(.*?)"', way) for way in ways] == [
        [("place grip", both[0])],
        [("place grip turned", both[1])],
    ]
    assert all('<use class="turn" href="#turn"' in way and 'class="ghost"' in way for way in ways)
    assert ['class="sum"' in way for way in ways] == ['class="lit"' in way for way in ways] == [True, False]
    once = place_mark(P0, "V(2,0)=5-5")
    assert 'class="place grip" data-move="V(2,0)=5-5">' in once
    assert 'href="#turn"' not in once


# Hints


def test_r_06_a_dead_cell_has_a_sign_and_a_word() -> None:
    # The cell right of the row 4-2-3 and below the column 3-3: the row allows 1, 4, 5, the column only 3.
    layout = board(Grid(), "H(0,2)=4-2 V(2,2)=3-5 V(3,0)=3-3")
    assert layout.numbers_allowed_on_cell((3, 2)) == ()
    x, y = cell_corner((3, 2))
    assert f'<use href="#n" x="{x}" y="{y}"/>' in GridDrawing(layout).hints()
    assert "5: none" in re.findall(r"Row 4, column [^.]*\.", GridDrawing(layout).hints_text(WORDS))[0]


def test_every_free_cell_shows_its_numbers() -> None:
    # Right of 2-4 the row allows all but 4; above the 4 there is the column 4-1, which allows all but 4 as well.
    layout = board(Grid(), P0)
    assert GridDrawing(layout).hints().count('href="#n') == 8
    x, y = cell_corner((2, 0))
    assert f'<use href="#n1235" x="{x}" y="{y}"/>' in GridDrawing(layout).hints()
    assert "Row 2, column 1: 1 3 4 5, 4: 1 2 3 5." in GridDrawing(layout).hints_text(WORDS)


def test_r_17a_the_fields_closed_by_the_stack_rule_are_hatched_and_named() -> None:
    layout = board(Grid(), f"{P0} V(2,0)=5-2 H(0,2)=5-3")
    hatched = re.findall(r'href="#stack(.)" x="(-?\d+)" y="(-?\d+)"', GridDrawing(layout).hints())
    assert [(way, int(x) // HALF + 1, int(y) // HALF + 1) for way, x, y in hatched] == [("H", 0, -1), ("H", 0, 3)]
    closed = "Closed, because three tiles lie side by side there: Row 1, columns 2 and 3; Row 5, columns 2 and 3."
    assert closed in GridDrawing(layout).hints_text(WORDS)


def test_hints_are_sent_only_on_request() -> None:
    view = view_for(RULES, somewhere(RULES, "hints", 2, 4), None)
    assert NO_HINTS.markup["hints"] == '<div id="hints"></div>'
    hints = hint_layer(view, WORDS)
    assert 'class="hints"' in hints
    assert "Free squares and the numbers that still fit: Row" in hints


@FEW
@given(grids())
def test_everything_that_is_drawn_has_its_sprite(layout: Grid) -> None:
    names = set(re.findall(r'id="(\w+)"', sprite_sheet("rytmino")))
    drawing = GridDrawing(layout)
    plays = [Play(tile, place) for tile in set(RULES.tile_set) for place in layout.places(tile)][:5]
    marks = [drawing.place_mark(play, RULES.play_points(Round(layout), play), escape(play.place)) for play in plays]
    assert set(re.findall(r'href="#(\w+)"', drawing.hints() + "".join(marks))) <= names


# In words


def test_the_table_is_described_row_by_row_and_column_by_column() -> None:
    assert GridDrawing(board(Grid(), R_16)).description(WORDS) == (
        "Row 2 from column 2: 3-2-1-5. Row 3 from column 2: 1-4-1-4. "
        "Row 4 from column 4: 1-2. Column 2 from row 2: 3-1. "
        "Column 3 from row 2: 2-4. Column 4 from row 2: 1-1-1. Column 5 from row 2: 5-4-2."
    )


@FEW
@given(grids())
def test_description_has_the_position_of_every_number(layout: Grid) -> None:
    squares: dict[tuple[int, int], int] = {}
    text = GridDrawing(layout).description(WORDS)
    for row, column, numbers in re.findall(r"Row (\d+) from column (\d+): ([\d-]+)\.", text):
        squares |= {(int(column) + step, int(row)): int(number) for step, number in enumerate(numbers.split("-"))}
    # The first column and the first row of the area are free.
    min_x, min_y = (min(cell[way] for cell in layout.values) for way in (0, 1))
    assert squares == {(x - min_x + 2, y - min_y + 2): number for (x, y), number in layout.values.items()}
    for column, row, numbers in re.findall(r"Column (\d+) from row (\d+): ([\d-]+)\.", text):
        for step, number in enumerate(numbers.split("-")):
            assert squares[int(column), int(row) + step] == int(number)


def test_a_place_is_named_by_its_cells_and_numbers() -> None:
    layout = board(Grid(), P0)
    assert GridDrawing(layout).place_name("V(2,0)=5-2", WORDS) == "Column 4, rows 2 and 3: 5 then 2"
    assert GridDrawing(layout).place_name("H(0,2)=5-3", WORDS) == "Row 4, columns 2 and 3: 5 then 3"


def test_an_area_that_grows_to_the_left_and_upwards_gets_new_numbers() -> None:
    # Left of the rows 2-4 and 3-1: now they begin in column 2 as 5-2-4 and 5-3-1, and what was column 4 is column 5.
    wider = board(Grid(), f"{P0} V(-1,0)=5-5")
    assert "Row 2 from column 2: 5-2-4. Row 3 from column 2: 5-3-1." in GridDrawing(wider).description(WORDS)
    assert GridDrawing(wider).place_name("V(2,0)=5-2", WORDS) == "Column 5, rows 2 and 3: 5 then 2"
    # Above them 1 over the 2, 5 over the 4: the rows are one further down.
    higher = board(Grid(), f"{P0} H(0,-1)=1-5")
    assert "Row 2 from column 2: 1-5. Row 3 from column 2: 2-4. Row 4 from column 2: 3-1." in GridDrawing(
        higher
    ).description(WORDS)
    assert GridDrawing(higher).place_name("V(2,0)=5-2", WORDS) == "Column 4, rows 3 and 4: 5 then 2"


def test_a_place_in_the_hand_says_what_it_scores() -> None:
    state = position(RULES, hands=["5-2", "1-1"], start=P0)
    view = view_for(RULES, state, 0)
    buttons = zone_html(hand_zone(table_of(2), view, WORDS, chosen_places(view, "5-2")))
    assert "Column 4, rows 2 and 3: 5 then 2" in texts(buttons)
    assert "3 × 3 = 9 points" in texts(buttons)
    assert spots_html(view, WORDS, chosen_places(view, "5-2")).count("data-move=") == len(view.legal)


def test_the_numbers_around_the_table_are_those_of_the_words() -> None:
    # Cells 0 to 1 both ways and the free ones around them: columns and rows 1 to 4.
    layout = board(Grid(), P0)
    marks = re.findall(r'<text x="([^"]+)" y="([^"]+)">(\d+)<', GridDrawing(layout).axis_labels())
    middles = {str(2 + cell): cell_corner((cell, cell))[0] + HALF / 2 for cell in range(-1, 3)}
    assert [(float(x), number) for x, _, number in marks[:4]] == [(middles[number], number) for number in middles]
    assert [(float(y), number) for _, y, number in marks[4:]] == [(middles[number], number) for number in middles]
    assert GridDrawing(layout).axis_labels() in GridDrawing(layout).hints()


def test_the_numbers_around_the_table_are_there_while_a_place_is_chosen() -> None:
    view = view_for(RULES, position(RULES, hands=["5-2", "1-1"], start=P0), 0)
    assert 'class="scale"' in spots_html(view, WORDS, chosen_places(view, "5-2"))
    assert 'class="scale"' not in spots_html(view, WORDS, {})


# The starting pair, which nobody played


def test_starting_pair_has_no_player() -> None:
    state = position(RULES, hands=["5-2", "1-1"], start=P0)
    view = view_for(RULES, state, 0)
    assert view.round.plays == ()
    assert "data-by" not in drawn_board(view, WORDS)
    assert "Masha begins." in zone_html(status_zone(table_of(2), view, None, WORDS))
    assert "Row 2 from column 2: 2-4. Row 3 from column 2: 3-1." in drawn_board(view, WORDS)


def test_the_first_tile_laid_by_a_player_is_marked_as_new() -> None:
    state = somewhere(RULES, "first", 2, 1)
    board_zone = drawn_board(view_for(RULES, state, None), WORDS)
    marks = re.findall(r'<use href="#\w+"[^>]*/>(?:<g id="t3"([^>]*))?', board_zone)
    assert marks == ["", "", f' data-by="{state.round.plays[0].seat}"']


def test_copies_of_a_tile_have_unique_names() -> None:
    state = position(RULES, hands=["5-2 5-2 3-2", "1-1"], laid="V(2,0)=5-2", start=P0)
    view = view_for(RULES, state, 0)
    own = hand_zone(table_of(2), view, WORDS, chosen_places(view, "5-2"))
    page = "".join(map(zone_html, (drawn_board(view, WORDS), own, hint_layer(view, WORDS))))
    names = re.findall(r'id="([\w-]+)"', page)
    assert len(names) == len(set(names))
    assert {"h52", "h52b"} <= set(names)
    assert page.count('aria-pressed="true"') == 1
