"""The history of a rating as a drawing."""

from __future__ import annotations

from collections.abc import Sequence

from games.html import Html, escape

WIDTH, HEIGHT, MARGIN = 300, 80, 6
NARROWEST = 100
"""Rating points that the height shows at least: small changes shall look small."""


def rating_plot(ratings: Sequence[int], label: str) -> Html:
    """Return ratings, the oldest first, as a line with a dot at its end; ``label`` says the same in words.

    >>> print(rating_plot([1500, 1600], "Kozel"))
    <svg class="rating-plot" viewBox="0 0 300 80" role="img" aria-label="Kozel"><polyline \
points="6.0,74.0 294.0,6.0"/><circle cx="294.0" cy="6.0" r="3"/></svg>
    """
    low, high = min(ratings), max(ratings)
    missing = max(0, NARROWEST - (high - low)) / 2
    bottom, span = low - missing, max(NARROWEST, high - low)
    step = (WIDTH - 2 * MARGIN) / max(1, len(ratings) - 1)
    points = [
        (MARGIN + step * place, HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (rating - bottom) / span)
        for place, rating in enumerate(ratings)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    return Html(
        f'<svg class="rating-plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'<polyline points="{escape(line)}"/><circle cx="{escape(f"{x:.1f}")}" cy="{escape(f"{y:.1f}")}" r="3"/></svg>'
    )
