"""Builds the timelines of the matches of a case, in words.

A timeline shows only what spectators may know by now: of a match with a delay the moves and chat that they see,
without clocks and connections. A reported line is always shown. Moderators who play at a table see neither its
spectator chat nor lost connections.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games.engine.events import Drew, Passed, Played
from games.enums import DAILY_CLOCKS, CaseArea
from games.links import path_to
from games.match import disclosure, selectors
from games.match.moments import MILLISECOND
from games.match.table import Table
from games.match.time_control import TIME_CONTROLS
from games.match_reports.report import Report as MatchEvaluation
from games.models import Absence, Match, Message, Report, Seat
from games.moderation.cases.effects import (
    RatingEffect,
    TotalRatingEffect,
    rating_effects_by_match,
    total_rating_effect,
)
from games.moderation.cases.evidence import NO_USER_ID, CaseFile
from games.moderation.cases.play_figures import PlayComparison, compare_play, public_reports
from games.moderation.cases.timeline import (
    CONNECTION,
    LINE,
    STEP,
    TimelineEntry,
    TimelineGap,
    TimelinePart,
    fold_entries,
    merge_entries,
)
from games.review import steps
from games.review.match_steps import MatchSteps, Step
from games.review.step_list_rendering import step_line as line_of
from games.spectators import delayed
from games.words import words_of
from games.words.lookup import words_for

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MAX_TIMELINES = 3  # matches whose timeline is open at once, most recently reported first
MAX_LINES = 1000
ABSENCE_TEXTS: dict[str, _StrPromise] = {
    "gone": gettext_lazy("counted as absent: no page open for 30 seconds of a turn"),
    "timeout": gettext_lazy("ran out of time"),
}


@dataclass(slots=True)
class MatchRows:
    """The rows of a match apart from its record. ``moderator_plays``: the viewing moderator has a seat in it.

    ``report`` is its match report, in cases of fair play.
    """

    match: Match
    seats: list[Seat] = field(default_factory=list)
    lines: list[Message] = field(default_factory=list)
    absences: list[Absence] = field(default_factory=list)
    moderator_plays: bool = False
    report: MatchEvaluation | None = None

    def user_id_at(self, index: int | None) -> int | None:
        return next((seat.user_id for seat in self.seats if seat.index == index), None)

    def name_of(self, user_id: int | None) -> str:
        return next((seat.name for seat in self.seats if user_id and seat.user_id == user_id), "")


@dataclass(frozen=True, slots=True)
class CaseMatch:
    """A reported match. ``parts`` is None if its timeline is closed, ``step`` if it has no board to show.

    ``play`` compares the suspect's choices, in cases of fair play.
    """

    match: Match
    game: str
    effects: Sequence[RatingEffect]
    parts: Sequence[TimelinePart] | None = None
    step: int | None = None
    play: PlayComparison | None = None

    @property
    def is_folded(self) -> bool:
        return self.parts is None or any(isinstance(part, TimelineGap) for part in self.parts)

    @property
    def board(self) -> str:
        """The address of the board, to which the number of a step is added."""
        return f"{path_to('match-embed', self.match.slug)}?at="

    @property
    def time_format(self) -> str:
        """The format of times: daily matches take weeks."""
        return "Y-m-d H:i:s" if self.match.clock in DAILY_CLOCKS else "H:i:s"


@dataclass(frozen=True, slots=True)
class CaseMatches:
    """The matches of a case, most recently reported first, and their total effect on the suspect."""

    entries: Sequence[CaseMatch]
    total: TotalRatingEffect | None


def load_case_matches(file: CaseFile, expanded: Collection[str]) -> CaseMatches:
    """Return the matches of a case. Those in ``expanded`` (slugs) have their whole timeline."""
    suspect_id = file.case.suspect_id or NO_USER_ID
    matches = list({report.match.pk: report.match for report in file.reports if report.match}.values())
    now = timezone.now()
    effects = rating_effects_by_match(matches, now)
    match_reports = public_reports(matches, now) if file.case.area == CaseArea.FAIR_PLAY else {}
    plays = compare_play(matches, match_reports, suspect_id) if match_reports else {}
    open_matches = [match for n, match in enumerate(matches) if n < MAX_TIMELINES or match.slug in expanded]
    rows = _load_match_rows(open_matches, file.moderators_match_ids)
    entries = []
    for match in matches:
        name, play = str(words_of(match.variant).name), plays.get(match.pk)
        entry = CaseMatch(match, name, effects.get(match.pk, ()), play=play)
        if match.pk in rows:
            reports = [report for report in file.reports if report.match_id == match.pk]
            rows[match.pk].report = match_reports.get(match.pk)
            entry = _with_timeline(entry, rows[match.pk], reports, suspect_id, whole=match.slug in expanded)
        entries.append(entry)
    return CaseMatches(entries, total_rating_effect(effects, suspect_id))


def _load_match_rows(matches: Sequence[Match], moderators_match_ids: Collection[int]) -> Mapping[int, MatchRows]:
    rows = {match.pk: MatchRows(match, moderator_plays=match.pk in moderators_match_ids) for match in matches}
    for seat in Seat.objects.filter(match__in=rows).order_by("index"):
        rows[seat.match_id].seats.append(seat)
    lines = Message.objects.filter(match__in=rows).exclude(
        room=Message.Room.SPECTATORS, match__in=moderators_match_ids
    )
    for line in lines.order_by("-pk")[:MAX_LINES]:
        rows[line.match_id].lines.append(line)
    for absence in Absence.objects.filter(match__in=rows).exclude(match__in=moderators_match_ids):
        rows[absence.match_id].absences.append(absence)
    return rows


def _with_timeline(
    entry: CaseMatch, rows: MatchRows, reports: Sequence[Report], suspect_id: int, *, whole: bool
) -> CaseMatch:
    table, is_delayed = _visible_table(rows.match)
    match_steps = steps.load_match_steps(rows.match.pk, table.version)
    step_times = [step.at for step in match_steps.steps if step.at]
    reported_steps, reported_lines = {report.step for report in reports}, {report.message_id for report in reports}
    moves = list(_step_entries(rows, match_steps.steps, suspect_id, reported_steps))
    disconnects = list(_disconnect_entries(rows, step_times, suspect_id))
    if is_delayed:
        moves, disconnects = [replace(move, thought=None, bank_left=None) for move in moves], []
    lines = _visible_lines(rows, reported_lines) if is_delayed else rows.lines
    chat = [_chat_entry(line, bisect_right(step_times, line.at), suspect_id, reported_lines) for line in lines]
    timeline = merge_entries(_with_slowest_marked(moves), chat, disconnects)
    first = next((part.step for part in timeline if part.reported and part.step), match_steps.last_number or None)
    parts = list(_with_texts(timeline if whole else fold_entries(timeline), table, match_steps))
    return replace(entry, parts=parts, step=first)


def _visible_lines(rows: MatchRows, reported: Collection[int | None]) -> list[Message]:
    """Return the lines of a delayed match that spectators can read by now, and the reported ones."""
    until = delayed.chat_cutoff(rows.match.pk, None)
    return [
        line
        for line in rows.lines
        if line.room != Message.Room.TABLE or line.pk in reported or until is None or line.at <= until
    ]


def _visible_table(match: Match) -> tuple[Table, bool]:
    """Return the table as spectators may see it by now, and True if that is later than the players do."""
    if match.status not in Match.UNFINISHED and disclosure.are_all_events_public(match, timezone.now()):
        return selectors.read_table(match.pk), False
    snapshot = delayed.snapshot_for(match.pk, None)
    return snapshot.table, snapshot.delayed


def _step_entries(
    rows: MatchRows, match_steps: Sequence[Step], suspect_id: int, reported: Collection[int | None]
) -> Iterator[TimelineEntry]:
    """Yield an entry without words for each step.

    Time banks are computed from the record, which has no credits for slow connections.
    """
    control = TIME_CONTROLS[rows.match.clock]
    losses = _losses_by_step(rows.report, match_steps)
    banks = {seat.index: control.bank_ms * MILLISECOND for seat in rows.seats}
    for step in match_steps:
        event = step.events[0]
        seat = event.seat if isinstance(event, Played | Drew | Passed) else None
        if seat is not None and control.bank_ms:
            banks[seat] = max(
                timedelta(), banks[seat] - max(timedelta(), step.time_taken - control.move_ms * MILLISECOND)
            )
        yield TimelineEntry(
            STEP,
            step.at or rows.match.created_at,
            step.number,
            thought=None if seat is None or step.at is None else step.time_taken,
            bank_left=None if seat is None or not control.bank_ms else banks[seat],
            by_suspect=rows.user_id_at(getattr(event, "seat", None)) == suspect_id,
            reported=step.number in reported,
            loss=losses.get(step.number),
        )


def _losses_by_step(report: MatchEvaluation | None, match_steps: Sequence[Step]) -> Mapping[int, float]:
    """Return what the choices of a match cost, by the number of the step that has the event."""
    versions = [step.version for step in match_steps]
    choices = report.choices if report else ()
    numbers = ((bisect_left(versions, choice.seq), choice.certain_loss) for choice in choices)
    return {match_steps[index].number: loss for index, loss in numbers if index < len(match_steps)}


def _with_texts(parts: Iterable[TimelinePart], table: Table, match_steps: MatchSteps) -> Iterator[TimelinePart]:
    """Yield the parts with the words of their steps."""
    words = words_for(table.variant, get_language() or "en")
    for part in parts:
        if isinstance(part, TimelineEntry) and part.kind == STEP:
            line = line_of(table, match_steps.step(part.step), words)
            yield replace(part, name=line.name, text=line.text)
        else:
            yield part


def _with_slowest_marked(moves: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return the moves, with the suspect's slowest one marked as notable."""
    suspects_moves = [entry for entry in moves if entry.by_suspect and entry.thought]
    slowest = max(suspects_moves, key=lambda entry: entry.thought or timedelta(), default=None)
    return [replace(entry, notable=True) if entry is slowest else entry for entry in moves]


def _chat_entry(line: Message, step: int, suspect_id: int, reported: Collection[int | None]) -> TimelineEntry:
    return TimelineEntry(
        LINE,
        line.at,
        step,
        line.name,
        line.text,
        by_suspect=line.user_id == suspect_id,
        reported=line.pk in reported,
        hidden=line.hidden,
        room=line.room,
        line_id=line.pk,
    )


def _disconnect_entries(rows: MatchRows, step_times: Sequence[datetime], suspect_id: int) -> Iterator[TimelineEntry]:
    """Yield the lost connections that are stored: those that led to an absence, and those of people away now."""
    texts: dict[tuple[int | None, datetime], str] = {}
    for absence in rows.absences:
        if absence.left_at:
            texts[absence.user_id, absence.left_at] = _("closed the last page")
        elif absence.last_seen:
            texts[absence.user_id, absence.last_seen] = _("last contact")
        texts[absence.user_id, absence.at] = str(ABSENCE_TEXTS[absence.reason])
    if not rows.moderator_plays:
        end = rows.match.finished_at
        for seat in rows.seats:
            if seat.user_id and seat.left_at and (end is None or seat.left_at < end):
                texts.setdefault((seat.user_id, seat.left_at), _("closed the last page"))
    for (user_id, at), text in texts.items():
        by_suspect, step = user_id == suspect_id, bisect_right(step_times, at)
        yield TimelineEntry(
            CONNECTION, at, step, rows.name_of(user_id), text, by_suspect=by_suspect, notable=by_suspect
        )
