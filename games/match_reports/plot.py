"""The graph of a match: the score of each side over its steps, with the key moments, as a drawing to press."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.html import Html, escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 170, 30, 8, 8, 8
PRESSED = 60
"""Into so many strips the graph is cut at most; each leads to a step."""

Points = Sequence[tuple[int, int]]
"""The steps after which a score changed, with the score."""


class Mark(NamedTuple):
    """A step to mark on the line of a side: where a press leads, and what it says."""

    side: int
    number: int
    leads_to: int
    text: Html


class Scale:
    """Where steps and scores are drawn."""

    def __init__(self, last: int, lines: Sequence[Points]) -> None:
        scores = [score for line in lines for _step, score in line]
        self.last = last
        self.low, self.high = min(0, *scores), max(1, *scores)

    def x(self, step: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (step - 1) / max(1, self.last - 1), 1)

    def y(self, score: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (self.high - score) / (self.high - self.low), 1)


def report_plot(
    lines: Sequence[Points],
    rounds: Sequence[int],
    marks: Sequence[Mark],
    *,
    last: int,
    at: int,
    query: Html,
    label: Html,
) -> Html:
    """Return the graph of a match of ``last`` steps. ``rounds`` are the first steps of rounds, ``at`` the one shown.

    ``query`` is what the addresses of steps have after their number, escaped; ``label`` says what the drawing is.
    """
    scale = Scale(last, lines)
    drawn = [
        *(_at(scale, first, "plot-round") for first in rounds if first > 1),
        *(_level(scale, score) for score in sorted({scale.low, 0, scale.high})),
        *(_line(scale, side, line) for side, line in enumerate(lines)),
        _here(scale, at),
        *_strips(scale, query),
        *(_mark(scale, lines[mark.side], mark, query) for mark in marks),
    ]
    return Html(
        f'<svg class="report-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{label}">'
        f"{''.join(drawn)}</svg>"
    )


def _line(scale: Scale, side: int, line: Points) -> Html:
    """Draw a score as stairs: it stays what it is until it changes."""
    path, height = [], scale.y(line[0][1])
    path.append(f"M{scale.x(line[0][0])} {height}")
    for step, score in line[1:]:
        path.append(f"H{scale.x(step)}V{scale.y(score)}")
    path.append(f"H{scale.x(scale.last)}")
    return Html(f'<path class="plot-line line-{side}" d="{escape("".join(path))}"/>')


def _at(scale: Scale, step: int, name: str) -> Html:
    x = scale.x(step)
    return Html(f'<path class="{escape(name)}" d="M{escape(x)} {TOP}V{HEIGHT - BOTTOM}"/>')


def _here(scale: Scale, at: int) -> Html:
    """Draw the step that is shown. The page moves it."""
    return Html(
        f'<path id="plot-here" class="plot-here" d="M0 {TOP}V{HEIGHT - BOTTOM}" data-from="{LEFT}" '
        f'data-width="{WIDTH - LEFT - RIGHT}" transform="translate({escape(scale.x(at))} 0)"/>'
    )


def _level(scale: Scale, score: int) -> Html:
    y = escape(scale.y(score))
    text = escape(str(score).replace("-", "−"))
    return Html(
        f'<path class="plot-round" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        f'<text class="plot-text" x="{LEFT - 4}" y="{y}" text-anchor="end" dominant-baseline="middle">{text}</text>'
    )


def _strips(scale: Scale, query: Html) -> list[Html]:
    """Return what the eyes and a pointer find anywhere on the graph; others have the table and the slider."""
    count = min(scale.last, PRESSED)
    width = (WIDTH - LEFT - RIGHT) / count
    steps = [1 + round((scale.last - 1) * (place + 0.5) / count) for place in range(count)]
    return [
        Html(
            f'<a href="?at={step}{query}" tabindex="-1" aria-hidden="true"><rect class="plot-strip" '
            f'x="{escape(round(LEFT + width * place, 1))}" y="0" width="{escape(round(width, 1))}" '
            f'height="{HEIGHT}"/></a>'
        )
        for place, step in enumerate(steps)
    ]


def _mark(scale: Scale, line: Points, mark: Mark, query: Html) -> Html:
    score = next((score for step, score in reversed(line) if step <= mark.number), line[0][1])
    x, y = escape(scale.x(mark.number)), escape(scale.y(score))
    return Html(
        f'<a href="?at={mark.leads_to}{query}" aria-label="{mark.text}"><circle class="plot-mark line-{mark.side}" '
        f'cx="{x}" cy="{y}" r="5"><title>{mark.text}</title></circle></a>'
    )
