"""Triangular tiles with upright numbers at their corners.

``u454`` is a tile that points up, ``d454`` one that points down. The digits are the numbers at the corners, clockwise
from corner 0. ``v445`` is the tile as drawn in a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

from games.engine.layout.lattice import Corners, rotations
from games.engine.tiles import Tile
from games.geometry.lattice import TRIANGLE_HEIGHT, TRIANGLE_SIDE
from games.html import Html
from games.rendering.pieces import BACK_WIDTH, MAX_BACKS, row_of_backs, tile_key

CENTRE = TRIANGLE_HEIGHT / 6  # the centroid of a triangle that points up is this far below the middle of its box
POINTING_UP, POINTING_DOWN = Html("u"), Html("d")
CORNER_ANGLES = (0, 2 * pi / 3, 4 * pi / 3)
# x of the numbers at corner 0, 1 and 2, and y of their baselines.
NUMBER_POSITIONS = {
    POINTING_UP: (Html("0 5.5 -5.5"), Html("1.7 10.7 10.7")),
    POINTING_DOWN: (Html("0 -5.5 5.5"), Html("5.2 -3.8 -3.8")),
}


def sprites(tile_set: Sequence[Tile]) -> Html:
    """Return the sprites: every tile in every rotation, tile backs, and free cells pointing up and down."""
    tiles = Html(
        "".join(
            _tile_sprite(direction, corners)
            for tile in tile_set
            for corners in rotations(tile)
            for direction in (POINTING_UP, POINTING_DOWN)
        )
    )
    return Html(f"{_bodies()}{_backs()}{tiles}{''.join(map(_upright_sprite, tile_set))}")


def _bodies() -> Html:
    edge, bone, slot = rounded_triangle(0.5, 3.2), rounded_triangle(1.2, 2.6), rounded_triangle(1.6, 2.4)
    flipped = Html('transform="scale(1-1)"')
    return Html(
        f'<g id="u"><path class="edge" d="{edge}"/><path class="bone" d="{bone}"/></g>'
        f'<g id="d" {flipped}><path class="edge" d="{edge}"/><path class="bone shade" d="{bone}"/></g>'
        f'<path id="slotu" class="slot" d="{slot}"/>'
        f'<path id="slotd" class="slot" d="{slot}" {flipped}/>'
    )


def _backs() -> Html:
    row = Html("".join(f"M{BACK_WIDTH * place + 0.4:g} 12.2l4.1-7.6 4.1 7.6z" for place in range(MAX_BACKS)))
    return row_of_backs(Html(f'<path class="back" d="{row}"/>'))


def _tile_sprite(direction: Html, corners: Corners) -> Html:
    xs, ys = NUMBER_POSITIONS[direction]
    name = tile_key(corners)
    numbers = Html("".join([f'<tspan class="p{number}">{number}</tspan>' for number in corners]))
    text = Html(f'<text class="number" x="{xs}" y="{ys}">{numbers}</text>')
    return Html(f'<g id="{direction}{name}"><use href="#{direction}"/>{text}</g>')


def _upright_sprite(tile: Tile) -> Html:
    box = Html(f"{-TRIANGLE_SIDE // 2} {-TRIANGLE_HEIGHT // 2} {TRIANGLE_SIDE} {TRIANGLE_HEIGHT}")
    return Html(f'<symbol id="v{tile_key(tile)}" viewBox="{box}"><use href="#u{tile_key(tile)}"/></symbol>')


def rounded_triangle(inset: float, cut: float) -> Html:
    """Return a triangle that points up, ``inset`` inside its cell. Its corners are rounded ``cut`` before each tip."""
    reach = 2 * (TRIANGLE_HEIGHT / 3 - inset)
    tips = [(reach * sin(angle), CENTRE - reach * cos(angle)) for angle in CORNER_ANGLES]
    rounded = []
    for index, tip in enumerate(tips):
        start, end = (_point_towards(tip, tips[(index + step) % 3], cut) for step in (-1, 1))
        rounded.append(Html(f"{start}Q{tip[0]:.2f} {tip[1]:.2f} {end}"))
    return Html(f"M{'L'.join(rounded)}z")


def _point_towards(start: tuple[float, float], end: tuple[float, float], distance: float) -> Html:
    fraction = distance / hypot(end[0] - start[0], end[1] - start[1])
    x, y = (a + (b - a) * fraction for a, b in zip(start, end, strict=True))
    return Html(f"{x:.2f} {y:.2f}")
