"""The worked examples of Classic goat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.state import State
from games.engine.variants.gamezz import LEAD_ORDER, RULES
from games.examples.lines import CLOSED, CLOSED_WITHOUT_DOUBLE, HEAVY_HANDS, line
from games.examples.positions import position, table

EMIL = 3


def ended(hands: Sequence[str], before: Sequence[int], laid: str = "") -> State:
    return position(RULES, hands, before, layout=line(laid) if laid else None)


EXAMPLES: Mapping[str, Any] = {
    "lead_order": LEAD_ORDER,
    "line": line("1-1 1-5 5-3 3-2"),
    "blocked": line(CLOSED),
    "not_blocked": line(CLOSED_WITHOUT_DOUBLE),
    "out": table(RULES, ended(("", "6-6 0-0", "5-4 1-0", "3-2"), (0, 0, 0, 0)), 0),
    "blank": table(RULES, ended(("0-0", ""), (0, 0)), 1),
    "block": table(RULES, ended(HEAVY_HANDS, (0, 0, 0, 0), CLOSED), EMIL),
    "end": table(RULES, ended(("5-1", "6-4", "6-6", ""), (95, 60, 88, 40)), EMIL),
}
