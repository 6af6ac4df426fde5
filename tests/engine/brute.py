"""An independent, naive line game that counts move sequences.

It uses nothing of the engine. Tiles and ends are plain numbers, hands are sets, and every position is a copy. It plays
Kozel, or a game with another rule for blocked lines (``blocked``).
"""

from __future__ import annotations

from collections.abc import Callable

Pair = tuple[int, int]
Hands = tuple[frozenset[Pair], ...]


def is_closed(ends: Pair, laid: frozenset[Pair]) -> bool:
    """Return True if both ends show one value and only its double could still fit."""
    value = ends[0]
    partners = {frozenset((value, other)) for other in range(7) if other != value}
    return ends[1] == value and partners <= {frozenset(tile) for tile in laid}


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
    """Count the sequences of ``depth`` moves, or fewer if the round ends."""
    if depth == 0:
        return 1
    following = (seat + 1) % len(hands)
    nodes, fitting = 0, 0
    for tile in hands[seat]:
        if lead is not None and set(tile) != set(lead):
            continue
        for new_ends in successor_ends(tile, ends):
            fitting += 1
            rest = tuple(hand - {tile} if index == seat else hand for index, hand in enumerate(hands))
            if not rest[seat] or blocked(new_ends, laid | {tile}):
                nodes += 1
            else:
                nodes += count_sequences(rest, bazaar, new_ends, laid | {tile}, following, depth - 1, None, blocked)
    if fitting:
        return nodes
    if bazaar:
        drawn = tuple(hand | {bazaar[0]} if index == seat else hand for index, hand in enumerate(hands))
        return count_sequences(drawn, bazaar[1:], ends, laid, seat, depth - 1, lead, blocked)
    return count_sequences(hands, bazaar, ends, laid, following, depth - 1, lead, blocked)


def successor_ends(tile: Pair, ends: Pair | None) -> list[Pair]:
    """Return the open ends after every placement of the tile."""
    one, other = tile
    if ends is None:
        return [(one, other)]
    first, last = ends
    ends_after = []
    if first in tile:
        ends_after.append((other if first == one else one, last))
    if last in tile:
        ends_after.append((first, other if last == one else one))
    return ends_after
