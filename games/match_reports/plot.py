"""Graphs of a match: the score or the chance of each side over its steps, as an SVG with links to steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.html import Html, escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 170, 30, 8, 8, 8
MAX_STRIPS = 60  # clickable columns, each a link to a step

# The steps after which a score changed, with the score.
ScoreCurve = Sequence[tuple[int, int]]


class PlotMark(NamedTuple):
    """A mark on the line of a side at a step, its label, and the step to which it links."""

    side: int
    step: int
    linked_step: int
    text: Html


class PlotScale:
    """Coordinates of steps and scores. The axis reaches up to ``top`` at least."""

    def __init__(self, last_step: int, curves: Sequence[ScoreCurve], top: int = 1) -> None:
        scores = [score for curve in curves for _step, score in curve]
        self.last_step = last_step
        self.low, self.high = min(0, *scores), max(top, *scores)

    def x(self, step: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (step - 1) / max(1, self.last_step - 1), 1)

    def y(self, score: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (self.high - score) / (self.high - self.low), 1)


def report_plot(
    curves: Sequence[ScoreCurve],
    rounds: Sequence[int],
    marks: Sequence[PlotMark],
    *,
    last_step: int,
    current_step: int,
    query_suffix: Html,
    label: Html,
    top: int = 1,
) -> Html:
    """Return the graph of a match of ``last_step`` steps.

    ``rounds`` are the first steps of rounds. ``query_suffix``, escaped, follows the number in the addresses of steps.
    """
    scale = PlotScale(last_step, curves, top)
    parts = [
        *(_round_divider_path(scale, first) for first in rounds if first > 1),
        *(_score_gridline(scale, score) for score in sorted({scale.low, 0, scale.high})),
        *(_side_path(scale, side, curve) for side, curve in enumerate(curves)),
        _current_step_path(scale, current_step),
        *_step_links(scale, query_suffix),
        *(_mark_link(scale, curves[mark.side], mark, query_suffix) for mark in marks),
    ]
    return Html(
        f'<svg class="report-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def _side_path(scale: PlotScale, side: int, curve: ScoreCurve) -> Html:
    """Draw the score of a side as a step function."""
    (first, start), *changes = curve
    path_steps = "".join(f"H{scale.x(step)}V{scale.y(score)}" for step, score in changes)
    path = escape(f"M{scale.x(first)} {scale.y(start)}{path_steps}H{scale.x(scale.last_step)}")
    return Html(f'<path class="plot-line line-{side}" d="{path}"/>')


def _round_divider_path(scale: PlotScale, step: int) -> Html:
    return Html(f'<path class="plot-round" d="M{escape(scale.x(step))} {TOP}V{HEIGHT - BOTTOM}"/>')


def _current_step_path(scale: PlotScale, current_step: int) -> Html:
    """Draw the line at the current step. The page's script moves it."""
    return Html(
        f'<path class="plot-here" d="M0 {TOP}V{HEIGHT - BOTTOM}" data-from="{LEFT}" '
        f'data-width="{WIDTH - LEFT - RIGHT}" transform="translate({escape(scale.x(current_step))} 0)"/>'
    )


def _score_gridline(scale: PlotScale, score: int) -> Html:
    y = escape(scale.y(score))
    text = escape(str(score).replace("-", "−"))
    return Html(
        f'<path class="plot-round" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        f'<text class="plot-text" x="{LEFT - 4}" y="{y}" text-anchor="end" dominant-baseline="middle">{text}</text>'
    )


def _step_links(scale: PlotScale, query_suffix: Html) -> list[Html]:
    """Return links for the mouse anywhere on the graph. Keyboards and screen readers use the table and the slider."""
    count = min(scale.last_step, MAX_STRIPS)
    width = (WIDTH - LEFT - RIGHT) / count
    steps = [1 + round((scale.last_step - 1) * (index + 0.5) / count) for index in range(count)]
    return [
        Html(
            f'<a href="?at={step}{query_suffix}" tabindex="-1" aria-hidden="true"><rect class="plot-strip" '
            f'x="{escape(round(LEFT + width * index, 1))}" y="0" width="{escape(round(width, 1))}" '
            f'height="{HEIGHT}"/></a>'
        )
        for index, step in enumerate(steps)
    ]


def _mark_link(scale: PlotScale, curve: ScoreCurve, mark: PlotMark, query_suffix: Html) -> Html:
    score = next((score for step, score in reversed(curve) if step <= mark.step), curve[0][1])
    x, y = escape(scale.x(mark.step)), escape(scale.y(score))
    return Html(
        f'<a href="?at={mark.linked_step}{query_suffix}" aria-label="{mark.text}">'
        f'<circle class="plot-mark line-{mark.side}" cx="{x}" cy="{y}" r="5"><title>{mark.text}</title></circle></a>'
    )
