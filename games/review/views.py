"""Reviewing a match step by step. Each step has an address, and the page is the same with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from games.access import is_over, muted, seat_of, visible_match
from games.chat import review as review_chat
from games.engine.view import View
from games.errors import Refused
from games.match import selectors
from games.match.table import Table
from games.match_reports import kept
from games.match_reports.rendering import AT_THE_TABLE, key_moments
from games.match_reports.report import Report
from games.models import Match
from games.puzzles.mistake_views import own_mistakes
from games.review import analysis, steps
from games.review.analysis_rendering import analysis_context
from games.review.frames import Moment, round_answer
from games.review.past import OPEN, PUBLIC, Past, Said, Step, all_perspectives
from games.review.rendering import review_context
from games.review.shared_views import together
from games.services import demo
from games.spectators import delayed
from games.web.redirects import see_other
from infrastructure.bidi import isolate
from infrastructure.page_limits import whose

if TYPE_CHECKING:
    from games.access import Viewer

LONGEST_NUMBER = 9


class Nowhere(Exception):
    """The step or perspective that was asked for cannot be shown; the text says why."""


class Look(NamedTuple):
    """What a viewer looks at: a step, the perspective, and the ones that can be chosen."""

    match: Match
    table: Table
    past: Past
    step: Step
    perspectives: list[str]
    chosen: str
    is_over: bool

    @property
    def view(self) -> View:
        return steps.view_at(self.table, self.step, self.seat, open_hands=self.chosen == OPEN)

    @property
    def seat(self) -> int | None:
        return int(self.chosen) if self.chosen.isdecimal() else None

    def moments(self) -> Iterator[Moment]:
        """Yield each step of this round with what is to be seen after it."""
        within = self.past.round_of(self.step.number)
        for step, state in zip(within, steps.states_at(self.match.pk, within), strict=True):
            view = steps.view_of(self.table, state, self.seat, open_hands=self.chosen == OPEN)
            choice = analysis.choice(state) if self.is_over else None
            yield Moment(steps.at_step(self.table, step), step, view, choice)

    @property
    def report(self) -> Report | None:
        """Return the report of the match, for those who may know how it ended."""
        return kept.of(self.match) if self.is_over else None

    @property
    def people(self) -> list[tuple[str, str]]:
        """Return the seats whose perspective can be chosen, with the names of their people."""
        named = [(str(person.seat), isolate(person.name)) for person in self.table.people]
        return [(seat, name) for seat, name in named if seat in self.perspectives]

    @property
    def query(self) -> str:
        return urlencode({"at": self.step.number, "as": self.chosen})


@never_cache
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table after a step. While the match runs, only the public and the viewer's own perspective exist."""
    match = visible_match(request.user, slug)
    demo.visit(match)
    try:
        look = look_at(request.user, match, request.GET)
    except Nowhere as nowhere:
        return render(request, "review/nowhere.html", {"match": match, "text": str(nowhere)}, status=404)
    context = review_context(
        look.table,
        look.view,
        look.past,
        look.step,
        language=get_language() or "en",
        query=f"&as={look.chosen}",
        report=look.report,
        said=said_in_round(request, look),
    )
    shown = {
        "perspectives": look.perspectives,
        "chosen": look.chosen,
        "people": look.people,
        "last": look.past.last,
        "together": look.is_over,
        "running": not look.is_over,
        "frames": reverse("match-review-round", args=[slug]),
        "query": look.query if look.is_over else urlencode({"at": look.step.number}),
        "company": any(person.user_id is not None for person in look.table.people),
    }
    context |= shown | about_choice(look) | (once_over(request, look) if look.is_over else {})
    return render(request, "review/page.html", context)


def once_over(request: HttpRequest, look: Look) -> dict[str, object]:
    """Return what only the page of a match that is over shows: its chat, and one's mistakes."""
    return together(request, look.match) | {"mistakes": own_mistakes(request, look.match)}


@never_cache
@require_safe
def moments(request: HttpRequest, slug: str) -> HttpResponse:
    """Return what the card of a result shows of the report: the dearest choices, or that it is still to come."""
    match = visible_match(request.user, slug)
    shown: dict[str, object] = {"match": match}
    if is_over(request.user, match):
        shown["waiting"] = kept.is_awaited(match, timezone.now())
        if report := kept.of(match):
            shown["mistakes"] = own_mistakes(request, match)
            past, language = steps.past(match.pk, match.version), get_language() or "en"
            shown["moments"] = key_moments(selectors.table(match.pk), report, past, language)[:AT_THE_TABLE]
            shown["waiting"] = False
    return render(request, "table/moments.html", shown)


@require_safe
@gzip_page
def round_frames(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the steps of the round of a step, as seen from the perspective, for a page that shows them by itself."""
    match = visible_match(request.user, slug)
    try:
        look = look_at(request.user, match, request.GET)
    except Nowhere as nowhere:
        return JsonResponse({"error": str(nowhere)}, status=404)
    return round_answer(
        request,
        look.past,
        look.moments(),
        chosen=look.chosen,
        running=not look.is_over,
        report=look.report,
        said=said_in_round(request, look),
    )


def said_in_round(request: HttpRequest, look: Look) -> Said:
    """Return what the viewer may read of what was said at the table in the round of the step."""
    viewer, match = request.user, look.match
    until, not_read = delayed.said_until(match.pk, viewer.pk), muted(viewer, match, request.COOKIES)
    return review_chat.said_in_round(match.pk, look.past, look.step.number, until=until, muted=not_read)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def analysis_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the bot's analysis of a choice in a match that is over (POST), or return its progress (GET)."""
    match = visible_match(request.user, slug)
    try:
        look = look_at(request.user, match, request.POST if request.method == "POST" else request.GET)
    except Nowhere as nowhere:
        return render(request, "review/nowhere.html", {"match": match, "text": str(nowhere)}, status=404)
    if request.method != "POST" and request.headers.get("HX-Request"):
        shown = {"table": look.table, "step": look.step, "chosen": look.chosen, "running": not look.is_over}
        return render(request, "review/analysis.html", shown | about_choice(look))
    if request.method == "POST":
        try:
            ask(request, look)
        except Refused as refused:
            messages.error(request, str(refused.text))
    return see_other(f"{reverse('match-review', args=[slug])}?{look.query}")


def ask(request: HttpRequest, look: Look) -> None:
    """Raises Refused ``not_finished``, ``no_choice`` or ``too_fast``, or TooFast."""
    if not look.is_over:
        raise Refused("not_finished")
    analysis.ask(look.match.pk, look.step, **whose(request))


def about_choice(look: Look) -> dict[str, object]:
    """Return the context of the analysis: nothing while the match runs."""
    if not look.is_over:
        return {}
    view, known = analysis.decision(look.match.pk, look.step), analysis.known(look.match.pk, look.step)
    pages = {"opinions": "match-analysis", "branch": "match-branch"}
    addresses = {name: reverse(page, args=[look.match.slug]) for name, page in pages.items()}
    return addresses | analysis_context(
        look.table, view, known.evaluation() if known else None, look.past, look.step, language=get_language() or "en"
    )


def look_at(viewer: Viewer, match: Match, asked: QueryDict, *, from_end: bool = False) -> Look:
    """Read the step (default: the first or last) and the perspective that are asked for. Raises Nowhere."""
    snapshot, over = delayed.current(match.pk, viewer.pk), is_over(viewer, match)
    past = steps.past(match.pk, snapshot.table.version)
    if not past.steps:
        raise Nowhere(_("Nothing has been played at this table yet."))
    perspectives = allowed_perspectives(match, seat_of(viewer, match.pk), over=over, open_hands=snapshot.open_hands)
    chosen = asked.get("as", perspectives[0])
    if chosen not in perspectives:
        raise Nowhere(_("While a match is running, you can review it only as you saw it or with all hands closed."))
    step = past.step(step_asked(asked, past, past.last if from_end else 1))
    table = steps.table_at(match.pk, step)
    return Look(match, delayed.redacted(table) if snapshot.delayed else table, past, step, perspectives, chosen, over)


def step_asked(asked: QueryDict, past: Past, usual: int) -> int:
    """Read the number of the step: ``at``, or the first one of a ``round``. Raises Nowhere."""
    if "at" in asked or "round" not in asked:
        return number_of(asked.get("at", str(usual)), past.last)
    rounds = {str(number): step for number, step in past.rounds().items()}
    if asked["round"] not in rounds:
        raise Nowhere(_("There is no such round in this match."))
    return rounds[asked["round"]]


def number_of(text: str, last: int) -> int:
    """Read the number of a step. Raises Nowhere."""
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER and 1 <= int(text) <= last):
        raise Nowhere(_("There is no such step: this match has steps 1 to %(last)d.") % {"last": last})
    return int(text)


def allowed_perspectives(match: Match, seat: int | None, *, over: bool, open_hands: bool) -> list[str]:
    """Return the perspectives this person may choose, the usual one first.

    ``open_hands``: spectators see this running match, delayed by a round, with all hands open.
    """
    if over:
        return all_perspectives(match.seat_count)
    if open_hands:
        return [OPEN, PUBLIC]
    return [PUBLIC] if seat is None else [str(seat), PUBLIC]
