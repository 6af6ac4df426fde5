"""The points of a table: 12 times the share of the opponents that a party beat; a tie counts half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WIN_POINTS = 12  # for a table; divides without remainder among two to four parties
HALF_POINTS = WIN_POINTS // 2
SIXTHS = 6  # raw results are integers in sixths of a point, exact for up to four sides


def table_points(places: Mapping[str, int]) -> dict[str, int]:
    """Return the points of the parties that played. A lone party has beaten all who did not come.

    Places of bots are left out, so places need not be consecutive.

    >>> table_points({"anna": 1, "bela": 2, "cyril": 2, "dora": 4})
    {'anna': 12, 'bela': 6, 'cyril': 6, 'dora': 0}
    """
    return {party: share_of(party, places) for party in places}


def share_of(party: str, places: Mapping[str, int]) -> int:
    opponents = [place for other, place in places.items() if other != party]
    halves = sum(2 * (place > places[party]) + (place == places[party]) for place in opponents)
    return WIN_POINTS * halves // (2 * len(opponents)) if opponents else WIN_POINTS


def raw_results(scores: Sequence[int], *, is_low_better: bool) -> tuple[int, ...]:
    """Return for each side, in sixths, by how much it is better than the mean of the other sides.

    >>> raw_results([10, 20, 0, 8], is_low_better=True)[0]  # 28/3 - 10 = -2/3
    -4
    """
    total, opponents = sum(scores), len(scores) - 1
    better = [SIXTHS * (score * opponents - (total - score)) // opponents for score in scores]
    return tuple(-value for value in better) if is_low_better else tuple(better)
