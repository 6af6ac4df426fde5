"""Lines of play for worked examples, written as they lie."""

from __future__ import annotations

from games.engine.layout.line import Line

CLOSED = "2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3 3-5 5-2"
"""Both ends show 2, and all seven tiles with a 2 lie in it; 5-2 is laid last."""
CLOSED_WITHOUT_DOUBLE = CLOSED.replace("2-2 ", "")
HEAVY_HANDS = ("0-0 1-0 1-1 3-0", "4-0 5-0 3-1 5-1", "6-1 3-3 4-3 6-3 4-4", "6-6 6-5 5-5 6-4 5-4")
"""What four players may hold while ``CLOSED`` lies on the table: 6, 19, 37 and 52 pips."""


def line(text: str) -> Line:
    """Return the line whose tiles lie from left to right as written; the last one is the last laid."""
    written = [tuple(map(int, one.split("-"))) for one in text.split()]
    # A lead lies with its higher half to the left, so the first tile written like that is led.
    lead = next(index for index, (left, right) in enumerate(written) if left >= right)
    order = [(lead, ""), *((index, "left") for index in reversed(range(lead)))]
    order += [(index, "right") for index in range(lead + 1, len(written))]
    laid = Line()
    for index, end in order:
        laid = laid.place((max(written[index]), min(written[index])), end)
    return laid
