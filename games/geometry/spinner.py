"""Drawing the line with a spinner: four arms wind away from the spinner, each in its own quarter of the table.

Points are complex numbers, so multiplying by ``1j`` turns a direction clockwise by 90 degrees. The position of a tile
depends only on earlier tiles, so nothing on the table ever moves. Doubles lie crosswise; only the spinner has arms at
its ends.

Until the first double, arms run outwards and down like a staircase, so that both ends of a double there are free. Then
they wind: out to the edge, a step aside, back to the arm of the next quarter, a step aside.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from games.engine.layout.line import LEFT, RIGHT, LineTile
from games.engine.layout.spinner import DOWN, UP, SpinnerLine
from games.engine.tiles import Tile, is_double
from games.geometry.spots import HALF, Arrangement, Laid, Shape, Spot

ANGLES = {1: 0, 1j: 90, -1: 180, -1j: 270}
# Nearest end of a returning row to the middle of the spinner, past the crosswise doubles of the next arm.
INNER = 5 * HALF // 2
APART = 3 * HALF  # between the middles of two rows
MARGIN = 4


class Segment(NamedTuple):
    """The middle of the next tile of an arm, its heading, and the new tip of the arm."""

    middle: complex
    heading: complex
    tip: complex


class Arm(NamedTuple):
    """The open end of an arm. Its rows run along ``out`` and back, and follow each other towards ``side``::

        hub ── row ─────────────┐     ──► out
                                │      │
              tip ◄─────────────┘      ▼ side

    ``tip`` is the middle of the outer edge, ``heading`` the direction there (here ``-out``). ``row`` is a point of the
    last row that the arm left, or its beginning. ``turned``: the arm has turned at least once. ``double``: the last
    tile is a double.
    """

    tip: complex
    heading: complex
    out: complex
    side: complex
    row: complex
    turned: bool = False
    double: bool = False

    def grown(self, segment: Segment, *, double: bool) -> Arm:
        """Return the arm with the next tile."""
        turned = segment.heading != self.heading
        row = self.tip if turned and self.heading != self.side else self.row
        return Arm(segment.tip, segment.heading, self.out, self.side, row, self.turned or turned, double)


class Box(NamedTuple):
    """The rectangle that the tiles cover."""

    x0: float = 0
    y0: float = 0
    x1: float = 0
    y1: float = 0

    def with_spot(self, middle: complex, reach: complex) -> Box:
        """Return the box extended by a tile with this distance from its middle to its edges."""
        x0, y0, x1, y1 = self  # min() and max() would take three times as long as these comparisons
        x, y, wide, high = middle.real, middle.imag, reach.real, reach.imag
        return Box(
            x - wide if x - wide < x0 else x0,
            y - high if y - high < y0 else y0,
            x + wide if x + wide > x1 else x1,
            y + high if y + high > y1 else y1,
        )


class Room(NamedTuple):
    """The room on a table of some shape.

    ``aside`` and ``upright`` are the largest distances from the spinner's middle before an arm turns for the first
    time, to the sides and up or down. ``width`` and ``height`` are the size that is shown without scaling; rows may
    be longer while everything fits in it.
    """

    aside: int
    upright: int
    width: int
    height: int

    def part(self, box: Box) -> float:
        """Return the part of the room that a box needs, in its longer direction."""
        across, down = (box.x1 - box.x0) / self.width, (box.y1 - box.y0) / self.height
        return across if across > down else down

    @property
    def nearly(self) -> float:
        """The part that longer rows may fill, which leaves room for half a tile."""
        return 1 - HALF / self.height


ROOMS = {
    Shape.TALL: Room(11 * HALF // 2, 11 * HALF // 2, 12 * HALF, 13 * HALF),
    Shape.EVEN: Room(19 * HALF // 2, 11 * HALF // 2, 20 * HALF, 11 * HALF),
    Shape.WIDE: Room(25 * HALF // 2, 7 * HALF // 2, 28 * HALF, 8 * HALF),
}


class Growth(NamedTuple):
    """A layout with its arms. ``hub`` is the middle of the spinner, ``filled`` the used part of the room."""

    room: Room
    tiles: tuple[Laid, ...] = ()
    arms: tuple[tuple[str, Arm], ...] = ()
    hub: complex | None = None
    box: Box = Box()
    filled: float = 0

    def fits(self, point: complex) -> bool:
        """Return True if a tile may reach this point without scaling down the layout."""
        return self.room.part(self.box.with_spot(point, 0)) <= max(self.filled, self.room.nearly)


@lru_cache(maxsize=2048)
def arrange(layout: SpinnerLine, shape: Shape = Shape.EVEN) -> Arrangement:
    """Return the positions of all tiles in playing order. The window has room for the next tile at every open end."""
    growth = _grown(layout, shape)
    box, room, arms = growth.box, growth.room, dict(growth.arms)
    for place, _ in layout.ends:
        for double in (False, True):
            segment = _segment(growth, arms[place], double=double)
            box = box.with_spot(segment.middle, _reach(segment.heading, double=double))
    x, wide = _span(box.x0, box.x1, room.width)
    y, high = _span(box.y0, box.y1, room.height)
    return Arrangement(growth.tiles, (x, y, wide, high), 1 / max(1, room.part(box)))


def spot_of(layout: SpinnerLine, tile: Tile, place: str, shape: Shape = Shape.EVEN) -> Spot:
    """Return the position of a tile at one of its places."""
    return _grown(layout.place(tile, place), shape).tiles[-1].spot


@lru_cache(maxsize=4096)
def _grown(layout: SpinnerLine, shape: Shape) -> Growth:
    """Return the arms, derived from those before the last tile."""
    room = ROOMS[shape]
    if not layout.line:
        return Growth(room)
    before, placed, place = _without_last(layout)
    if not before.line:
        return _led(room, placed)
    growth, double = _grown(before, shape), is_double(placed.tile)
    arms, hub = dict(growth.arms), growth.hub
    segment = _segment(growth, arms[place], double=double)
    arms[place] = arms[place].grown(segment, double=double)
    if double and hub is None:
        hub = segment.middle
        arms = _opened(arms, place, hub)
    spot = _spot(placed, segment, inner=placed.right_half if place == LEFT else placed.left_half)
    box = growth.box.with_spot(segment.middle, _reach(segment.heading, double=double))
    tiles = (*growth.tiles, Laid(placed.tile, spot, placed.order))
    return Growth(room, tiles, tuple(arms.items()), hub, box, room.part(box))


def _led(room: Room, placed: LineTile) -> Growth:
    """Place the lead in the middle, a double upright."""
    double = is_double(placed.tile)
    reach = HALF // 2 if double else HALF
    arms = {
        LEFT: Arm(-reach, -1, -1, -1j, 0, double=double),
        RIGHT: Arm(reach, 1, 1, 1j, 0, double=double),
    }
    spot = _spot(placed, Segment(0, 1, 0), inner=placed.left_half)
    box = Box().with_spot(0, _reach(1, double=double))
    if double:
        arms = _opened(arms, RIGHT, 0)
    tiles = (Laid(placed.tile, spot, placed.order),)
    return Growth(room, tiles, tuple(arms.items()), 0 if double else None, box, room.part(box))


def _opened(arms: dict[str, Arm], place: str, hub: complex) -> dict[str, Arm]:
    """Give every arm its quarter of the table after the spinner was added to the arm at ``place``.

    If the line runs downwards there, everything is mirrored at the diagonal.
    """
    heading = arms[place].heading
    level = heading in (1, -1)
    quarter = 1j if level else -1j
    outs = {LEFT: -1, RIGHT: 1, UP: -1j, DOWN: 1j} if level else {LEFT: -1j, RIGHT: 1j, UP: -1, DOWN: 1}
    for end in (LEFT, RIGHT):
        arms[end] = arms[end]._replace(out=outs[end], side=outs[end] * quarter)
    for end in (UP, DOWN):
        out = outs[end]
        arms[end] = Arm(hub + out * HALF, out, out, out * quarter, hub)
    arms[place] = arms[place]._replace(row=hub, turned=False)
    return arms


def _segment(growth: Growth, arm: Arm, *, double: bool) -> Segment:
    """Return the next tile of an arm, straight ahead or around a corner."""
    turn, beyond = _turn(growth, arm, double=double)
    length = HALF if double else 2 * HALF
    if not turn:
        return Segment(arm.tip + arm.heading * length / 2, arm.heading, arm.tip + arm.heading * length)
    if beyond:
        corner = arm.tip + arm.heading * HALF / 2
        return Segment(corner + turn * HALF / 2, turn, corner + turn * 3 * HALF / 2)
    corner = arm.tip - arm.heading * HALF / 2 + turn * HALF / 2
    return Segment(corner + turn * length / 2, turn, corner + turn * length)


def _turn(growth: Growth, arm: Arm, *, double: bool) -> tuple[complex, bool]:
    """Return the direction in which the next tile turns (0: none), and True if it turns beyond the arm's end.

    Otherwise it turns next to the last half of the arm. After a double every tile goes straight ahead.
    """
    if arm.double:
        return 0, False
    if arm.heading != arm.side:
        return (0, False) if _goes_on(growth, arm, double=double) else (arm.side, False)
    depth = _part(arm.tip - arm.row, arm.side)
    if double or depth + HALF / 2 < APART or (growth.hub is None and _goes_on(growth, arm, double=False)):
        return 0, False
    near = growth.hub is None or _part(arm.tip - growth.hub, arm.out) < INNER + APART
    return (arm.out if near else -arm.out), depth - HALF / 2 < APART


def _goes_on(growth: Growth, arm: Arm, *, double: bool) -> bool:
    """Return True if a row has room for the next tile; for a double also for the tile after it."""
    if growth.hub is None and double:
        return True
    end = arm.tip + arm.heading * HALF * (3 if double else 2)
    if growth.hub is None:
        return growth.fits(end)
    far = _part(end - growth.hub, arm.out)
    if arm.heading == -arm.out:
        return far >= INNER
    room = growth.room
    return far <= (room.aside if arm.out in (1, -1) else room.upright) or (arm.turned and growth.fits(end))


def _spot(placed: LineTile, segment: Segment, *, inner: int) -> Spot:
    """Return the position with the angle of the tile: crosswise for a double, else the ``inner`` half first."""
    angle = ANGLES[segment.heading]
    if is_double(placed.tile):
        angle = (angle + 90) % 180
    elif placed.tile[0] != inner:
        angle = (angle + 180) % 360
    return Spot(round(segment.middle.real), round(segment.middle.imag), angle)


@cache
def _reach(heading: complex, *, double: bool) -> complex:
    """Return the distance from the middle of a tile to its right and lower edges."""
    upright = (heading in (1j, -1j)) != double
    return complex(HALF // 2, HALF) if upright else complex(HALF, HALF // 2)


def _part(point: complex, direction: complex) -> float:
    """Return the length of a point's projection on a direction."""
    return point.real * direction.real + point.imag * direction.imag


def _span(low: float, high: float, least: int) -> tuple[int, int]:
    """Return the beginning and the length of a window that shows ``low`` to ``high``, margins included.

    Without margins it is at least ``least`` long. A longer one stays as close to the table's middle as possible.
    """
    length = max(round(high - low), least)
    begin = round(max(min(low, -least / 2), high - length))
    return begin - MARGIN, length + 2 * MARGIN


def _without_last(layout: SpinnerLine) -> tuple[SpinnerLine, LineTile, str]:
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
