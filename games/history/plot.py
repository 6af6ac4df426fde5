"""A plot of a number over time: a rating, or the cost of a person's choices."""

from __future__ import annotations

from collections.abc import Sequence

from games.html import Html, escape

WIDTH, HEIGHT, MARGIN = 300, 80, 6


def history_plot(numbers: Sequence[float], label: str, *, min_span: float) -> Html:
    """Return numbers, the oldest first, as a line with a dot at its end. ``label`` describes it in words.

    The height spans at least ``min_span``, so that small changes look small.

    >>> print(history_plot([1500, 1600], "Kozel", min_span=100))
    <svg class="history-plot" viewBox="0 0 300 80" role="img" aria-label="Kozel"><polyline \
points="6.0,74.0 294.0,6.0"/><circle cx="294.0" cy="6.0" r="3"/></svg>
    """
    low, high = min(numbers), max(numbers)
    missing = max(0.0, min_span - (high - low)) / 2
    bottom, span = low - missing, max(min_span, high - low)
    step = (WIDTH - 2 * MARGIN) / max(1, len(numbers) - 1)
    points = [
        (MARGIN + step * place, HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (number - bottom) / span)
        for place, number in enumerate(numbers)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    return Html(
        f'<svg class="history-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'<polyline points="{escape(line)}"/><circle cx="{escape(f"{x:.1f}")}" cy="{escape(f"{y:.1f}")}" r="3"/></svg>'
    )
