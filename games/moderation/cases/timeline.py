"""The entries of a match's timeline in order of time, and which of them a case page shows. Plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, groupby

from django.utils.translation import gettext as _

from games.conduct.texts import duration_text

CONTEXT_ENTRIES = 6  # shown before and after a reported entry
CONTEXT_LINES = 5  # lines of the same chat shown before and after a reported line
STEP, LINE, CONNECTION = "step", "line", "connection"  # kinds of entries
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A step of the review, a line of chat with its id, or a lost connection.

    ``step`` is the last step of the review at that time, 0 before the first. ``thought`` is the time of a move and
    ``bank_left`` the time bank after it, None where they are unknown or not public yet. ``loss`` is what a choice cost
    by the match report.
    """

    kind: str
    at: datetime
    step: int
    name: str = ""
    text: str = ""
    thought: timedelta | None = None
    bank_left: timedelta | None = None
    by_suspect: bool = False
    reported: bool = False
    notable: bool = False
    hidden: bool = False
    room: str = ""
    line_id: int | None = None
    loss: float | None = None

    @property
    def measures(self) -> str:
        """The time of the move and of the bank after it, and the cost: ``11.9 s · 1:48 left · cost 7.1``."""
        parts = [] if self.thought is None else [clock_text(self.thought)]
        if self.bank_left is not None:
            parts.append(_("%(time)s left") % {"time": clock_text(self.bank_left)})
        if self.loss is not None:
            parts.append(_("cost %(points).1f") % {"points": self.loss} if self.loss else _("best move"))
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class TimelineGap:
    """A number of entries that are not shown."""

    count: int


TimelinePart = TimelineEntry | TimelineGap


def clock_text(time: timedelta) -> str:
    """Return a time in the format of a clock.

    >>> clock_text(timedelta(seconds=11.94)), clock_text(timedelta(seconds=125))
    ('11.9 s', '2:05')
    """
    if time < MINUTE:
        return _("%(seconds).1f s") % {"seconds": time.total_seconds()}
    if time < HOUR:
        minutes, rest = divmod(time, MINUTE)
        return f"{minutes}:{rest.seconds:02}"
    return duration_text(time)


def merge_entries(*series: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return entries in order of time; a move comes before the chat of the same moment."""
    return sorted(chain(*series), key=lambda entry: (entry.at, entry.kind != STEP))


def fold_entries(entries: Sequence[TimelineEntry]) -> list[TimelinePart]:
    """Return the entries around reported ones, or else around notable ones, or the last ones, with gaps between."""
    visible = _visible_indices(entries)
    parts: list[TimelinePart] = []
    for is_visible, numbers in groupby(range(len(entries)), visible.__contains__):
        run = [entries[number] for number in numbers]
        # A gap takes as much room as a single entry.
        parts += run if is_visible or len(run) == 1 else [TimelineGap(len(run))]
    return parts


def _visible_indices(entries: Sequence[TimelineEntry]) -> set[int]:
    """Return the indices of the entries to show."""
    focus = _focus_indices(entries)
    visible = {
        neighbour for index in focus for neighbour in range(index - CONTEXT_ENTRIES, index + CONTEXT_ENTRIES + 1)
    }
    for room in {entries[index].room for index in focus} - {""}:
        lines = [index for index, entry in enumerate(entries) if entry.room == room]
        for position, index in enumerate(lines):
            if index in focus:
                visible |= {*lines[max(0, position - CONTEXT_LINES) : position + CONTEXT_LINES + 1]}
    return visible


def _focus_indices(entries: Sequence[TimelineEntry]) -> list[int]:
    reported = [number for number, entry in enumerate(entries) if entry.reported]
    notable = [number for number, entry in enumerate(entries) if entry.notable]
    return reported or notable or list(range(len(entries)))[-1:]
