"""The review of a match or an uploaded record, at one step and from one perspective."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.access import is_over_for, seat_of, visible_match
from games.engine.view import View
from games.match.table import Table
from games.match_reports import reports, upload_reports
from games.match_reports.report import Report
from games.models import Match
from games.records import players, uploads
from games.records.imported_match import ImportedMatch
from games.review import analysis, steps
from games.review.match_steps import OPEN_PERSPECTIVE, PUBLIC_PERSPECTIVE, MatchSteps, Step, all_perspectives
from games.spectators import delayed
from games.words.names import table_with_translated_names
from infrastructure.bidi import isolate
from infrastructure.page_limits import limit_keys

if TYPE_CHECKING:
    from games.access import Viewer

MAX_NUMBER_LENGTH = 9


class NothingToReview(Exception):
    """The requested step or perspective cannot be shown. The message says why."""


class ReviewStep(NamedTuple):
    """A step with the table and view after it, and the view of the seat to move if its choice can be analysed."""

    table: Table
    step: Step
    view: View
    view_to_analyse: View | None


class ReviewAddresses(NamedTuple):
    """The addresses of a review."""

    review: str
    frames: str
    analysis: str
    branch: str


# The names of these pages in the URL configuration, after their common prefix.
MATCH_PAGE_NAMES = ("review", "review-round", "analysis", "branch")
UPLOAD_PAGE_SUFFIXES = ("", "-round", "-analysis", "-branch")


@dataclass(frozen=True, slots=True)
class Review:
    """A match or an uploaded record at one step, with the perspectives that the viewer may choose.

    ``key`` identifies it in the caches of this process: the id of a match, or the name of an uploaded record.
    ``table`` is the table after ``step``; ``read_states`` reads the positions after steps of one round.
    """

    key: int | str
    table: Table
    match_steps: MatchSteps
    step: Step
    read_states: steps.StateReader
    perspectives: Sequence[str]
    perspective: str
    is_over: bool
    addresses: ReviewAddresses
    match: Match | None = None
    upload: ImportedMatch | None = None
    upload_owner: str = ""
    own_seat: int | None = None

    @property
    def seat(self) -> int | None:
        return int(self.perspective) if self.perspective.isdecimal() else None

    @property
    def south(self) -> int:
        """The seat at the bottom: that of the perspective, otherwise the viewer's own."""
        return next((seat for seat in (self.seat, self.own_seat) if seat is not None), 0)

    def current(self) -> ReviewStep:
        return next(self.review_steps([self.step]))

    def round_steps(self) -> Iterator[ReviewStep]:
        return self.review_steps(self.match_steps.steps_of_round(self.step.number))

    def review_steps(self, steps_of_round: Sequence[Step]) -> Iterator[ReviewStep]:
        """Yield these steps, all of one round, with their tables and views."""
        for step, state in zip(steps_of_round, self.read_states(steps_of_round), strict=True):
            table = steps.at_step(self.table, step)
            view = steps.view_of_seat(table, state, self.seat, open_hands=self.perspective == OPEN_PERSPECTIVE)
            yield ReviewStep(table, step, view, analysis.view_to_analyse(state) if self.is_over else None)

    @property
    def report(self) -> Report | None:
        """Return the report of an upload, or of a match for viewers who may know how it ended."""
        if self.match:
            return reports.report_of(self.match) if self.is_over else None
        return upload_reports.report_of_upload(self.upload_owner, str(self.key))

    @property
    def is_report_expected(self) -> bool:
        """Whether the report, which is not there yet, will soon be."""
        now = timezone.now()
        if self.match:
            return self.is_over and reports.is_report_expected(self.match, now)
        return upload_reports.is_report_expected(self.upload_owner, str(self.key), now)

    @property
    def people(self) -> list[tuple[str, str]]:
        """Return the seats whose perspective can be chosen, with the names of their players."""
        names = [(str(person.seat), isolate(person.name)) for person in self.table.people]
        return [(seat, name) for seat, name in names if seat in self.perspectives]

    @property
    def query(self) -> str:
        return urlencode({"at": self.step.number, "as": self.perspective})


def find_review(request: HttpRequest, query: QueryDict, *, slug: str = "", name: str = "") -> Review:
    """Return the review of the match ``slug`` or of the uploaded record ``name``.

    Raises NothingToReview, Http404 and TooFast.
    """
    if slug:
        return review_of_match(request.user, visible_match(request.user, slug), query)
    return review_of_upload(request, name, query)


def review_of_match(viewer: Viewer, match: Match, query: QueryDict, *, from_end: bool = False) -> Review:
    """Read the step (default: the first or last) and the perspective from a query. Raises NothingToReview."""
    snapshot = delayed.snapshot_for(match.pk, viewer.pk)
    match_over, seat = is_over_for(viewer, match), seat_of(viewer, match.pk)
    match_steps = steps.load_match_steps(match.pk, snapshot.table.version)
    if not match_steps.steps:
        raise NothingToReview(_("Nothing has been played at this table yet."))
    perspectives = allowed_perspectives(match, seat, match_over=match_over, open_hands=snapshot.open_hands)
    perspective = query.get("as", perspectives[0])
    if perspective not in perspectives:
        raise NothingToReview(_("While a match runs, you can review it as you see it or with all hands hidden."))
    step = requested_step(query, match_steps, match_steps.last_number if from_end else 1)
    table = table_with_translated_names(get_language() or "en", steps.table_at(match.pk, step))
    return Review(
        key=match.pk,
        table=delayed.hide_progress(table) if snapshot.delayed else table,
        match_steps=match_steps,
        step=step,
        read_states=partial(steps.states_at, match.pk),
        perspectives=perspectives,
        perspective=perspective,
        is_over=match_over,
        addresses=ReviewAddresses(*(reverse(f"match-{page}", args=[match.slug]) for page in MATCH_PAGE_NAMES)),
        match=match,
        own_seat=seat,
    )


def review_of_upload(request: HttpRequest, name: str, query: QueryDict) -> Review:
    """Read the step and the perspective of a record that this visitor uploaded. Raises NothingToReview and TooFast."""
    upload = uploads.load_upload(request.session, name, **limit_keys(request))
    if upload is None:
        raise NothingToReview(str(uploads.UPLOAD_EXPIRED))
    perspectives = all_perspectives(upload.start_event.seats)
    perspective = query.get("as", perspectives[0])
    if perspective not in perspectives:
        raise NothingToReview(_("There is no such seat."))
    step = requested_step(query, upload.match_steps, 1)
    people = players.people_of_record(upload.start_event, upload.players)
    return Review(
        key=name,
        table=table_with_translated_names(get_language() or "en", upload.table_after(step, people)),
        match_steps=upload.match_steps,
        step=step,
        read_states=upload.states_after,
        perspectives=perspectives,
        perspective=perspective,
        is_over=True,
        addresses=ReviewAddresses(*(reverse(f"review-imported{page}", args=[name]) for page in UPLOAD_PAGE_SUFFIXES)),
        upload=upload,
        upload_owner=uploads.owner_of(request.session),
    )


def requested_step(query: QueryDict, match_steps: MatchSteps, default: int) -> Step:
    """Return the step with the number ``at``, or the first one of a ``round``. Raises NothingToReview."""
    if "at" in query or "round" not in query:
        return match_steps.step(parse_step_number(query.get("at", str(default)), match_steps.last_number))
    rounds = {str(number): step for number, step in match_steps.round_starts().items()}
    if query["round"] not in rounds:
        raise NothingToReview(_("There is no such round in this match."))
    return match_steps.step(rounds[query["round"]])


def parse_step_number(text: str, last: int) -> int:
    """Read the number of a step. Raises NothingToReview."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_LENGTH and 1 <= int(text) <= last):
        raise NothingToReview(_("There is no such step: this match has steps 1 to %(last)d.") % {"last": last})
    return int(text)


def allowed_perspectives(match: Match, seat: int | None, *, match_over: bool, open_hands: bool) -> list[str]:
    """Return the perspectives that this person may choose, the default first.

    ``open_hands``: spectators see this running match, delayed by a round, with all hands open.
    """
    if match_over:
        return all_perspectives(match.seat_count)
    if open_hands:
        return [OPEN_PERSPECTIVE, PUBLIC_PERSPECTIVE]
    return [PUBLIC_PERSPECTIVE] if seat is None else [str(seat), PUBLIC_PERSPECTIVE]
