"""The social preview of a match, shown next to links to it: the table, the names and the scores."""

from __future__ import annotations

import re
from functools import cache
from html import unescape

from django.conf import settings

from games.engine.layout import Layout
from games.engine.view import View
from games.enums import Status
from games.html import Html, escape
from games.match.table import Table
from games.rendering.figures import window
from games.rendering.headline import verdict
from games.rendering.layouts import drawing_of
from games.rendering.pictures import position
from games.rendering.sprites import sheet
from games.words import pages, words_of
from games.words.lookup import Named, Words
from games.words.names import table_in
from infrastructure.font_metrics import shortened, width

WIDTH, HEIGHT = 1200, 630
FELT = (40, 40, 660, 550)  # the area of the tiles: left, top, width, height
MARGIN = 2
MAX_SCALE = 3.4  # pixels per unit
TEXT_LEFT, TEXT_WIDTH = 750, 410  # of the column of text
TITLE, TEXT, NAME, SCORE = 60, 28, 30, 32  # font sizes
MIN_TEXT_SCALE = 0.7  # of a long name before it is cut off
ROW, GAP = 68, 10
SHEETS = ("tiles", "squares", "social_preview")
TOKEN = re.compile(r"--([\w-]+): ([^;]+);")
LIGHT_DARK = re.compile(r"light-dark\(([^,()]+), [^()]+\)")
VARIABLE = re.compile(r"var\(--([\w-]+)(?:, ([^()]+))?\)")
PLAIN = Named(Html("zero"), Html("")), True


def social_preview(table: Table, view: View | None, words: Words) -> Html:
    """Return the preview of a moment of a match. Without a view it has the picture of the game, and no scores."""
    table = table_in(words.language, table)
    layout = position(table.variant) if view is None else view.round.layout
    scores = [""] * table.seat_count if view is None else [seat.score for seat in view.seats]
    names = [person.name or unescape(words["free_seat"]) for person in table.people]
    top = HEIGHT - FELT[1] - len(names) * (ROW + GAP) + GAP
    rows = [
        row(name, score, top + at * (ROW + GAP), words)
        for at, (name, score) in enumerate(zip(names, scores, strict=True))
    ]
    title = fitting("title", str(words_of(table.variant).name), (TEXT_LEFT, 138), TITLE, TEXT_WIDTH)
    said_lines = lines(caption(table, view, words))
    captions = [text("said", line, TEXT_LEFT, 185 + at * 36, TEXT) for at, line in enumerate(said_lines)]
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{sheet(table.variant)}'
        '<radialGradient id="light" cx=".3" cy=".42" r=".75"><stop class="light"/><stop offset="1" class="dusk"/>'
        f'</radialGradient><rect width="{WIDTH}" height="{HEIGHT}" fill="url(#light)"/>{felt(layout)}'
        f"{text('brand', str(settings.SITE_NAME), TEXT_LEFT, 68, 26)}"
        f"{title}{''.join(captions + rows)}</svg>"
    )


def caption(table: Table, view: View | None, words: Words) -> str:
    if view is None:
        texts: dict[str, str] = {Status.OPEN: str(pages.FREE_SEAT), Status.RUNNING: str(pages.LIVE)}
        return texts.get(table.status, "")
    if view.match_over is None:
        return unescape(words.fill("round", round=view.round.number))
    return unescape(verdict(table, view.match_over, words))


def felt(layout: Layout) -> Html:
    """Return the tiles on the table, as large as fits."""
    drawing = drawing_of(layout)
    placed = drawing.arrange().tiles
    if not placed:
        return Html("")
    x, y, wide, high = window(placed, MARGIN)
    felt_x, felt_y, width, height = FELT
    size = min(width / wide, height / high, MAX_SCALE)
    across, down = felt_x + (width - wide * size) / 2, felt_y + (height - high * size) / 2
    tiles = Html("".join([drawing.tile(laid) for laid in placed]))
    return Html(
        f'<g transform="translate({across:.1f} {down:.1f})scale({size:.3f})translate({-x} {-y})">'
        f"{drawing.ground()}{tiles}</g>"
    )


def row(name: str, score: str, top: int, words: Words) -> Html:
    """Return a seat: the name and the score."""
    (kind, _name), shows_sign = words.score_forms.get(score[:1], PLAIN)
    number = (score if shows_sign else score[1:]).replace("-", "−")
    wide = round(width(number, SCORE, bold=True)) + 28 if number else 0
    right = TEXT_LEFT + TEXT_WIDTH - 16
    middle = top + ROW / 2
    mark = Html(
        f'<rect class="score-{kind}" x="{right - wide}" y="{middle - 23}" width="{wide}" height="46" rx="12"/>'
        f"{text(f'score on-{kind}', number, right - wide // 2, middle + 11, SCORE)}"
    )
    return Html(
        f'<rect class="plate" x="{TEXT_LEFT}" y="{top}" width="{TEXT_WIDTH}" height="{ROW}" rx="14"/>'
        f"{fitting('name', name, (TEXT_LEFT + 20, middle + 10), NAME, TEXT_WIDTH - wide - 56)}{mark if number else ''}"
    )


def fitting(kind: str, words: str, at: tuple[float, float], size: int, room: int) -> Html:
    """Return a line of bold text, made smaller if it is too long, and cut off if that is not enough."""
    words = printable(words)
    size = max(round(size * MIN_TEXT_SCALE), min(size, int(size * room / max(width(words, size, bold=True), 1))))
    return text(kind, shortened(words, size, room, bold=True), *at, size)


def lines(words: str) -> list[str]:
    """Return a text on at most two lines, cut off to fit."""
    first, rest = "", printable(words).split()
    while rest and width(f"{first} {rest[0]}".lstrip(), TEXT, bold=False) <= TEXT_WIDTH:
        first = f"{first} {rest.pop(0)}".lstrip()
    return [shortened(line, TEXT, TEXT_WIDTH, bold=False) for line in (first, " ".join(rest)) if line]


def printable(words: str) -> str:
    """Return a text without the characters that XML forbids."""
    return "".join(filter(str.isprintable, words))


def text(kind: str, words: str, x: float, y: float, size: int) -> Html:
    return Html(f'<text class="{escape(kind)}" x="{x}" y="{y}" font-size="{size}">{escape(words)}</text>')


@cache
def style(font: str) -> str:
    """Return the style sheet: the site's light colours, without variables because resvg does not support them."""
    folder = settings.BASE_DIR / "static" / "css"
    colours = LIGHT_DARK.sub(r"\1", (folder / "tokens.css").read_text())
    tokens = dict(TOKEN.findall(colours)) | {"font": f"'{font}'"}
    sheets = "".join((folder / f"{name}.css").read_text() for name in SHEETS)
    while (plain := VARIABLE.sub(lambda match: tokens.get(match[1], match[2]) or "none", sheets)) != sheets:
        sheets = plain
    return sheets
