"""The worked examples of Classic goat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.state import State
from games.engine.variants.gamezz import LEAD_ORDER, RULES
from games.examples.lines import CLOSED_LINE, CLOSED_LINE_WITHOUT_DOUBLE, HEAVY_HANDS, line_from_text
from games.examples.positions import position_at_end, score_table

EMIL_SEAT = 3


def round_end(hands: Sequence[str], before: Sequence[int], line: str = "") -> State:
    return position_at_end(RULES, hands, before, layout=line_from_text(line) if line else None)


EXAMPLES: Mapping[str, Any] = {
    "lead_order": LEAD_ORDER,
    "line": line_from_text("1-1 1-5 5-3 3-2"),
    "blocked": line_from_text(CLOSED_LINE),
    "not_blocked": line_from_text(CLOSED_LINE_WITHOUT_DOUBLE),
    "out": score_table(RULES, round_end(("", "6-6 0-0", "5-4 1-0", "3-2"), (0, 0, 0, 0)), 0),
    "blank": score_table(RULES, round_end(("0-0", ""), (0, 0)), 1),
    "block": score_table(RULES, round_end(HEAVY_HANDS, (0, 0, 0, 0), CLOSED_LINE), EMIL_SEAT),
    "end": score_table(RULES, round_end(("5-1", "6-4", "6-6", ""), (95, 60, 88, 40)), EMIL_SEAT),
}
