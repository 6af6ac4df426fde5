"""A line with a spinner as it is drawn: four arms that wind away from the spinner, each in a quarter of its own.

A point is a complex number, so multiplying by ``1j`` turns a direction by a quarter clockwise. Where a tile lies
depends only on what was laid before it, so nothing on the table ever moves. Doubles lie crosswise; no arm leaves one
of them by its ends but the spinner's own two.

Until the first double an arm runs out and down like a staircase, so that both ends of a double laid there look into
the open. From then on it winds: out to the edge, a step aside, back to the arm of the next quarter, a step aside.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.layout.line import LEFT, RIGHT, LineTile
from games.engine.layout.spinner import DOWN, UP, SpinnerLine
from games.engine.tiles import Tile, is_double
from games.geometry.spots import HALF, Arrangement, Laid, Spot

ANGLES = {1: 0, 1j: 90, -1: 180, -1j: 270}
ASIDE, UPRIGHT = 17 * HALF // 2, 11 * HALF // 2
"""How far from the middle of the spinner an arm reaches before it turns for the first time: to a side, up or down."""
INNER = 5 * HALF // 2
"""How near to the middle of the spinner a row comes back: past the crosswise doubles of the next arm."""
APART = 3 * HALF
"""From the middle of one row to the middle of the next."""
WIDTH, HEIGHT = 18 * HALF, 13 * HALF
"""What is shown without being made smaller. As long as the tiles need no more, rows may be longer. The felt is wider
than high, on telephones too."""
NEARLY = 1 - HALF / HEIGHT
"""How much of the window rows may fill: half a tile stays free for the next one."""
MARGIN = 4
WINDOW = (-WIDTH // 2 - MARGIN, -HEIGHT // 2 - MARGIN, WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN)


class Segment(NamedTuple):
    """One more tile of an arm: its middle, where it heads, and the arm's new tip."""

    middle: complex
    heading: complex
    tip: complex


class Arm(NamedTuple):
    """The open end of an arm.

    ``tip`` is the middle of its outer edge, ``heading`` where it goes on unless it turns. Its rows run along
    ``out`` (and back) and follow each other towards ``side``. ``row`` is a point of the row it left last, or where
    the arm begins; ``turned``: it has turned at least once; ``double``: a double lies at its end.
    """

    tip: complex
    heading: complex
    out: complex
    side: complex
    row: complex
    turned: bool = False
    double: bool = False

    def grown(self, segment: Segment, *, double: bool) -> Arm:
        """Return the arm with one more tile."""
        turned = segment.heading != self.heading
        row = self.tip if turned and self.heading != self.side else self.row
        return Arm(segment.tip, segment.heading, self.out, self.side, row, self.turned or turned, double)


class Box(NamedTuple):
    """What the tiles cover: from left and top to right and bottom."""

    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0

    def with_spot(self, middle: complex, reach: complex) -> Box:
        """Return the box grown by a tile that reaches so far from its middle."""
        low, high = middle - reach, middle + reach
        return Box(
            min(self.left, low.real),
            min(self.top, low.imag),
            max(self.right, high.real),
            max(self.bottom, high.imag),
        )


class Growth(NamedTuple):
    """A layout with its arms grown. ``hub`` is the middle of the spinner."""

    tiles: tuple[Laid, ...] = ()
    arms: tuple[tuple[str, Arm], ...] = ()
    hub: complex | None = None
    box: Box = Box()


@lru_cache(maxsize=1024)
def arrange(layout: SpinnerLine) -> Arrangement:
    """Return where every tile lies, in the order they were laid; room is kept for the next one at every open end."""
    growth = _grown(layout)
    box = growth.box
    for place, _ in layout.ends:
        for double in (False, True):
            segment = _segment(growth, dict(growth.arms)[place], double=double)
            box = box.with_spot(segment.middle, _reach(segment.heading, double=double))
    scale = 1 / max(1, _size(box))
    shift = (_shift(box.left, box.right, WIDTH / scale), _shift(box.top, box.bottom, HEIGHT / scale))
    return Arrangement(growth.tiles, WINDOW, shift, scale)


def spot_of(layout: SpinnerLine, tile: Tile, place: str) -> Spot:
    """Return where the tile would lie at ``place``, one of the layout's places for it."""
    return _grown(layout.place(tile, place)).tiles[-1].spot


@lru_cache(maxsize=2048)
def _grown(layout: SpinnerLine) -> Growth:
    """Grow the arms tile by tile, from what they were before the last tile was laid."""
    if not layout.line:
        return Growth()
    before, placed, place = _without_last(layout)
    if not before.line:
        return _led(placed)
    growth, double = _grown(before), is_double(placed.tile)
    arms, hub = dict(growth.arms), growth.hub
    segment = _segment(growth, arms[place], double=double)
    arms[place] = arms[place].grown(segment, double=double)
    if double and hub is None:
        hub = segment.middle
        arms = _opened(arms, place, hub)
    spot = _spot(placed, segment, inner=placed.right_half if place == LEFT else placed.left_half)
    box = growth.box.with_spot(segment.middle, _reach(segment.heading, double=double))
    return Growth((*growth.tiles, Laid(placed.tile, spot, placed.order)), tuple(arms.items()), hub, box)


def _led(placed: LineTile) -> Growth:
    """Lay the lead in the middle, a double upright."""
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
    return Growth((Laid(placed.tile, spot, placed.order),), tuple(arms.items()), 0 if double else None, box)


def _opened(arms: dict[str, Arm], place: str, hub: complex) -> dict[str, Arm]:
    """Give every arm its quarter, now that the spinner lies at the end of the arm at ``place``.

    Where the line runs downwards there, everything is as if mirrored at the diagonal.
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
    """Return where the next tile of an arm goes: straight on, or round a corner."""
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
    """Return where the next tile turns to (0: straight on), and whether its inner half lies beyond the arm's end.

    Else it lies beside the last half of the arm. After a double every tile goes straight on.
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
    """Return whether a row has room for one more tile, after a double for the one that must follow it, too."""
    if growth.hub is None and double:
        return True
    end = arm.tip + arm.heading * HALF * (3 if double else 2)
    fits = _size(growth.box.with_spot(end, 0)) <= max(_size(growth.box), NEARLY)
    if growth.hub is None:
        return fits
    far = _part(end - growth.hub, arm.out)
    if arm.heading == -arm.out:
        return far >= INNER
    return far <= (ASIDE if arm.out in (1, -1) else UPRIGHT) or (arm.turned and fits)


def _spot(placed: LineTile, segment: Segment, *, inner: int) -> Spot:
    """Turn the heading into the tile's angle: crosswise for a double, else the ``inner`` half first."""
    angle = ANGLES[segment.heading]
    if is_double(placed.tile):
        angle = (angle + 90) % 180
    elif placed.tile[0] != inner:
        angle = (angle + 180) % 360
    return Spot(round(segment.middle.real), round(segment.middle.imag), angle)


def _reach(heading: complex, *, double: bool) -> complex:
    """Return how far a tile reaches from its middle, to the right and down."""
    upright = (heading in (1j, -1j)) != double
    return complex(HALF // 2, HALF) if upright else complex(HALF, HALF // 2)


def _part(point: complex, direction: complex) -> float:
    """Return how far a point lies in a direction (the length of its projection)."""
    return (point * direction.conjugate()).real


def _size(box: Box) -> float:
    """Return how much of the window the box needs, by width or height, whichever is more."""
    return max((box.right - box.left) / WIDTH, (box.bottom - box.top) / HEIGHT)


def _shift(low: float, high: float, length: float) -> int:
    """Return the least shift that brings what reaches from ``low`` to ``high`` into a window of that length."""
    return round(max(0, -length / 2 - low) + min(0, length / 2 - high))


def _without_last(layout: SpinnerLine) -> tuple[SpinnerLine, LineTile, str]:
    """Return the layout before its last tile, that tile and its place."""
    line, up, down = layout.line, layout.up, layout.down
    last = max(layout.tiles, key=lambda placed: placed.order)
    spinner = None if last == layout.spinner else layout.spinner
    if last == line[0]:
        return SpinnerLine(line[1:], up, down, spinner), last, LEFT
    if last == line[-1]:
        return SpinnerLine(line[:-1], up, down, spinner), last, RIGHT
    if up and last == up[-1]:
        return SpinnerLine(line, up[:-1], down, spinner), last, UP
    return SpinnerLine(line, up, down[:-1], spinner), last, DOWN
