"""The worked examples of Kozel: positions from the rule file, judged and scored by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.engine.decide import new_match
from games.engine.events import MatchEnded, Points, RoundEnded, Standing
from games.engine.evolve import start_state
from games.engine.layout.line import Line
from games.engine.rules import Ending
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants.kozel import LEAD_ORDER, RULES

NAMES = ("Masha", "Alex", "Olya", "Serg")
SERG = 3
FISH_LINE = "2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3 3-5 5-2"
HEAVY_FISH = ("0-0 1-0 1-1 3-0", "4-0 5-0 3-1 5-1", "6-1 3-3 4-3 6-3 4-4", "6-6 6-5 5-5 6-4 5-4")


@dataclass(frozen=True, slots=True)
class Column:
    """One player's column of a score table: the hand, then the score before, the points, the score after."""

    name: str
    hand: tuple[Tile, ...]
    before: Standing
    points: Points
    after: Standing


def tiles(text: str) -> tuple[Tile, ...]:
    """Read tiles from ``6-4 1-1``."""
    return tuple((max(halves), min(halves)) for halves in (tuple(map(int, one.split("-"))) for one in text.split()))


def line(text: str) -> Line:
    """Lay tiles to lie from left to right as they are written; the last one written is laid last."""
    written = [tuple(map(int, one.split("-"))) for one in text.split()]
    # A lead lies with its higher half to the left, so the first tile written like that is led.
    lead = next(index for index, (left, right) in enumerate(written) if left >= right)
    order = [(lead, ""), *((index, "left") for index in reversed(range(lead)))]
    order += [(index, "right") for index in range(lead + 1, len(written))]
    laid = RULES.layout
    for index, end in order:
        laid = laid.place((max(written[index]), min(written[index])), end)
    return laid


def position(
    hands: Sequence[str],
    before: str,
    *,
    fish: str = "all",
    pot: int = 0,
    laid: str = "",
) -> State:
    """Return the position at the end of a round: what the hands hold, the score before it, the line."""
    start = start_state(new_match(RULES, len(hands), {"fish": fish}))
    return replace(
        start,
        round=2,
        hands=tuple(map(tiles, hands)),
        standing=tuple(map(RULES.read_standing, before.split())),
        pot=pot,
        layout=line(laid) if laid else start.layout,
    )


def ending(state: State, seat: int) -> Ending | None:
    """Return how the round ends once ``seat`` has laid the last tile of the line, None if it goes on."""
    return RULES.ending(state, seat)


def scored(state: State, seat: int) -> RoundEnded:
    """Score the round that ``seat`` ended."""
    found = ending(state, seat)
    if found is None:
        raise ValueError("This round goes on.")
    return RULES.score_round(state, found)


def table(state: State, seat: int) -> tuple[Column, ...]:
    """Return the score table of the round that ``seat`` ended."""
    end = scored(state, seat)
    rows = zip(NAMES, state.hands, end.before, end.points, end.standing, strict=False)
    return tuple(Column(*row) for row in rows)


def one_account(hands: Sequence[str]) -> tuple[Column, ...]:
    """Return what one player's score becomes over several rounds; an empty hand goes out."""
    standing = RULES.first_standing
    columns = []
    for number, hand in enumerate(hands, 1):
        state = replace(position((hand, "" if hand else "6-5"), "0 0"), standing=(standing, RULES.first_standing))
        (column, _other) = table(state, 1 if hand else 0)
        columns.append(replace(column, name=str(number)))
        standing = column.after
    return tuple(columns)


def heavy_fish(fish: str) -> State:
    return position(HEAVY_FISH, "0 0 0 0", fish=fish, laid=FISH_LINE)


def goat() -> MatchEnded:
    """Return the end of a match by a fish for one: everybody at 0, and the fisherman has the heaviest hand."""
    state = heavy_fish("one")
    end = RULES.finish(replace(state, standing=scored(state, SERG).standing))
    if end is None:
        raise ValueError("Nobody has 101 points.")
    return end


def timeout() -> MatchEnded:
    """Return the end of a match in which Alex, who has 32, runs out of time."""
    return RULES.leave(position(("", "", ""), "=30 =32 =13"), 1, "timeout")


EXAMPLES: Mapping[str, Any] = {
    "lead_order": LEAD_ORDER,
    "void_hands": (tiles("0-0 1-1 2-2 3-3 4-4 6-5 2-1"), tiles("6-0 6-1 6-2 6-3 6-4 6-5 2-1")),
    "lone_blank": tuple(table(position((hand, ""), "0 0"), 1)[0] for hand in ("0-0", "0-0 1-0", "0-0 6-6")),
    "fish_line": line(FISH_LINE),
    "fish_without_double": line(FISH_LINE.replace("2-2 ", "")),
    "account": one_account(("6-6", "6-6", "1-0", "6-6 1-0", "1-0", "")),
    "out": table(position(("", "2-1", "6-6 1-0", "5-0"), "+19 0 +7 +4"), 0),
    "fish_all": table(position(("1-1", "3-0", "6-6 1-0", "5-0"), "+10 =30 0 +12", laid=FISH_LINE), SERG),
    "fish_one": table(position(("1-1", "3-0", "6-6 1-0", "5-0"), "+19 0 +7 +4", fish="one", laid=FISH_LINE), SERG),
    "fish_drawn": table(position(("1-1", "6-5 3-0", "5-5 4-0", "5-0"), "0 0 0 0", fish="one", laid=FISH_LINE), SERG),
    "pot": table(position(("6-5", "5-4", "4-0", ""), "+6 =20 =40 0", fish="one", pot=35), SERG),
    "goat": table(heavy_fish("one"), SERG),
    "goat_rating": tuple(zip(NAMES, goat().rating, strict=True)),
    "timeout_rating": tuple(zip(NAMES, timeout().rating, strict=False)),
}
"""Everything by the name the page uses; all of it is checked against the rule file by a test."""
