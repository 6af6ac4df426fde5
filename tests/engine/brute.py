"""A second, naive line game that knows only what to lay, draw and pass: it counts move sequences for comparison.

Nothing of the engine is used. Tiles and ends are plain numbers, hands are sets, and every position is a fresh copy.
It plays Kozel, or a game that is blocked by another rule (``blocked``).
"""

from __future__ import annotations

from collections.abc import Callable

Pair = tuple[int, int]
Hands = tuple[frozenset[Pair], ...]


def is_closed(ends: Pair, laid: frozenset[Pair]) -> bool:
    """Tell whether both ends show one value and nothing but its double could still fit."""
    value = ends[0]
    others = {frozenset((value, each)) for each in range(7) if each != value}
    return ends[1] == value and others <= {frozenset(tile) for tile in laid}


def count_sequences(  # noqa: PLR0917
    hands: Hands,
    bazaar: tuple[Pair, ...],
    ends: Pair | None,
    laid: frozenset[Pair],
    seat: int,
    depth: int,
    lead: Pair | None,
    blocked: Callable[[Pair, frozenset[Pair]], bool] = is_closed,
) -> int:
    """Count the sequences of ``depth`` moves, shorter where the round ends."""
    if depth == 0:
        return 1
    following = (seat + 1) % len(hands)
    nodes, fitting = 0, 0
    for tile in hands[seat]:
        if lead is not None and set(tile) != set(lead):
            continue
        for new_ends in results(tile, ends):
            fitting += 1
            left = tuple(hand - {tile} if index == seat else hand for index, hand in enumerate(hands))
            if not left[seat] or blocked(new_ends, laid | {tile}):
                nodes += 1
            else:
                nodes += count_sequences(left, bazaar, new_ends, laid | {tile}, following, depth - 1, None, blocked)
    if fitting:
        return nodes
    if bazaar:
        drawn = tuple(hand | {bazaar[0]} if index == seat else hand for index, hand in enumerate(hands))
        return count_sequences(drawn, bazaar[1:], ends, laid, seat, depth - 1, lead, blocked)
    return count_sequences(hands, bazaar, ends, laid, following, depth - 1, lead, blocked)


def results(tile: Pair, ends: Pair | None) -> list[Pair]:
    """Return the open ends after each way to lay the tile."""
    one, other = tile
    if ends is None:
        return [(one, other)]
    left, right = ends
    found = []
    if left in tile:
        found.append((other if left == one else one, right))
    if right in tile:
        found.append((left, other if right == one else one))
    return found
