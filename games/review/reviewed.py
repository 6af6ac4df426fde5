"""The match or uploaded record of a review page, at one step and from one perspective."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.access import is_over, seat_of, visible_match
from games.engine.view import View
from games.match.table import Table
from games.match_reports import reports
from games.match_reports.report import Report
from games.models import Match
from games.records import players, uploads
from games.records.imported import Imported
from games.review import analysis, steps
from games.review.past import OPEN, PUBLIC, Past, Step, all_perspectives
from games.spectators import delayed
from games.words.names import table_in
from infrastructure.bidi import isolate
from infrastructure.page_limits import whose

if TYPE_CHECKING:
    from games.access import Viewer

MAX_NUMBER_LENGTH = 9


class Nowhere(Exception):
    """The requested step or perspective cannot be shown. The message says why."""


class ReviewStep(NamedTuple):
    """A step with the table and view after it, and the view of the seat to move if its choice can be analysed."""

    table: Table
    step: Step
    view: View
    choice: View | None


class Addresses(NamedTuple):
    """The addresses of a review."""

    review: str
    frames: str
    analysis: str
    branch: str


# The names of these pages in the URL configuration, after their common prefix.
PAGES = ("review", "review-round", "analysis", "branch")
UPLOAD_PAGES = ("", "-round", "-analysis", "-branch")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A match or an uploaded record at one step, with the perspectives that the viewer may choose.

    ``key`` identifies it in the caches of this process: the id of a match, or the name of an uploaded record.
    ``table`` is the table after ``step``; ``states`` reads the positions after steps of one round.
    """

    key: int | str
    table: Table
    past: Past
    step: Step
    states: steps.States
    perspectives: Sequence[str]
    perspective: str
    is_over: bool
    addresses: Addresses
    match: Match | None = None
    upload: Imported | None = None
    own_seat: int | None = None

    @property
    def seat(self) -> int | None:
        return int(self.perspective) if self.perspective.isdecimal() else None

    def current(self) -> ReviewStep:
        return next(self.review_steps([self.step]))

    def round_steps(self) -> Iterator[ReviewStep]:
        return self.review_steps(self.past.round_of(self.step.number))

    def review_steps(self, within: Sequence[Step]) -> Iterator[ReviewStep]:
        """Yield these steps, all of one round, with their tables and views."""
        for step, state in zip(within, self.states(within), strict=True):
            table = steps.at_step(self.table, step)
            view = steps.view_of(table, state, self.seat, open_hands=self.perspective == OPEN)
            yield ReviewStep(table, step, view, analysis.choice(state) if self.is_over else None)

    @property
    def report(self) -> Report | None:
        """Return the report of a match for viewers who may know how it ended."""
        return reports.of(self.match) if self.match and self.is_over else None

    @property
    def people(self) -> list[tuple[str, str]]:
        """Return the seats whose perspective can be chosen, with the names of their players."""
        names = [(str(person.seat), isolate(person.name)) for person in self.table.people]
        return [(seat, name) for seat, name in names if seat in self.perspectives]

    @property
    def query(self) -> str:
        return urlencode({"at": self.step.number, "as": self.perspective})


def find(request: HttpRequest, query: QueryDict, *, slug: str = "", name: str = "") -> Reviewed:
    """Return the match of a ``slug`` or the uploaded record of a ``name``. Raises Nowhere, Http404 and TooFast."""
    if slug:
        return of_match(request.user, visible_match(request.user, slug), query)
    return of_upload(request, name, query)


def of_match(viewer: Viewer, match: Match, query: QueryDict, *, from_end: bool = False) -> Reviewed:
    """Read the step (default: the first or last) and the perspective from a query. Raises Nowhere."""
    snapshot, over, seat = delayed.snapshot_for(match.pk, viewer.pk), is_over(viewer, match), seat_of(viewer, match.pk)
    past = steps.past(match.pk, snapshot.table.version)
    if not past.steps:
        raise Nowhere(_("Nothing has been played at this table yet."))
    perspectives = allowed_perspectives(match, seat, over=over, open_hands=snapshot.open_hands)
    perspective = query.get("as", perspectives[0])
    if perspective not in perspectives:
        raise Nowhere(_("While a match runs, you can review it as you see it or with all hands hidden."))
    step = step_of(query, past, past.last if from_end else 1)
    table = table_in(get_language() or "en", steps.table_at(match.pk, step))
    return Reviewed(
        key=match.pk,
        table=delayed.redact(table) if snapshot.delayed else table,
        past=past,
        step=step,
        states=partial(steps.states_at, match.pk),
        perspectives=perspectives,
        perspective=perspective,
        is_over=over,
        addresses=Addresses(*(reverse(f"match-{page}", args=[match.slug]) for page in PAGES)),
        match=match,
        own_seat=seat,
    )


def of_upload(request: HttpRequest, name: str, query: QueryDict) -> Reviewed:
    """Read the step and the perspective of a record that this visitor uploaded. Raises Nowhere and TooFast."""
    upload = uploads.load(request.session, name, **whose(request))
    if upload is None:
        raise Nowhere(str(uploads.EXPIRED))
    perspectives = all_perspectives(upload.start.seats)
    perspective = query.get("as", perspectives[0])
    if perspective not in perspectives:
        raise Nowhere(_("There is no such seat."))
    step = step_of(query, upload.past, 1)
    return Reviewed(
        key=name,
        table=table_in(get_language() or "en", upload.table(step, players.people(upload.start, upload.players))),
        past=upload.past,
        step=step,
        states=upload.states,
        perspectives=perspectives,
        perspective=perspective,
        is_over=True,
        addresses=Addresses(*(reverse(f"review-imported{page}", args=[name]) for page in UPLOAD_PAGES)),
        upload=upload,
    )


def step_of(query: QueryDict, past: Past, default: int) -> Step:
    """Return the step with the number ``at``, or the first one of a ``round``. Raises Nowhere."""
    if "at" in query or "round" not in query:
        return past.step(number_of(query.get("at", str(default)), past.last))
    rounds = {str(number): step for number, step in past.rounds().items()}
    if query["round"] not in rounds:
        raise Nowhere(_("There is no such round in this match."))
    return past.step(rounds[query["round"]])


def number_of(text: str, last: int) -> int:
    """Read the number of a step. Raises Nowhere."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_LENGTH and 1 <= int(text) <= last):
        raise Nowhere(_("There is no such step: this match has steps 1 to %(last)d.") % {"last": last})
    return int(text)


def allowed_perspectives(match: Match, seat: int | None, *, over: bool, open_hands: bool) -> list[str]:
    """Return the perspectives that this person may choose, the default first.

    ``open_hands``: spectators see this running match, delayed by a round, with all hands open.
    """
    if over:
        return all_perspectives(match.seat_count)
    if open_hands:
        return [OPEN, PUBLIC]
    return [PUBLIC] if seat is None else [str(seat), PUBLIC]
