"""Drawing the line of play: two arms wind away from the lead, the right one downwards, the left one upwards.

The position of a tile depends only on earlier tiles of its arm, so nothing on the table ever moves. At the edge an arm
turns through an upright tile into the next row. Doubles lie crosswise.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import NamedTuple

from games.engine.layout.line import LEFT, Line
from games.engine.tiles import Tile, is_double
from games.geometry.spots import HALF, ArrangedTile, Arrangement, Shape, Spot

ROW_TILES = {Shape.TALL: 5, Shape.EVEN: 8, Shape.WIDE: 11}  # length of a row in tiles
MIN_HEIGHT = 8 * HALF  # smallest height of the window: three rows, with room for a double in them
FIRST_ROW_DEPTH = 4 * HALF  # from the middle of the lead to the far side of the next row
ROW_DISTANCE = 3 * HALF  # between the middles of two rows
MARGIN = 4


class Arm(NamedTuple):
    """The open end of an arm: the middle of its outer edge, and the heading of its row (1 right, -1 left).

    ``max_distance`` is the largest distance of a row from the lead's middle; a double in a corner exceeds it by
    HALF / 2.
    ``corner``: ``""`` in a row, ``upright`` below an upright tile, ``crossed`` below a double that began the turn.
    ``ends_in_double``: the last tile is a double.
    """

    max_distance: int
    x: int
    y: int
    heading: int = 1
    corner: str = ""
    ends_in_double: bool = False


class LineWithArms(NamedTuple):
    """A line with its arms. The left arm is stored as a right arm, rotated by 180 degrees around the lead."""

    tiles: tuple[ArrangedTile, ...]
    left_arm: Arm
    right_arm: Arm


@lru_cache(maxsize=512)
def arrange(line: Line, shape: Shape = Shape.EVEN) -> Arrangement:
    """Return the positions of all tiles. The window has room for the next tile of both arms, in whole rows."""
    tiles, left_arm, right_arm = _line_with_arms(line, shape)
    up, down = _arm_depth(left_arm), _arm_depth(right_arm)
    top = max(up, min(MIN_HEIGHT // 2, MIN_HEIGHT - down))
    width, height = 2 * left_arm.max_distance + HALF + 2 * MARGIN, max(MIN_HEIGHT, up + down) + 2 * MARGIN
    return Arrangement(tiles, (-width // 2, -top - MARGIN, width, height), (MIN_HEIGHT + 2 * MARGIN) / height)


def spot_of_placement(line: Line, tile: Tile, place: str, shape: Shape = Shape.EVEN) -> Spot:
    """Return the position of a tile at one of its places."""
    if not place:
        return _lead_spot(tile)
    arms = _line_with_arms(line, shape)
    if place == LEFT:
        spot, _ = extend_arm(arms.left_arm, double=is_double(tile))
        return _with_tile_angle(_rotate_half_turn(spot), tile, inner=line.left_end)
    spot, _ = extend_arm(arms.right_arm, double=is_double(tile))
    return _with_tile_angle(spot, tile, inner=line.right_end)


def extend_arm(arm: Arm, *, double: bool) -> tuple[Spot, Arm]:
    """Add a tile to a right arm. The angle of the spot is the direction of travel, not that of the tile."""
    max_distance, x, y, heading, corner, _ = arm
    travel_angle = 0 if heading > 0 else 180
    if corner == "upright":
        middle = x if double else x - heading * HALF // 2
        turn_angle = 90 if double else 180 - travel_angle
        row = y + HALF // 2
        return Spot(middle, row, turn_angle), Arm(
            max_distance, middle - heading * HALF, row, -heading, ends_in_double=double
        )
    if corner == "crossed":
        return Spot(x, y + HALF, 90), Arm(max_distance, x - heading * HALF // 2, y + 3 * HALF // 2, -heading)
    length = HALF if double else 2 * HALF
    if heading * x + length > max_distance:
        return _turn_corner(arm, double=double)
    return Spot(x + heading * length // 2, y, travel_angle), Arm(
        max_distance, x + heading * length, y, heading, ends_in_double=double
    )


def _turn_corner(arm: Arm, *, double: bool) -> tuple[Spot, Arm]:
    """Add the tile that leaves a full row downwards, below the last half of the row."""
    max_distance, x, y, heading, _, after_double = arm
    column = x - heading * HALF // 2
    if after_double:
        return Spot(column, y + 2 * HALF, 90), Arm(max_distance, x - heading * HALF, y + 5 * HALF // 2, -heading)
    if double:
        return Spot(column, y + HALF, 90), Arm(max_distance, column, y + 3 * HALF // 2, heading, "crossed")
    return Spot(column, y + 3 * HALF // 2, 90), Arm(max_distance, column, y + 5 * HALF // 2, heading, "upright")


@lru_cache(maxsize=512)
def _line_with_arms(line: Line, shape: Shape) -> LineWithArms:
    """Return the line with its arms, derived from those before the last tile."""
    max_distance, tiles = ROW_TILES[shape] * HALF, line.tiles
    if not tiles:
        return LineWithArms((), Arm(max_distance, 0, 0), Arm(max_distance, 0, 0))
    first, last = tiles[0], tiles[-1]
    if len(tiles) == 1:
        double = is_double(first.tile)
        arm = Arm(max_distance, HALF // 2 if double else HALF, 0, ends_in_double=double)
        return LineWithArms((ArrangedTile(first.tile, _lead_spot(first.tile), first.order),), arm, arm)
    if first.order > last.order:
        before = _line_with_arms(Line(tiles[1:], first.right_half, line.right_end), shape)
        spot, arm = extend_arm(before.left_arm, double=is_double(first.tile))
        tile = ArrangedTile(
            first.tile, _with_tile_angle(_rotate_half_turn(spot), first.tile, inner=first.right_half), first.order
        )
        return LineWithArms((*before.tiles, tile), arm, before.right_arm)
    before = _line_with_arms(Line(tiles[:-1], line.left_end, last.left_half), shape)
    spot, arm = extend_arm(before.right_arm, double=is_double(last.tile))
    tile = ArrangedTile(last.tile, _with_tile_angle(spot, last.tile, inner=last.left_half), last.order)
    return LineWithArms((*before.tiles, tile), before.left_arm, arm)


def _lead_spot(tile: Tile) -> Spot:
    return Spot(0, 0, 90 if is_double(tile) else 0)


def _rotate_half_turn(spot: Spot) -> Spot:
    return Spot(-spot.x, -spot.y, (spot.angle + 180) % 360)


def _with_tile_angle(spot: Spot, tile: Tile, *, inner: int | None) -> Spot:
    """Convert the direction of travel to the angle of the tile: crosswise for a double, else ``inner`` half first."""
    if is_double(tile):
        return spot._replace(angle=(spot.angle + 90) % 180)
    return spot if tile[0] == inner else spot._replace(angle=(spot.angle + 180) % 360)


def _arm_depth(arm: Arm) -> int:
    """Return the depth of an arm with any next tile, rounded up to rows so that the window rarely changes."""
    reach = max(extend_arm(arm, double=double)[0].y for double in (False, True)) + HALF
    if reach <= HALF:
        return HALF
    more_rows = max(0, ceil((reach - FIRST_ROW_DEPTH) / ROW_DISTANCE))
    return FIRST_ROW_DEPTH + more_rows * ROW_DISTANCE
