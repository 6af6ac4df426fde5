"""The social preview of a match or puzzle, shown next to links to it: the tiles, and the players or the hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import unescape
from math import ceil

from django.conf import settings

from games.engine.layout import Layout
from games.engine.tiles import Tile
from games.engine.view import View
from games.enums import Status
from games.html import Html, escape
from games.match.table import Table
from games.rendering.figures import window_around
from games.rendering.headline import end_sentence
from games.rendering.layouts import drawing_of
from games.rendering.pictures import picture_layout
from games.rendering.pieces import TRIANGLE, tile_key
from games.rendering.sprites import sprite_sheet
from games.words import page_labels, words_of
from games.words.lookup import NamedStyle, Words
from games.words.names import table_with_translated_names
from infrastructure.font_metrics import shorten_text, text_width

WIDTH, HEIGHT = 1200, 630
BOARD_AREA = (40, 40, 660, 550)  # the area of the tiles: left, top, width, height
BOARD_MARGIN = 2
MAX_SCALE = 3.4  # pixels per unit
TEXT_LEFT, TEXT_WIDTH = 750, 410  # of the column of text
TITLE_SIZE, TEXT_SIZE, NAME_SIZE, SCORE_SIZE = 60, 28, 30, 32  # font sizes
MIN_TEXT_SCALE = 0.7  # of a long name before it is cut off
ROW_HEIGHT, ROW_GAP = 68, 10
HAND_HEIGHT, MAX_TILE_WIDTH, TILE_GAP = 340, 110, 12
BONE_ASPECT, TRIANGLE_ASPECT = 1 / 2, 15 / 13  # width to height of a tile in a hand
STYLE_SHEETS = ("tiles", "squares", "social_preview")
TOKEN_PATTERN = re.compile(r"--([\w-]+): ([^;]+);")
LIGHT_DARK_PATTERN = re.compile(r"light-dark\(([^,()]+), [^()]+\)")
VARIABLE_PATTERN = re.compile(r"var\(--([\w-]+)(?:, ([^()]+))?\)")
PLAIN_SCORE = NamedStyle(Html("zero"), Html("")), True


def draw_social_preview(table: Table, view: View | None, words: Words) -> Html:
    """Return the preview of a moment of a match. Without a view it has the picture of the game, and no scores."""
    table = table_with_translated_names(words.language, table)
    layout = picture_layout(table.variant) if view is None else view.round.layout
    scores = [""] * table.seat_count if view is None else [seat.score for seat in view.seats]
    names = [person.name or unescape(words["free_seat"]) for person in table.people]
    top = HEIGHT - BOARD_AREA[1] - len(names) * (ROW_HEIGHT + ROW_GAP) + ROW_GAP
    rows = [
        seat_row(name, score, top + index * (ROW_HEIGHT + ROW_GAP), words)
        for index, (name, score) in enumerate(zip(names, scores, strict=True))
    ]
    return drawing_with_text(table.variant, layout, caption(table, view, words), Html("".join(rows)))


def puzzle_preview(view: View, text: str) -> Html:
    """Return the preview of a puzzle: the table and the hand of its solver, with a text."""
    hand = () if view.viewer is None else view.seats[view.viewer].hand or ()
    return drawing_with_text(view.rules.key, view.round.layout, text, hand_drawing(hand))


def drawing_with_text(variant: str, layout: Layout, text: str, column: Html) -> Html:
    """Return tiles on the table next to the name of the game, a text, and more in the column below."""
    title = fitted_text("title", str(words_of(variant).name), (TEXT_LEFT, 138), TITLE_SIZE, TEXT_WIDTH)
    lines = enumerate(wrap_text(text))
    captions = [svg_text("caption", line, TEXT_LEFT, 185 + index * 36, TEXT_SIZE) for index, line in lines]
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{sprite_sheet(variant)}'
        '<radialGradient id="light" cx=".3" cy=".42" r=".75"><stop class="light"/><stop offset="1" class="dusk"/>'
        f'</radialGradient><rect width="{WIDTH}" height="{HEIGHT}" fill="url(#light)"/>{draw_board(layout)}'
        f"{svg_text('brand', str(settings.SITE_NAME), TEXT_LEFT, 68, 26)}"
        f"{title}{''.join(captions)}{column}</svg>"
    )


def caption(table: Table, view: View | None, words: Words) -> str:
    if view is None:
        texts: dict[str, str] = {Status.OPEN: str(page_labels.FREE_SEAT), Status.RUNNING: str(page_labels.LIVE)}
        return texts.get(table.status, "")
    if view.match_over is None:
        return unescape(words.fill("round", round=view.round.number))
    return unescape(end_sentence(table, view.match_over, words))


def draw_board(layout: Layout) -> Html:
    """Return the tiles on the table, as large as fits."""
    drawing = drawing_of(layout)
    tiles = drawing.arrange().tiles
    if not tiles:
        return Html("")
    x, y, box_width, box_height = window_around(tiles, BOARD_MARGIN)
    area_x, area_y, width, height = BOARD_AREA
    scale = min(width / box_width, height / box_height, MAX_SCALE)
    offset_x, offset_y = area_x + (width - box_width * scale) / 2, area_y + (height - box_height * scale) / 2
    drawings = Html("".join([drawing.tile(tile) for tile in tiles]))
    return Html(
        f'<g transform="translate({offset_x:.1f} {offset_y:.1f})scale({scale:.3f})translate({-x} {-y})">'
        f"{drawing.ground()}{drawings}</g>"
    )


def hand_drawing(tiles: Sequence[Tile]) -> Html:
    """Return a hand in rows at the bottom of the column of text, as large as fits."""
    if not tiles:
        return Html("")
    aspect = TRIANGLE_ASPECT if len(tiles[0]) == TRIANGLE else BONE_ASPECT
    for columns in range(1, len(tiles) + 1):
        rows = ceil(len(tiles) / columns)
        width = min(MAX_TILE_WIDTH, (TEXT_WIDTH - (columns - 1) * TILE_GAP) / columns)
        height = width / aspect
        if rows * (height + TILE_GAP) <= HAND_HEIGHT:
            break
    top = HEIGHT - BOARD_AREA[1] - rows * (height + TILE_GAP) + TILE_GAP
    places = (
        (TEXT_LEFT + index % columns * (width + TILE_GAP), top + index // columns * (height + TILE_GAP))
        for index in range(len(tiles))
    )
    uses = [
        Html(f'<use href="#v{tile_key(tile)}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>')
        for tile, (x, y) in zip(tiles, places, strict=True)
    ]
    return Html("".join(uses))


def seat_row(name: str, score: str, top: int, words: Words) -> Html:
    """Return a seat: the name and the score."""
    (score_style, _name), shows_sign = words.score_forms.get(score[:1], PLAIN_SCORE)
    score_text = (score if shows_sign else score[1:]).replace("-", "−")
    score_width = round(text_width(score_text, SCORE_SIZE, bold=True)) + 28 if score_text else 0
    right = TEXT_LEFT + TEXT_WIDTH - 16
    middle = top + ROW_HEIGHT / 2
    mark = Html(
        f'<rect class="score-{score_style}" x="{right - score_width}" y="{middle - 23}" width="{score_width}" '
        f'height="46" rx="12"/>'
        f"{svg_text(f'score on-{score_style}', score_text, right - score_width // 2, middle + 11, SCORE_SIZE)}"
    )
    text = fitted_text("name", name, (TEXT_LEFT + 20, middle + 10), NAME_SIZE, TEXT_WIDTH - score_width - 56)
    return Html(
        f'<rect class="plate" x="{TEXT_LEFT}" y="{top}" width="{TEXT_WIDTH}" height="{ROW_HEIGHT}" rx="14"/>'
        f"{text}{mark if score_text else ''}"
    )


def fitted_text(css_class: str, text: str, position: tuple[float, float], size: int, max_width: int) -> Html:
    """Return a line of bold text, made smaller if it is too long, and cut off if that is not enough."""
    text = remove_unprintable(text)
    size = max(
        round(size * MIN_TEXT_SCALE), min(size, int(size * max_width / max(text_width(text, size, bold=True), 1)))
    )
    return svg_text(css_class, shorten_text(text, size, max_width, bold=True), *position, size)


def wrap_text(text: str) -> list[str]:
    """Return a text on at most two lines, cut off to fit."""
    first, rest = "", remove_unprintable(text).split()
    while rest and text_width(f"{first} {rest[0]}".lstrip(), TEXT_SIZE, bold=False) <= TEXT_WIDTH:
        first = f"{first} {rest.pop(0)}".lstrip()
    return [shorten_text(line, TEXT_SIZE, TEXT_WIDTH, bold=False) for line in (first, " ".join(rest)) if line]


def remove_unprintable(text: str) -> str:
    """Return a text without the characters that XML forbids."""
    return "".join(filter(str.isprintable, text))


def svg_text(css_class: str, text: str, x: float, y: float, size: int) -> Html:
    return Html(f'<text class="{escape(css_class)}" x="{x}" y="{y}" font-size="{size}">{escape(text)}</text>')


@cache
def style_sheet(font: str) -> str:
    """Return the style sheet: the site's light colours, without variables because resvg does not support them."""
    folder = settings.BASE_DIR / "static" / "css"
    colours = LIGHT_DARK_PATTERN.sub(r"\1", (folder / "tokens.css").read_text())
    tokens = dict(TOKEN_PATTERN.findall(colours)) | {"font": f"'{font}'"}
    sheets = "".join((folder / f"{name}.css").read_text() for name in STYLE_SHEETS)
    while (plain := VARIABLE_PATTERN.sub(lambda match: tokens.get(match[1], match[2]) or "none", sheets)) != sheets:
        sheets = plain
    return sheets
