"""The entries of a match's timeline in order of time, and which of them a case page shows. Plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, groupby

from django.utils.translation import gettext as _

from games.conduct.texts import length_text

CONTEXT_ENTRIES = 6  # shown before and after a reported entry
CONTEXT_LINES = 5  # lines of the same chat shown before and after a reported line
STEP, LINE, CONNECTION = "step", "line", "connection"  # kinds of entries
A_MINUTE, AN_HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Entry:
    """A step of the review, a line of chat, or a lost connection.

    ``step`` is the last step of the review at that time, 0 before the first. ``thought`` is the time of a move and
    ``bank`` the time bank after it, None where they are unknown or not public yet. ``own``: it is the suspect's.
    """

    kind: str
    at: datetime
    step: int
    name: str = ""
    text: str = ""
    thought: timedelta | None = None
    bank: timedelta | None = None
    own: bool = False
    reported: bool = False
    notable: bool = False
    hidden: bool = False
    room: str = ""

    @property
    def clock(self) -> str:
        """The time of the move, and of the bank after it: ``11.9 s · 1:48 left``."""
        parts = [] if self.thought is None else [time_text(self.thought)]
        if self.bank is not None:
            parts.append(_("%(time)s left") % {"time": time_text(self.bank)})
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class Gap:
    """A number of entries that are not shown."""

    count: int


Part = Entry | Gap


def time_text(time: timedelta) -> str:
    """Return a time in the format of a clock.

    >>> time_text(timedelta(seconds=11.94)), time_text(timedelta(seconds=125))
    ('11.9 s', '2:05')
    """
    if time < A_MINUTE:
        return _("%(seconds).1f s") % {"seconds": time.total_seconds()}
    if time < AN_HOUR:
        minutes, rest = divmod(time, A_MINUTE)
        return f"{minutes}:{rest.seconds:02}"
    return length_text(time)


def merge(*series: Sequence[Entry]) -> list[Entry]:
    """Return entries in order of time; a move comes before the chat of the same moment."""
    return sorted(chain(*series), key=lambda entry: (entry.at, entry.kind != STEP))


def fold(entries: Sequence[Entry]) -> list[Part]:
    """Return the entries around reported ones, or else around notable ones, or the last ones, with gaps between."""
    visible = _visible(entries)
    parts: list[Part] = []
    for is_visible, numbers in groupby(range(len(entries)), visible.__contains__):
        run = [entries[number] for number in numbers]
        # A gap takes as much room as a single entry.
        parts += run if is_visible or len(run) == 1 else [Gap(len(run))]
    return parts


def _visible(entries: Sequence[Entry]) -> set[int]:
    """Return the indices of the entries to show."""
    focus = _focus(entries)
    visible = {near for index in focus for near in range(index - CONTEXT_ENTRIES, index + CONTEXT_ENTRIES + 1)}
    for room in {entries[index].room for index in focus} - {""}:
        lines = [index for index, entry in enumerate(entries) if entry.room == room]
        for place, index in enumerate(lines):
            if index in focus:
                visible |= {*lines[max(0, place - CONTEXT_LINES) : place + CONTEXT_LINES + 1]}
    return visible


def _focus(entries: Sequence[Entry]) -> list[int]:
    reported = [number for number, entry in enumerate(entries) if entry.reported]
    notable = [number for number, entry in enumerate(entries) if entry.notable]
    return reported or notable or list(range(len(entries)))[-1:]
