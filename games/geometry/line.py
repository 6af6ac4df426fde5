"""The line of play as it is drawn: two arms that wind away from the lead, the right one down, the left one up.

Where a tile lies depends only on the tiles laid before it in its arm, so nothing on the table ever moves. A row
ends at the edge; the arm then turns through an upright tile into the next row. Doubles lie crosswise.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.layout.line import LEFT, Line
from games.engine.tiles import Tile, is_double
from games.geometry.spots import HALF, Arrangement, Laid, Shape, Spot

ROWS = {Shape.TALL: 6, Shape.EVEN: 8, Shape.WIDE: 11}
"""How many tiles long a row is."""
FEWEST = 8 * HALF
"""How high the window is at least: three rows, with what a double in them needs."""
ROW, APART = 4 * HALF, 3 * HALF
"""From the lead's middle to the far end of the next row, and from one row to the next."""
MARGIN = 4


class Arm(NamedTuple):
    """The open end of an arm: the middle of its outer edge, the heading of its row (1 or -1), and what lies there.

    ``edge`` is how far from the lead's middle a row may reach; a double in a corner stands out by half a HALF more.
    ``corner``: ``""`` in a row, ``upright`` below an upright tile, ``crossed`` below a double that began the turn.
    """

    edge: int
    x: int
    y: int
    heading: int = 1
    corner: str = ""
    double: bool = False


class Arms(NamedTuple):
    """A line with both its arms grown. The left arm is kept as a right arm, turned by half a turn around the lead."""

    tiles: tuple[Laid, ...]
    left: Arm
    right: Arm


@lru_cache(maxsize=2048)
def arrange(line: Line, shape: Shape = Shape.EVEN) -> Arrangement:
    """Return where every tile of the line lies; the window has room for the next tile of both arms, row by row."""
    tiles, left, right = _arms(line, shape)
    up, down = _depth(left), _depth(right)
    top = max(up, min(FEWEST // 2, FEWEST - down))
    wide, high = 2 * left.edge + HALF + 2 * MARGIN, max(FEWEST, up + down) + 2 * MARGIN
    return Arrangement(tiles, (-wide // 2, -top - MARGIN, wide, high), (FEWEST + 2 * MARGIN) / high)


def spot_of(line: Line, tile: Tile, place: str, shape: Shape = Shape.EVEN) -> Spot:
    """Return where the tile would lie at ``place``, one of the line's places for it."""
    if not place:
        return _lead_spot(tile)
    arms = _arms(line, shape)
    if place == LEFT:
        spot, _ = grow(arms.left, double=is_double(tile))
        return _turned(_mirrored(spot), tile, inner=line.left)
    spot, _ = grow(arms.right, double=is_double(tile))
    return _turned(spot, tile, inner=line.right)


def grow(arm: Arm, *, double: bool) -> tuple[Spot, Arm]:
    """Lay one more tile on a right arm. The spot's angle is the direction of travel, not yet the tile's."""
    edge, x, y, heading, corner, _ = arm
    along = 0 if heading > 0 else 180
    if corner == "upright":
        middle = x if double else x - heading * HALF // 2
        direction = 90 if double else 180 - along
        row = y + HALF // 2
        return Spot(middle, row, direction), Arm(edge, middle - heading * HALF, row, -heading, double=double)
    if corner == "crossed":
        return Spot(x, y + HALF, 90), Arm(edge, x - heading * HALF // 2, y + 3 * HALF // 2, -heading)
    length = HALF if double else 2 * HALF
    if heading * x + length > edge:
        return _turn(arm, double=double)
    return Spot(x + heading * length // 2, y, along), Arm(edge, x + heading * length, y, heading, double=double)


def _turn(arm: Arm, *, double: bool) -> tuple[Spot, Arm]:
    """Lay the tile that leaves a full row downwards, under the row's last half."""
    edge, x, y, heading, _, after_double = arm
    column = x - heading * HALF // 2
    if after_double:
        return Spot(column, y + 2 * HALF, 90), Arm(edge, x - heading * HALF, y + 5 * HALF // 2, -heading)
    if double:
        return Spot(column, y + HALF, 90), Arm(edge, column, y + 3 * HALF // 2, heading, "crossed")
    return Spot(column, y + 3 * HALF // 2, 90), Arm(edge, column, y + 5 * HALF // 2, heading, "upright")


@lru_cache(maxsize=2048)
def _arms(line: Line, shape: Shape) -> Arms:
    """Grow an arm by the last tile, from what both were before it was laid."""
    edge, tiles = ROWS[shape] * HALF, line.tiles
    if not tiles:
        return Arms((), Arm(edge, 0, 0), Arm(edge, 0, 0))
    first, last = tiles[0], tiles[-1]
    if len(tiles) == 1:
        double = is_double(first.tile)
        arm = Arm(edge, HALF // 2 if double else HALF, 0, double=double)
        return Arms((Laid(first.tile, _lead_spot(first.tile), first.order),), arm, arm)
    if first.order > last.order:
        before = _arms(Line(tiles[1:], first.right_half, line.right), shape)
        spot, arm = grow(before.left, double=is_double(first.tile))
        laid = Laid(first.tile, _turned(_mirrored(spot), first.tile, inner=first.right_half), first.order)
        return Arms((*before.tiles, laid), arm, before.right)
    before = _arms(Line(tiles[:-1], line.left, last.left_half), shape)
    spot, arm = grow(before.right, double=is_double(last.tile))
    laid = Laid(last.tile, _turned(spot, last.tile, inner=last.left_half), last.order)
    return Arms((*before.tiles, laid), before.left, arm)


def _lead_spot(tile: Tile) -> Spot:
    return Spot(0, 0, 90 if is_double(tile) else 0)


def _mirrored(spot: Spot) -> Spot:
    return Spot(-spot.x, -spot.y, (spot.angle + 180) % 360)


def _turned(spot: Spot, tile: Tile, *, inner: int | None) -> Spot:
    """Turn the direction of travel into the tile's angle: crosswise for a double, else ``inner`` half first."""
    if is_double(tile):
        return spot._replace(angle=(spot.angle + 90) % 180)
    return spot if tile[0] == inner else spot._replace(angle=(spot.angle + 180) % 360)


def _depth(arm: Arm) -> int:
    """Return how far down an arm and any next tile of it reach, in whole rows: the window seldom changes."""
    reach = max(grow(arm, double=double)[0].y for double in (False, True)) + HALF
    return HALF if reach <= HALF else ROW + max(0, -(-(reach - ROW) // APART)) * APART
