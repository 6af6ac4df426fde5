"""The worked examples of Kozel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.engine.events import MatchEnded, StandingSet
from games.engine.state import State
from games.engine.variants.kozel import LEAD_ORDER, RULES
from games.examples import positions
from games.examples.lines import CLOSED, CLOSED_WITHOUT_DOUBLE, HEAVY_HANDS, line
from games.examples.names import NAMES
from games.examples.positions import Column

EMIL = 3
VOID_HANDS = ("0-0 1-1 2-2 3-3 4-4 6-5 2-1", "6-0 6-1 6-2 6-3 6-4 6-5 2-1")  # Five doubles; six tiles with a 6.


def position(hands: Sequence[str], before: str, *, fish: str = "all", pot: int = 0, laid: str = "") -> State:
    layout = line(laid) if laid else None
    state = positions.position(RULES, hands, before.split(), options={"fish": fish}, layout=layout)
    return replace(state, standing_set=StandingSet(state.standing, pot))


def table(state: State, seat: int) -> tuple[Column, ...]:
    return positions.table(RULES, state, seat)


def one_account(hands: Sequence[str]) -> tuple[Column, ...]:
    """Return one player's score over several rounds with these hands; an empty hand goes out."""
    standing = RULES.first_standing
    columns = []
    for number, hand in enumerate(hands, 1):
        state = replace(position((hand, "" if hand else "6-5"), "0 0"), standing=(standing, RULES.first_standing))
        (column, _other) = table(state, 1 if hand else 0)
        columns.append(replace(column, name=str(number)))
        standing = column.after
    return tuple(columns)


def heavy_fish(fish: str) -> State:
    return position(HEAVY_HANDS, "0 0 0 0", fish=fish, laid=CLOSED)


def goat() -> MatchEnded:
    """Return the end of a match by a fish with ``fish=one``; the seat with the heaviest hand closed the line."""
    state = heavy_fish("one")
    end = RULES.finish(replace(state, standing=positions.scored(RULES, state, EMIL).standing))
    if end is None:
        raise ValueError("Nobody has 101 points.")
    return end


def timeout() -> MatchEnded:
    """Return the end of a match in which Adam, who has 32 points, times out."""
    return RULES.leave(position(("", "", ""), "=30 =32 =13"), 1, "timeout")


EXAMPLES: Mapping[str, Any] = {
    "lead_order": LEAD_ORDER,
    "void_hands": tuple(map(RULES.read_tiles, VOID_HANDS)),
    "lone_blank": tuple(table(position((hand, ""), "0 0"), 1)[0] for hand in ("0-0", "0-0 1-0", "0-0 6-6")),
    "fish_line": line(CLOSED),
    "fish_without_double": line(CLOSED_WITHOUT_DOUBLE),
    "account": one_account(("6-6", "6-6", "1-0", "6-6 1-0", "1-0", "")),
    "out": table(position(("", "2-1", "6-6 1-0", "5-0"), "+19 0 +7 +4"), 0),
    "fish_all": table(position(("1-1", "3-0", "6-6 1-0", "5-0"), "+10 =30 0 +12", laid=CLOSED), EMIL),
    "fish_one": table(position(("1-1", "3-0", "6-6 1-0", "5-0"), "+19 0 +7 +4", fish="one", laid=CLOSED), EMIL),
    "fish_drawn": table(position(("1-1", "6-5 3-0", "5-5 4-0", "5-0"), "0 0 0 0", fish="one", laid=CLOSED), EMIL),
    "pot": table(position(("6-5", "5-4", "4-0", ""), "+6 =20 =40 0", fish="one", pot=35), EMIL),
    "goat": table(heavy_fish("one"), EMIL),
    "goat_rating": tuple(zip(NAMES, goat().rating, strict=True)),
    "timeout_rating": tuple(zip(NAMES, timeout().rating, strict=False)),
}
