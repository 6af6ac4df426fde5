"""Lines of play for worked examples."""

from __future__ import annotations

from games.engine.layout.line import Line

# Both ends show 2 and all seven tiles with a 2 are in the line; 5-2 was laid last.
CLOSED_LINE = "2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3 3-5 5-2"
CLOSED_LINE_WITHOUT_DOUBLE = CLOSED_LINE.replace("2-2 ", "")
# Hands of 6, 19, 37 and 52 pips that four players may hold while ``CLOSED_LINE`` is on the table.
HEAVY_HANDS = ("0-0 1-0 1-1 3-0", "4-0 5-0 3-1 5-1", "6-1 3-3 4-3 6-3 4-4", "6-6 6-5 5-5 6-4 5-4")


def line_from_text(text: str) -> Line:
    """Return the line with these tiles from left to right. The last one was played last."""
    tiles = [tuple(map(int, tile.split("-"))) for tile in text.split()]
    # The higher half of a lead faces left, so the first such tile can be the lead.
    lead_index = next(index for index, tile in enumerate(tiles) if tile[0] >= tile[1])
    order = [(lead_index, ""), *((index, "left") for index in reversed(range(lead_index)))]
    order += [(index, "right") for index in range(lead_index + 1, len(tiles))]
    layout = Line()
    for index, end in order:
        layout = layout.place((max(tiles[index]), min(tiles[index])), end)
    return layout
