"""The timeline of each match that a case speaks of, read and put into words.

It has what spectators may know by now: of a match with a delay the moves and the chat that they are shown, without
clocks and connections. A line that was reported is shown at once. Moderators who play at a table find neither its
spectators' chat there nor who lost a connection.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games.engine.events import Drew, Passed, Played
from games.enums import DAILY
from games.links import path_to
from games.match import disclosure, selectors
from games.match.table import Table
from games.match.time_control import CONTROLS
from games.models import Absence, Match, Message, Report, Seat
from games.moderation.cases.effects import Effect, Total, effects_of, total_of
from games.moderation.cases.evidence import NOBODY, File
from games.moderation.cases.timeline import CONNECTION, LINE, STEP, Entry, Folded, Part, folded, merged
from games.review import steps
from games.review.list_rendering import entry as line_of
from games.review.past import Past, Step
from games.spectators import delayed
from games.words import words_of
from games.words.lookup import words_for

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

OPENED = 3
"""So many matches are shown with their timeline at once, those reported last."""
MOST_LINES = 1000
MS = timedelta(milliseconds=1)
REASONS: dict[str, _StrPromise] = {
    "gone": gettext_lazy("was taken for absent: no page for 30 seconds of a turn"),
    "timeout": gettext_lazy("ran out of time"),
}


@dataclass(slots=True)
class Kept:
    """What there is of a match beside its record. ``closed``: the moderator plays there."""

    match: Match
    seats: list[Seat] = field(default_factory=list)
    lines: list[Message] = field(default_factory=list)
    absences: list[Absence] = field(default_factory=list)
    closed: bool = False

    def holder(self, index: int | None) -> int | None:
        return next((seat.user_id for seat in self.seats if seat.index == index), None)

    def name_of(self, user_id: int | None) -> str:
        return next((seat.name for seat in self.seats if user_id and seat.user_id == user_id), "")


@dataclass(frozen=True, slots=True)
class Shown:
    """A match that a case speaks of. ``parts`` are None where nobody asked for its timeline.

    ``step`` is what the board shows at first, None where there is no board.
    """

    match: Match
    game: str
    effects: Sequence[Effect]
    parts: Sequence[Part] | None = None
    step: int | None = None

    @property
    def is_folded(self) -> bool:
        return self.parts is None or any(isinstance(part, Folded) for part in self.parts)

    @property
    def board(self) -> str:
        """Return the address of the board without the number of the step."""
        return f"{path_to('match-embed', self.match.slug)}?at="

    @property
    def times(self) -> str:
        """Return the format of its times: matches by the day take weeks."""
        return "Y-m-d H:i:s" if self.match.clock in DAILY else "H:i:s"


@dataclass(frozen=True, slots=True)
class Matches:
    """The matches of a case, those reported last first, and what they did to the suspect together."""

    shown: Sequence[Shown]
    total: Total | None


def matches_of(file: File, whole: Collection[str]) -> Matches:
    """Return the matches of a case; those in ``whole`` (slugs) with their timeline from end to end."""
    reports, suspect_id = file.reports, file.case.suspect_id or NOBODY
    found = list({report.match.pk: report.match for report in reports if report.match}.values())
    effects = effects_of(found, timezone.now())
    kept = _kept([match for place, match in enumerate(found) if place < OPENED or match.slug in whole], file.closed)
    shown = []
    for match in found:
        told = Shown(match, str(words_of(match.variant).name), effects.get(match.pk, ()))
        if match.pk in kept:
            about = [report for report in reports if report.match_id == match.pk]
            told = _with_timeline(told, kept[match.pk], about, suspect_id, whole=match.slug in whole)
        shown.append(told)
    return Matches(shown, total_of(effects, suspect_id))


def _kept(matches: Sequence[Match], closed: Collection[int]) -> Mapping[int, Kept]:
    found = {match.pk: Kept(match, closed=match.pk in closed) for match in matches}
    for seat in Seat.objects.filter(match__in=found).order_by("index"):
        found[seat.match_id].seats.append(seat)
    lines = Message.objects.filter(match__in=found).exclude(room=Message.Room.SPECTATORS, match__in=closed)
    for line in lines.order_by("-pk")[:MOST_LINES]:
        found[line.match_id].lines.append(line)
    for absence in Absence.objects.filter(match__in=found).exclude(match__in=closed):
        found[absence.match_id].absences.append(absence)
    return found


def _with_timeline(told: Shown, kept: Kept, reports: Sequence[Report], suspect_id: int, *, whole: bool) -> Shown:
    table, is_delayed = _as_seen(kept.match)
    past = steps.past(kept.match.pk, table.version)
    timed = [step.at for step in past.steps if step.at]
    at_steps, at_lines = {report.step for report in reports}, {report.message_id for report in reports}
    made = list(_made(kept, past.steps, suspect_id, at_steps))
    lost = list(_lost(kept, timed, suspect_id))
    if is_delayed:
        made, lost = [replace(entry, thought=None, left=None) for entry in made], []
    lines = _shown_lines(kept, at_lines) if is_delayed else kept.lines
    said = [_said(line, bisect_right(timed, line.at), suspect_id, at_lines) for line in lines]
    entries = merged(_with_slowest(made), said, lost)
    first = next((entry.step for entry in entries if entry.reported and entry.step), past.last or None)
    parts = list(_worded(entries if whole else folded(entries), table, past))
    return replace(told, parts=parts, step=first)


def _shown_lines(kept: Kept, reported: Collection[int | None]) -> list[Message]:
    """Return the lines of a match with a delay that spectators can read by now, and those that were reported."""
    until = delayed.said_until(kept.match.pk, None)
    return [
        line
        for line in kept.lines
        if line.room != Message.Room.TABLE or line.pk in reported or until is None or line.at <= until
    ]


def _as_seen(match: Match) -> tuple[Table, bool]:
    """Return the table as spectators may see it by now, and whether that is later than the players do."""
    if match.status not in Match.UNFINISHED and disclosure.is_public(match, timezone.now()):
        return selectors.table(match.pk), False
    snapshot = delayed.current(match.pk, None)
    return snapshot.table, snapshot.delayed


def _made(kept: Kept, past: Sequence[Step], suspect_id: int, reported: Collection[int | None]) -> Iterator[Entry]:
    """Yield the steps without words.

    The time banks are what follows from the record; credits for slow lines are not in it.
    """
    control = CONTROLS[kept.match.clock]
    banks = {seat.index: control.bank_ms * MS for seat in kept.seats}
    for step in past:
        event = step.events[0]
        seat = event.seat if isinstance(event, Played | Drew | Passed) else None
        if seat is not None and control.bank_ms:
            banks[seat] = max(timedelta(), banks[seat] - max(timedelta(), step.thought - control.move_ms * MS))
        yield Entry(
            STEP,
            step.at or kept.match.created_at,
            step.number,
            thought=None if seat is None or step.at is None else step.thought,
            left=None if seat is None or not control.bank_ms else banks[seat],
            own=kept.holder(getattr(event, "seat", None)) == suspect_id,
            reported=step.number in reported,
        )


def _worded(parts: Iterable[Part], table: Table, past: Past) -> Iterator[Part]:
    """Put the steps that are shown into words."""
    words = words_for(table.variant, get_language() or "en")
    for part in parts:
        if isinstance(part, Entry) and part.kind == STEP:
            line = line_of(table, past.step(part.step), words)
            yield replace(part, name=line.name, text=line.text)
        else:
            yield part


def _with_slowest(made: Sequence[Entry]) -> list[Entry]:
    """Return the steps with the suspect's longest turn marked as notable."""
    own = [entry for entry in made if entry.own and entry.thought]
    slowest = max(own, key=lambda entry: entry.thought or timedelta(), default=None)
    return [replace(entry, notable=True) if entry is slowest else entry for entry in made]


def _said(line: Message, step: int, suspect_id: int, reported: Collection[int | None]) -> Entry:
    return Entry(
        LINE,
        line.at,
        step,
        line.name,
        line.text,
        own=line.user_id == suspect_id,
        reported=line.pk in reported,
        hidden=line.hidden,
        room=line.room,
    )


def _lost(kept: Kept, timed: Sequence[datetime], suspect_id: int) -> Iterator[Entry]:
    """Yield when connections were lost, as far as that is kept: where it led to something, or somebody is away now."""
    texts: dict[tuple[int | None, datetime], str] = {}
    for absence in kept.absences:
        if absence.left_at:
            texts[absence.user_id, absence.left_at] = _("closed the last page")
        elif absence.last_seen:
            texts[absence.user_id, absence.last_seen] = _("was last heard from")
        texts[absence.user_id, absence.at] = str(REASONS[absence.reason])
    if not kept.closed:
        end = kept.match.finished_at
        for seat in kept.seats:
            if seat.user_id and seat.left_at and (end is None or seat.left_at < end):
                texts.setdefault((seat.user_id, seat.left_at), _("closed the last page"))
    for (user_id, at), text in texts.items():
        own, step = user_id == suspect_id, bisect_right(timed, at)
        yield Entry(CONNECTION, at, step, kept.name_of(user_id), text, own=own, notable=own)
