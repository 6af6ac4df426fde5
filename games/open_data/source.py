"""A match as the worker process that writes the files gets it."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.engine.events import Event
from games.match_reports.report import Choice

RATED, DAILY_BOARD = "rated", "daily_board"


class SourceMatch(NamedTuple):
    """A match for the files. ``about`` goes into its line of JSON as it is.

    ``players`` and ``ratings`` have an entry for each seat. ``rows`` are the events with their numbers.
    """

    match_id: int
    variant: str
    code: str
    about: dict[str, Any]
    players: list[dict[str, str]]
    ratings: list[dict[str, int] | None]
    rows: list[tuple[int, Event]]
    choices: tuple[Choice, ...]
