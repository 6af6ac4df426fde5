"""A plot of a number over time: a rating, or the cost of a person's choices; and the bars of charts."""

from __future__ import annotations

from collections.abc import Sequence

from games.html import Html, escape

WIDTH, HEIGHT, MARGIN = 300, 80, 6
BAR_WIDTH, BAR_HEIGHT = 100, 6  # of a bar, which is stretched to the width of its row


def history_plot(numbers: Sequence[float], label: str, *, min_span: float) -> Html:
    """Draw numbers, the oldest first, as a line with a dot at its end. ``label`` is the text for screen readers.

    The vertical axis spans at least ``min_span``, so that small changes look small.

    >>> print(history_plot([1500, 1600], "Kozel", min_span=100))
    <svg class="history-plot" viewBox="0 0 300 80" role="img" aria-label="Kozel"><polyline \
points="6.0,74.0 294.0,6.0"/><circle cx="294.0" cy="6.0" r="3"/></svg>
    """
    low, high = min(numbers), max(numbers)
    padding = max(0.0, min_span - (high - low)) / 2
    bottom, span = low - padding, max(min_span, high - low)
    x_step = (WIDTH - 2 * MARGIN) / max(1, len(numbers) - 1)
    points = [
        (MARGIN + x_step * place, HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (number - bottom) / span)
        for place, number in enumerate(numbers)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    return Html(
        f'<svg class="history-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'<polyline points="{escape(line)}"/><circle cx="{escape(f"{x:.1f}")}" cy="{escape(f"{y:.1f}")}" r="3"/></svg>'
    )


def share_bar(count: int, won: int, most: int) -> Html:
    """Return a bar of ``count`` matches, of which ``won`` are marked. ``most`` matches fill its row.

    The text next to it has the numbers, so screen readers skip it.

    >>> print(share_bar(5, 2, most=10))
    <svg class="chart-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect \
class="bar-matches" width="50.0" height="6"/><rect class="bar-won" width="20.0" height="6"/></svg>
    """
    parts = [("bar-matches", count), ("bar-won", won)]
    return _bar([_rectangle(css_class, 0, BAR_WIDTH * number / most, 0, BAR_HEIGHT) for css_class, number in parts])


def balance_bar(luck: float, play: float, most: float) -> Html:
    """Return luck above play, each from the middle to the right, or to the left if it is bad.

    ``most`` points fill half of the row.

    >>> print(balance_bar(5.0, -10.0, most=10.0))
    <svg class="chart-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect \
class="bar-luck" x="50.0" width="25.0" height="3"/><rect class="bar-play" y="3" width="50.0" height="3"/></svg>
    """
    middle, height = BAR_WIDTH / 2, BAR_HEIGHT // 2
    lengths = [middle * points / (most or 1.0) for points in (luck, play)]
    return _bar(
        [
            _rectangle(css_class, middle + min(0.0, length), abs(length), bar_y, height)
            for css_class, length, bar_y in zip(("bar-luck", "bar-play"), lengths, (0, height), strict=True)
        ]
    )


def _bar(rectangles: list[Html]) -> Html:
    content = Html("".join(rectangles))
    return Html(
        f'<svg class="chart-bar" viewBox="0 0 {BAR_WIDTH} {BAR_HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true">{content}</svg>'
    )


def _rectangle(css_class: str, start: float, width: float, bar_y: int, height: int) -> Html:
    x, y = Html(f' x="{start:.1f}"' if start else ""), Html(f' y="{bar_y}"' if bar_y else "")
    return Html(f'<rect class="{escape(css_class)}"{x}{y} width="{width:.1f}" height="{height}"/>')
