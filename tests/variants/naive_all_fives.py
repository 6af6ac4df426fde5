"""An independent, naive All Fives, written from the rule file: the table is a list of tiles with their neighbours.

It uses nothing of the engine. There are no arms: open ends and the count follow from the numbers of touching tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[int, int]
Hands = tuple[tuple[Pair, ...], ...]


@dataclass(frozen=True)
class Laid:
    """A tile, the number of the one it was laid against (None for the lead), and the end it was laid on."""

    tile: Pair
    against: int | None
    end: str


Laying = tuple[Laid, ...]


def touching(laid: Laying, number: int) -> int:
    """Return how many tiles touch this one."""
    return sum(other.against == number for other in laid) + (laid[number].against is not None)


def spinner_of(laid: Laying) -> int | None:
    """Return the number of the first double of the hand."""
    return next((number for number, other in enumerate(laid) if other.tile[0] == other.tile[1]), None)


def shared(laid: Laying, number: int) -> int:
    """Return the value at which a tile touches the one it was laid against."""
    against = laid[number].against
    assert against is not None
    (value,) = free_values(laid, against, laid[number].end) & set(laid[number].tile)
    return value


def free_values(laid: Laying, number: int, end: str) -> set[int]:
    """Return the values that a tile offers towards an end of the table."""
    high, low = laid[number].tile
    if laid[number].against is None:
        return {high if end == "left" else low}
    return {high + low - shared(laid, number)}


def open_ends(laid: Laying) -> dict[str, tuple[int, int]]:
    """Return the open ends: by name the number of the tile there and the value it shows."""
    spinner = spinner_of(laid)
    names = ["left", "right"]
    if spinner is not None and touching(laid, spinner) >= 2:
        names += ["up", "down"]
    ends = {}
    for name in names:
        start = 0 if name in ("left", "right") else spinner
        last = max((number for number, other in enumerate(laid) if other.end == name), default=start)
        (value,) = free_values(laid, last, name) if last != spinner else {laid[last].tile[0]}
        ends[name] = (last, value)
    return ends


def lay(laid: Laying, tile: Pair, end: str) -> Laying:
    """Return the table with one tile more."""
    return (*laid, Laid(tile, open_ends(laid)[end][0] if laid else None, end))


def laying_of(plays: list[tuple[Pair, str]]) -> Laying:
    """Return the table after these tiles and ends."""
    laid: Laying = ()
    for tile, end in plays:
        laid = lay(laid, tile, end)
    return laid


def places(laid: Laying, tile: Pair) -> list[str]:
    """Return the ends on which a tile may be laid."""
    if not laid:
        return [""]
    return [name for name, (_, value) in open_ends(laid).items() if value in tile]


def count(laid: Laying) -> int:
    """Return the count, by its three cases."""
    spinner = spinner_of(laid)
    if len(laid) == 1:
        return sum(laid[0].tile)
    outer = [number for number in range(len(laid)) if touching(laid, number) == 1 and number != spinner]
    pips = sum(outer_pips(laid, number) for number in outer)
    if spinner is not None and touching(laid, spinner) < 2:
        return pips + 2 * laid[spinner].tile[0]
    return pips


def outer_pips(laid: Laying, number: int) -> int:
    """Return what a tile with one neighbour counts: both halves of a double, else the half that touches nothing."""
    high, low = laid[number].tile
    if high == low:
        return high + low
    if laid[number].against is not None:
        return high + low - shared(laid, number)
    (neighbour,) = [other for other in range(1, len(laid)) if laid[other].against == number]
    return high + low - shared(laid, neighbour)


def score(laid: Laying) -> int:
    """Return what the tile laid last scores."""
    return count(laid) if count(laid) % 5 == 0 else 0


def is_blocked(laid: Laying, unlaid: list[Pair]) -> bool:
    return not any(places(laid, tile) for tile in unlaid)


def count_sequences(hands: Hands, boneyard: tuple[Pair, ...], laid: Laying, seat: int, depth: int) -> int:
    """Count the sequences of ``depth`` moves, shorter where the hand ends; nobody is near the target."""
    if depth == 0:
        return 1
    following = (seat + 1) % len(hands)
    nodes, fitting = 0, 0
    for tile in hands[seat]:
        rest = tuple(tuple(other for other in hand if other != tile) for hand in hands)
        for end in places(laid, tile):
            fitting += 1
            after = lay(laid, tile, end)
            if not rest[seat] or is_blocked(after, [*sum(rest, ()), *boneyard]):
                nodes += 1
            else:
                nodes += count_sequences(rest, boneyard, after, following, depth - 1)
    if fitting:
        return nodes
    if boneyard:
        more = tuple((*hand, boneyard[0]) if index == seat else hand for index, hand in enumerate(hands))
        return count_sequences(more, boneyard[1:], laid, seat, depth - 1)
    return count_sequences(hands, boneyard, laid, following, depth - 1)


def rounded(pips: int) -> int:
    """Round to the nearest five: the remainders 1 and 2 down, 3 and 4 up."""
    return {0: pips, 1: pips - 1, 2: pips - 2, 3: pips + 2, 4: pips + 1}[pips % 5]


def hand_end(pips: list[int], sides: tuple[int, ...], out: int | None, *, collects: bool) -> list[int]:
    """Return what each side gets for the end of a hand; ``pips`` are those left to each seat."""
    number = max(sides) + 1
    points = [0] * number
    if not collects:
        for seat, other in enumerate(pips):
            points[sides[seat]] -= rounded(other)
        return points
    rest = [sum(other for seat, other in enumerate(pips) if sides[seat] == side) for side in range(number)]
    if out is not None:
        points[sides[out]] = rounded(sum(rest) - rest[sides[out]])
    elif rest.count(min(rest)) == 1:
        lightest = rest.index(min(rest))
        points[lightest] = rounded(sum(rest) - 2 * rest[lightest])
    return points
