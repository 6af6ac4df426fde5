"""What happened at a table in the order of time, and how much of it is shown at once. Plain values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.utils.translation import gettext as _

from games.conduct.texts import length_text

BESIDE = 6
"""So many entries are shown before and after what was reported."""
LINES_BESIDE = 5
"""And so many lines of chat."""
STEP, LINE, CONNECTION = "step", "line", "connection"
"""The kinds of entries."""
A_MINUTE, AN_HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Entry:
    """A step of the review, a line of chat, or a connection that was lost.

    ``step`` is that of the review by then, 0 before the first. ``thought`` is how long a move took, ``left`` what
    remained of the time bank after it; None where nothing is known, or may be known yet. ``own``: it is the suspect's.
    ``room`` is that of a line.
    """

    kind: str
    at: datetime
    step: int
    name: str = ""
    text: str = ""
    thought: timedelta | None = None
    left: timedelta | None = None
    own: bool = False
    reported: bool = False
    notable: bool = False
    hidden: bool = False
    room: str = ""

    @property
    def clock(self) -> str:
        """How long the move took, and what was left: ``11.9 s · 1:48 left``."""
        parts = [] if self.thought is None else [time_text(self.thought)]
        if self.left is not None:
            parts.append(_("%(time)s left") % {"time": time_text(self.left)})
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class Folded:
    """So many entries that are not shown."""

    count: int


Part = Entry | Folded


def time_text(time: timedelta) -> str:
    """Return a time as clocks show it.

    >>> time_text(timedelta(seconds=11.94)), time_text(timedelta(seconds=125))
    ('11.9 s', '2:05')
    """
    if time < A_MINUTE:
        return _("%(seconds).1f s") % {"seconds": time.total_seconds()}
    if time < AN_HOUR:
        minutes, rest = divmod(time, A_MINUTE)
        return f"{minutes}:{rest.seconds:02}"
    return length_text(time)


def merged(*series: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order of time; at the same moment, a move comes before what was said of it."""
    return sorted([entry for each in series for entry in each], key=lambda entry: (entry.at, entry.kind != STEP))


def folded(entries: Sequence[Entry]) -> list[Part]:
    """Return the entries around what was reported; where nothing was, around what is notable, or the last ones."""
    shown = _shown(entries)
    parts: list[Part] = []
    for is_shown, numbers in groupby(range(len(entries)), shown.__contains__):
        found = [entries[number] for number in numbers]
        # To say that there is one more takes as much room as it does.
        parts += found if is_shown or len(found) == 1 else [Folded(len(found))]
    return parts


def _shown(entries: Sequence[Entry]) -> set[int]:
    focus = _focus(entries)
    shown = {near for number in focus for near in range(number - BESIDE, number + BESIDE + 1)}
    for room in {entries[number].room for number in focus} - {""}:
        lines = [number for number, entry in enumerate(entries) if entry.room == room]
        shown |= _beside(focus, lines)
    return shown


def _focus(entries: Sequence[Entry]) -> list[int]:
    reported = [number for number, entry in enumerate(entries) if entry.reported]
    notable = [number for number, entry in enumerate(entries) if entry.notable]
    return reported or notable or list(range(len(entries)))[-1:]


def _beside(focus: Collection[int], lines: Sequence[int]) -> set[int]:
    """Return the lines of a room around those in focus."""
    places = [place for place, number in enumerate(lines) if number in focus]
    return {number for place in places for number in lines[max(0, place - LINES_BESIDE) : place + LINES_BESIDE + 1]}
