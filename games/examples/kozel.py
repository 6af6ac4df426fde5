"""The worked examples of Kozel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.engine.events import MatchEnded, StandingSet
from games.engine.state import State
from games.engine.variants.kozel import LEAD_ORDER, RULES
from games.examples import positions
from games.examples.lines import CLOSED_LINE, CLOSED_LINE_WITHOUT_DOUBLE, HEAVY_HANDS, line_from_text
from games.examples.names import PLAYER_NAMES
from games.examples.positions import ScoreColumn

EMIL_SEAT = 3
VOID_HANDS = ("0-0 1-1 2-2 3-3 4-4 6-5 2-1", "6-0 6-1 6-2 6-3 6-4 6-5 2-1")  # Five doubles; six tiles with a 6.


def round_end(hands: Sequence[str], before: str, *, fish: str = "all", pot: int = 0, line: str = "") -> State:
    layout = line_from_text(line) if line else None
    state = positions.position_at_end(RULES, hands, before.split(), options={"fish": fish}, layout=layout)
    return replace(state, standing_set=StandingSet(state.standing, pot))


def score_columns(state: State, seat: int) -> tuple[ScoreColumn, ...]:
    return positions.score_table(RULES, state, seat)


def account_over_rounds(hands: Sequence[str]) -> tuple[ScoreColumn, ...]:
    """Return one player's score over several rounds with these hands; an empty hand goes out."""
    standing = RULES.first_standing
    columns = []
    for number, hand in enumerate(hands, 1):
        state = replace(round_end((hand, "" if hand else "6-5"), "0 0"), standing=(standing, RULES.first_standing))
        (column, _other) = score_columns(state, 1 if hand else 0)
        columns.append(replace(column, name=str(number)))
        standing = column.after
    return tuple(columns)


def fish_with_heavy_hands(fish: str) -> State:
    return round_end(HEAVY_HANDS, "0 0 0 0", fish=fish, line=CLOSED_LINE)


def match_lost_by_fish() -> MatchEnded:
    """Return the end of a match by a fish with ``fish=one``; the seat with the heaviest hand closed the line."""
    state = fish_with_heavy_hands("one")
    end = RULES.match_end_after_round(replace(state, standing=positions.score_round(RULES, state, EMIL_SEAT).standing))
    if end is None:
        raise ValueError("Nobody has 101 points.")
    return end


def match_lost_on_time() -> MatchEnded:
    """Return the end of a match in which Adam, who has 32 points, times out."""
    return RULES.leave(round_end(("", "", ""), "=30 =32 =13"), 1, "timeout")


EXAMPLES: Mapping[str, Any] = {
    "lead_order": LEAD_ORDER,
    "void_hands": tuple(map(RULES.read_tiles, VOID_HANDS)),
    "lone_blank": tuple(score_columns(round_end((hand, ""), "0 0"), 1)[0] for hand in ("0-0", "0-0 1-0", "0-0 6-6")),
    "fish_line": line_from_text(CLOSED_LINE),
    "fish_without_double": line_from_text(CLOSED_LINE_WITHOUT_DOUBLE),
    "account": account_over_rounds(("6-6", "6-6", "1-0", "6-6 1-0", "1-0", "")),
    "out": score_columns(round_end(("", "2-1", "6-6 1-0", "5-0"), "+19 0 +7 +4"), 0),
    "fish_all": score_columns(
        round_end(("1-1", "3-0", "6-6 1-0", "5-0"), "+10 =30 0 +12", line=CLOSED_LINE), EMIL_SEAT
    ),
    "fish_one": score_columns(
        round_end(("1-1", "3-0", "6-6 1-0", "5-0"), "+19 0 +7 +4", fish="one", line=CLOSED_LINE), EMIL_SEAT
    ),
    "fish_drawn": score_columns(
        round_end(("1-1", "6-5 3-0", "5-5 4-0", "5-0"), "0 0 0 0", fish="one", line=CLOSED_LINE), EMIL_SEAT
    ),
    "pot": score_columns(round_end(("6-5", "5-4", "4-0", ""), "+6 =20 =40 0", fish="one", pot=35), EMIL_SEAT),
    "goat": score_columns(fish_with_heavy_hands("one"), EMIL_SEAT),
    "goat_rating": tuple(zip(PLAYER_NAMES, match_lost_by_fish().rating, strict=True)),
    "timeout_rating": tuple(zip(PLAYER_NAMES, match_lost_on_time().rating, strict=False)),
}
