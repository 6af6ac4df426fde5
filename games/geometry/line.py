"""Drawing the line of play: two arms wind away from the lead, the right one downwards, the left one upwards.

The position of a tile depends only on earlier tiles of its arm, so nothing on the table ever moves. At the edge an arm
turns through an upright tile into the next row. Doubles lie crosswise.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.layout.line import LEFT, Line
from games.engine.tiles import Tile, is_double
from games.geometry.spots import HALF, Arrangement, Laid, Shape, Spot

ROWS = {Shape.TALL: 6, Shape.EVEN: 8, Shape.WIDE: 11}  # length of a row in tiles
FEWEST = 8 * HALF  # smallest height of the window: three rows, with room for a double in them
ROW, APART = 4 * HALF, 3 * HALF  # From the middle of the lead to the far side of the next row, and from row to row.
MARGIN = 4


class Arm(NamedTuple):
    """The open end of an arm: the middle of its outer edge, and the heading of its row (1 right, -1 left).

    ``edge`` is the largest distance of a row from the lead's middle; a double in a corner exceeds it by HALF / 2.
    ``corner``: ``""`` in a row, ``upright`` below an upright tile, ``crossed`` below a double that began the turn.
    ``double``: the last tile is a double.
    """

    edge: int
    x: int
    y: int
    heading: int = 1
    corner: str = ""
    double: bool = False


class Arms(NamedTuple):
    """A line with its arms. The left arm is stored as a right arm, rotated by 180 degrees around the lead."""

    tiles: tuple[Laid, ...]
    left_arm: Arm
    right_arm: Arm


@lru_cache(maxsize=2048)
def arrange(line: Line, shape: Shape = Shape.EVEN) -> Arrangement:
    """Return the positions of all tiles. The window has room for the next tile of both arms, in whole rows."""
    tiles, left_arm, right_arm = _arms(line, shape)
    up, down = _depth(left_arm), _depth(right_arm)
    top = max(up, min(FEWEST // 2, FEWEST - down))
    wide, high = 2 * left_arm.edge + HALF + 2 * MARGIN, max(FEWEST, up + down) + 2 * MARGIN
    return Arrangement(tiles, (-wide // 2, -top - MARGIN, wide, high), (FEWEST + 2 * MARGIN) / high)


def spot_of(line: Line, tile: Tile, place: str, shape: Shape = Shape.EVEN) -> Spot:
    """Return the position of a tile at one of its places."""
    if not place:
        return _lead_spot(tile)
    arms = _arms(line, shape)
    if place == LEFT:
        spot, _ = grow(arms.left_arm, double=is_double(tile))
        return _turned(_mirrored(spot), tile, inner=line.left_end)
    spot, _ = grow(arms.right_arm, double=is_double(tile))
    return _turned(spot, tile, inner=line.right_end)


def grow(arm: Arm, *, double: bool) -> tuple[Spot, Arm]:
    """Add a tile to a right arm. The angle of the spot is the direction of travel, not that of the tile."""
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
    """Add the tile that leaves a full row downwards, below the last half of the row."""
    edge, x, y, heading, _, after_double = arm
    column = x - heading * HALF // 2
    if after_double:
        return Spot(column, y + 2 * HALF, 90), Arm(edge, x - heading * HALF, y + 5 * HALF // 2, -heading)
    if double:
        return Spot(column, y + HALF, 90), Arm(edge, column, y + 3 * HALF // 2, heading, "crossed")
    return Spot(column, y + 3 * HALF // 2, 90), Arm(edge, column, y + 5 * HALF // 2, heading, "upright")


@lru_cache(maxsize=2048)
def _arms(line: Line, shape: Shape) -> Arms:
    """Return the arms, derived from those before the last tile."""
    edge, tiles = ROWS[shape] * HALF, line.tiles
    if not tiles:
        return Arms((), Arm(edge, 0, 0), Arm(edge, 0, 0))
    first, last = tiles[0], tiles[-1]
    if len(tiles) == 1:
        double = is_double(first.tile)
        arm = Arm(edge, HALF // 2 if double else HALF, 0, double=double)
        return Arms((Laid(first.tile, _lead_spot(first.tile), first.order),), arm, arm)
    if first.order > last.order:
        before = _arms(Line(tiles[1:], first.right_half, line.right_end), shape)
        spot, arm = grow(before.left_arm, double=is_double(first.tile))
        laid = Laid(first.tile, _turned(_mirrored(spot), first.tile, inner=first.right_half), first.order)
        return Arms((*before.tiles, laid), arm, before.right_arm)
    before = _arms(Line(tiles[:-1], line.left_end, last.left_half), shape)
    spot, arm = grow(before.right_arm, double=is_double(last.tile))
    laid = Laid(last.tile, _turned(spot, last.tile, inner=last.left_half), last.order)
    return Arms((*before.tiles, laid), before.left_arm, arm)


def _lead_spot(tile: Tile) -> Spot:
    return Spot(0, 0, 90 if is_double(tile) else 0)


def _mirrored(spot: Spot) -> Spot:
    return Spot(-spot.x, -spot.y, (spot.angle + 180) % 360)


def _turned(spot: Spot, tile: Tile, *, inner: int | None) -> Spot:
    """Convert the direction of travel to the angle of the tile: crosswise for a double, else ``inner`` half first."""
    if is_double(tile):
        return spot._replace(angle=(spot.angle + 90) % 180)
    return spot if tile[0] == inner else spot._replace(angle=(spot.angle + 180) % 360)


def _depth(arm: Arm) -> int:
    """Return the depth of an arm with any next tile, rounded up to rows so that the window seldom changes."""
    reach = max(grow(arm, double=double)[0].y for double in (False, True)) + HALF
    return HALF if reach <= HALF else ROW + max(0, -(-(reach - ROW) // APART)) * APART
