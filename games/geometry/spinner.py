"""Drawing the line with a spinner: four arms wind away from the spinner, each in its own quarter of the table.

Points are complex numbers, so multiplying by ``1j`` turns a direction clockwise by 90 degrees. The position of a tile
depends only on earlier tiles, so nothing on the table ever moves. Doubles lie crosswise; only the spinner has arms at
its ends.

Until the first double, arms run outwards and down like a staircase, so that both ends of that double are free. Then
they wind: out to the edge, one row sideways, back to the arm of the next quarter, one row sideways.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from games.engine.layout.line import LEFT, RIGHT, LineTile
from games.engine.layout.spinner import DOWN, UP, SpinnerLine
from games.engine.tiles import Tile, is_double
from games.geometry.spots import HALF, ArrangedTile, Arrangement, Shape, Spot

ANGLES = {1: 0, 1j: 90, -1: 180, -1j: 270}
# The nearest that a returning row comes to the middle of the spinner: the crosswise doubles of the next arm are there.
MIN_HUB_DISTANCE = 5 * HALF // 2
ROW_DISTANCE = 3 * HALF  # between the middles of two rows
MARGIN = 4


class NextTile(NamedTuple):
    """The middle of the next tile of an arm, its heading, and the new tip of the arm."""

    middle: complex
    heading: complex
    tip: complex


class Arm(NamedTuple):
    """The open end of an arm. Its rows run along ``outward`` and back, and follow each other towards ``sideways``::

        hub ── row ─────────────┐     ──► outward
                                │      │
              tip ◄─────────────┘      ▼ sideways

    ``tip`` is the middle of the outer edge, ``heading`` the direction there (here ``-outward``). ``last_row`` is a
    point of the last row that the arm left, or its beginning. ``has_turned``: the arm has turned at least once.
    ``ends_in_double``: the last tile is a double.
    """

    tip: complex
    heading: complex
    outward: complex
    sideways: complex
    last_row: complex
    has_turned: bool = False
    ends_in_double: bool = False

    def with_tile(self, next_tile: NextTile, *, double: bool) -> Arm:
        """Return the arm with the next tile."""
        turned = next_tile.heading != self.heading
        row = self.tip if turned and self.heading != self.sideways else self.last_row
        return Arm(
            next_tile.tip, next_tile.heading, self.outward, self.sideways, row, self.has_turned or turned, double
        )


class Box(NamedTuple):
    """The rectangle that the tiles cover."""

    x0: float = 0
    y0: float = 0
    x1: float = 0
    y1: float = 0

    def with_spot(self, middle: complex, half_size: complex) -> Box:
        """Return the box extended by a tile with this distance from its middle to its edges."""
        x0, y0, x1, y1 = self  # min() and max() would take three times as long as these comparisons
        x, y, half_width, half_height = middle.real, middle.imag, half_size.real, half_size.imag
        return Box(
            x - half_width if x - half_width < x0 else x0,
            y - half_height if y - half_height < y0 else y0,
            x + half_width if x + half_width > x1 else x1,
            y + half_height if y + half_height > y1 else y1,
        )


class TableSize(NamedTuple):
    """The size of a table of some shape.

    ``max_sideways_reach`` and ``max_upright_reach`` are the largest distances from the spinner's middle before an arm
    turns for the first time, to the sides and up or down. ``width`` and ``height`` are the size that is shown without
    scaling; rows may be longer while everything fits in it.
    """

    max_sideways_reach: int
    max_upright_reach: int
    width: int
    height: int

    def share_of(self, box: Box) -> float:
        """Return the share of the table that a box needs, in its longer direction."""
        across, down = (box.x1 - box.x0) / self.width, (box.y1 - box.y0) / self.height
        return across if across > down else down

    @property
    def max_share(self) -> float:
        """The share that longer rows may fill, which leaves room for half a tile."""
        return 1 - HALF / self.height


TABLE_SIZES = {
    Shape.TALL: TableSize(11 * HALF // 2, 11 * HALF // 2, 12 * HALF, 13 * HALF),
    Shape.EVEN: TableSize(19 * HALF // 2, 11 * HALF // 2, 20 * HALF, 11 * HALF),
    Shape.WIDE: TableSize(25 * HALF // 2, 7 * HALF // 2, 28 * HALF, 8 * HALF),
}


class LayoutWithArms(NamedTuple):
    """A layout with its arms. ``hub`` is the middle of the spinner, ``used_share`` the share of the table in use."""

    table_size: TableSize
    tiles: tuple[ArrangedTile, ...] = ()
    arms: tuple[tuple[str, Arm], ...] = ()
    hub: complex | None = None
    box: Box = Box()
    used_share: float = 0

    def may_reach(self, point: complex) -> bool:
        """Return True if a tile may reach this point without scaling down the layout."""
        return self.table_size.share_of(self.box.with_spot(point, 0)) <= max(
            self.used_share, self.table_size.max_share
        )


@lru_cache(maxsize=256)
def arrange(layout: SpinnerLine, shape: Shape = Shape.EVEN) -> Arrangement:
    """Return the positions of all tiles in playing order. The window has room for the next tile at every open end."""
    with_arms = _layout_with_arms(layout, shape)
    box, table_size, arms = with_arms.box, with_arms.table_size, dict(with_arms.arms)
    for place, _ in layout.ends:
        for double in (False, True):
            next_tile = _next_tile(with_arms, arms[place], double=double)
            box = box.with_spot(next_tile.middle, _half_size(next_tile.heading, double=double))
    x, width = _window_span(box.x0, box.x1, table_size.width)
    y, height = _window_span(box.y0, box.y1, table_size.height)
    return Arrangement(with_arms.tiles, (x, y, width, height), 1 / max(1, table_size.share_of(box)))


def spot_of_placement(layout: SpinnerLine, tile: Tile, place: str, shape: Shape = Shape.EVEN) -> Spot:
    """Return the position of a tile at one of its places."""
    return _layout_with_arms(layout.place(tile, place), shape).tiles[-1].spot


@lru_cache(maxsize=256)
def _layout_with_arms(layout: SpinnerLine, shape: Shape) -> LayoutWithArms:
    """Return the layout with its arms, derived from those before the last tile."""
    table_size = TABLE_SIZES[shape]
    if not layout.line:
        return LayoutWithArms(table_size)
    before, placed, place = _split_off_last(layout)
    if not before.line:
        return _place_lead(table_size, placed)
    with_arms, double = _layout_with_arms(before, shape), is_double(placed.tile)
    arms, hub = dict(with_arms.arms), with_arms.hub
    next_tile = _next_tile(with_arms, arms[place], double=double)
    arms[place] = arms[place].with_tile(next_tile, double=double)
    if double and hub is None:
        hub = next_tile.middle
        arms = _arms_around_spinner(arms, place, hub)
    spot = _tile_spot(placed, next_tile, inner=placed.right_half if place == LEFT else placed.left_half)
    box = with_arms.box.with_spot(next_tile.middle, _half_size(next_tile.heading, double=double))
    tiles = (*with_arms.tiles, ArrangedTile(placed.tile, spot, placed.order))
    return LayoutWithArms(table_size, tiles, tuple(arms.items()), hub, box, table_size.share_of(box))


def _place_lead(table_size: TableSize, placed: LineTile) -> LayoutWithArms:
    """Place the lead in the middle, a double upright."""
    double = is_double(placed.tile)
    half_size = HALF // 2 if double else HALF
    arms = {
        LEFT: Arm(-half_size, -1, -1, -1j, 0, ends_in_double=double),
        RIGHT: Arm(half_size, 1, 1, 1j, 0, ends_in_double=double),
    }
    spot = _tile_spot(placed, NextTile(0, 1, 0), inner=placed.left_half)
    box = Box().with_spot(0, _half_size(1, double=double))
    if double:
        arms = _arms_around_spinner(arms, RIGHT, 0)
    tiles = (ArrangedTile(placed.tile, spot, placed.order),)
    return LayoutWithArms(table_size, tiles, tuple(arms.items()), 0 if double else None, box, table_size.share_of(box))


def _arms_around_spinner(arms: dict[str, Arm], place: str, hub: complex) -> dict[str, Arm]:
    """Give every arm its quarter of the table after the spinner was added to the arm at ``place``.

    If the line runs downwards there, everything is mirrored at the diagonal.
    """
    heading = arms[place].heading
    is_level = heading in (1, -1)
    quarter = 1j if is_level else -1j
    outward_by_end = {LEFT: -1, RIGHT: 1, UP: -1j, DOWN: 1j} if is_level else {LEFT: -1j, RIGHT: 1j, UP: -1, DOWN: 1}
    for end in (LEFT, RIGHT):
        arms[end] = arms[end]._replace(outward=outward_by_end[end], sideways=outward_by_end[end] * quarter)
    for end in (UP, DOWN):
        outward = outward_by_end[end]
        arms[end] = Arm(hub + outward * HALF, outward, outward, outward * quarter, hub)
    arms[place] = arms[place]._replace(last_row=hub, has_turned=False)
    return arms


def _next_tile(layout: LayoutWithArms, arm: Arm, *, double: bool) -> NextTile:
    """Return the next tile of an arm, straight ahead or around a corner."""
    turn, beyond = _turn_direction(layout, arm, double=double)
    length = HALF if double else 2 * HALF
    if not turn:
        return NextTile(arm.tip + arm.heading * length / 2, arm.heading, arm.tip + arm.heading * length)
    if beyond:
        corner = arm.tip + arm.heading * HALF / 2
        return NextTile(corner + turn * HALF / 2, turn, corner + turn * 3 * HALF / 2)
    corner = arm.tip - arm.heading * HALF / 2 + turn * HALF / 2
    return NextTile(corner + turn * length / 2, turn, corner + turn * length)


def _turn_direction(layout: LayoutWithArms, arm: Arm, *, double: bool) -> tuple[complex, bool]:
    """Return the direction in which the next tile turns (0: none), and True if it turns beyond the arm's end.

    Otherwise it turns next to the last half of the arm. After a double every tile goes straight ahead.
    """
    if arm.ends_in_double:
        return 0, False
    if arm.heading != arm.sideways:
        return (0, False) if _has_room_in_row(layout, arm, double=double) else (arm.sideways, False)
    depth = _projection(arm.tip - arm.last_row, arm.sideways)
    if (
        double
        or depth + HALF / 2 < ROW_DISTANCE
        or (layout.hub is None and _has_room_in_row(layout, arm, double=False))
    ):
        return 0, False
    near = layout.hub is None or _projection(arm.tip - layout.hub, arm.outward) < MIN_HUB_DISTANCE + ROW_DISTANCE
    return (arm.outward if near else -arm.outward), depth - HALF / 2 < ROW_DISTANCE


def _has_room_in_row(layout: LayoutWithArms, arm: Arm, *, double: bool) -> bool:
    """Return True if a row has room for the next tile; for a double also for the tile after it."""
    if layout.hub is None and double:
        return True
    end = arm.tip + arm.heading * HALF * (3 if double else 2)
    if layout.hub is None:
        return layout.may_reach(end)
    far = _projection(end - layout.hub, arm.outward)
    if arm.heading == -arm.outward:
        return far >= MIN_HUB_DISTANCE
    table_size = layout.table_size
    return far <= (table_size.max_sideways_reach if arm.outward in (1, -1) else table_size.max_upright_reach) or (
        arm.has_turned and layout.may_reach(end)
    )


def _tile_spot(placed: LineTile, next_tile: NextTile, *, inner: int) -> Spot:
    """Return the position with the angle of the tile: crosswise for a double, else the ``inner`` half first."""
    angle = ANGLES[next_tile.heading]
    if is_double(placed.tile):
        angle = (angle + 90) % 180
    elif placed.tile[0] != inner:
        angle = (angle + 180) % 360
    return Spot(round(next_tile.middle.real), round(next_tile.middle.imag), angle)


@cache
def _half_size(heading: complex, *, double: bool) -> complex:
    """Return the distances from the middle of a tile to its right and lower edges, as a complex number."""
    upright = (heading in (1j, -1j)) != double
    return complex(HALF // 2, HALF) if upright else complex(HALF, HALF // 2)


def _projection(point: complex, direction: complex) -> float:
    """Return the length of a point's projection on a direction."""
    return point.real * direction.real + point.imag * direction.imag


def _window_span(low: float, high: float, min_length: int) -> tuple[int, int]:
    """Return the start and the length of a window that shows ``low`` to ``high``, margins included.

    Without margins it is at least ``min_length`` long. A longer window stays as close to the table's middle as it
    can.
    """
    window_length = max(round(high - low), min_length)
    start = round(max(min(low, -min_length / 2), high - window_length))
    return start - MARGIN, window_length + 2 * MARGIN


def _split_off_last(layout: SpinnerLine) -> tuple[SpinnerLine, LineTile, str]:
    """Return the layout before its last tile, the tile and its place."""
    line, up, down = layout.line, layout.up, layout.down
    last = max((line[0], line[-1], *up[-1:], *down[-1:]), key=attrgetter("order"))
    spinner = None if last == layout.spinner else layout.spinner
    if last == line[0]:
        return SpinnerLine(line[1:], up, down, spinner), last, LEFT
    if last == line[-1]:
        return SpinnerLine(line[:-1], up, down, spinner), last, RIGHT
    if up and last == up[-1]:
        return SpinnerLine(line, up[:-1], down, spinner), last, UP
    return SpinnerLine(line, up, down[:-1], spinner), last, DOWN
