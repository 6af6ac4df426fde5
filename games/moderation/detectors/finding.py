"""What a detector found about a person."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """A measure above the threshold, in words for the moderators. ``step`` is that of the review that shows it."""

    user_id: int
    detector: str
    reason: str
    words: str
    step: int | None = None
