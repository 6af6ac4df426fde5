"""Reviewing an uploaded record, on the same page as the matches of the site."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import Refused
from games.fair_dealing.views import verify_page
from games.match.table import Person
from games.records import exports, players, uploads
from games.records.import_form import ImportForm
from games.records.imported import Imported
from games.records.views import attached
from games.review import analysis
from games.review.analysis_rendering import analysis_context
from games.review.branch_views import Origin, begun, respond
from games.review.frames import Moment, round_answer
from games.review.past import OPEN, Step, all_perspectives
from games.review.rendering import review_context
from games.review.views import Nowhere, number_of
from games.web.redirects import see_other
from infrastructure.bidi import isolate
from infrastructure.limits import limits
from infrastructure.page_limits import whose


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Take a record, pasted or as a file, and show it or say why it cannot be shown."""
    if request.method != "POST":
        return render(request, "review/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    limits.require("imports", **whose(request))
    with limits.place("imports", **whose(request)):
        valid = form.is_valid()
    if not valid:
        return render(request, "review/import.html", {"form": form}, status=400)
    if not request.user.is_authenticated:
        request.session.set_expiry(uploads.KEPT_SECONDS)
    return see_other("review-imported", uploads.keep(request.session, form.cleaned_data["transcript"]))


class Asked(NamedTuple):
    """A step of an uploaded record, under the name of the record, as seen from a perspective."""

    name: str
    match: Imported
    people: tuple[Person, ...]
    step: Step
    chosen: str

    @property
    def query(self) -> str:
        return urlencode({"at": self.step.number, "as": self.chosen})

    def moment(self, step: Step) -> Moment:
        """Return a step as it is seen from the perspective."""
        seat = int(self.chosen) if self.chosen.isdecimal() else None
        view = self.match.view(step, seat, open_hands=self.chosen == OPEN)
        return Moment(self.match.table(step, self.people), step, view, analysis.choice(self.match.position(step)))


@never_cache
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the table after a step of a match that this visitor uploaded."""
    try:
        look = asked(request, name, request.GET)
    except Nowhere as nowhere:
        return gone(request, nowhere)
    moment, language = look.moment(look.step), get_language() or "en"
    context = review_context(
        moment.table, moment.view, look.match.past, look.step, language=language, query=f"&as={look.chosen}"
    )
    shown = {
        "perspectives": all_perspectives(look.match.start.seats),
        "chosen": look.chosen,
        "people": [(str(person.seat), isolate(person.name)) for person in look.people],
        "last": look.match.past.last,
        "frames": reverse("review-imported-round", args=[name]),
        "record_name": name,
        "whole": look.match.is_whole,
    }
    return render(request, "review/page.html", context | shown | about_choice(look, moment))


@require_safe
@gzip_page
def round_frames(request: HttpRequest, name: str) -> HttpResponse:
    """Return the steps of the round of a step of a match that this visitor uploaded."""
    try:
        look = asked(request, name, request.GET)
    except Nowhere as nowhere:
        return JsonResponse({"error": str(nowhere)}, status=404)
    moments = map(look.moment, look.match.past.round_of(look.step.number))
    return round_answer(request, look.match.past, moments, chosen=look.chosen, running=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def analysis_page(request: HttpRequest, name: str) -> HttpResponse:
    """Ask for the bot's analysis of a choice (POST), or return its progress (GET)."""
    try:
        look = asked(request, name, request.POST if request.method == "POST" else request.GET)
    except Nowhere as nowhere:
        return gone(request, nowhere)
    if request.method != "POST" and request.headers.get("HX-Request"):
        moment = look.moment(look.step)
        shown = {"table": moment.table, "step": look.step, "chosen": look.chosen}
        return render(request, "review/analysis.html", shown | about_choice(look, moment))
    if request.method == "POST":
        try:
            analysis.ask_about(name, look.step, look.match.position(look.step), **whose(request))
        except Refused as refused:
            messages.error(request, str(refused.text))
    return see_other(f"{reverse('review-imported', args=[name])}?{look.query}")


@never_cache
@require_safe
def record(request: HttpRequest, name: str, ending: str) -> HttpResponse:
    """Hand the record out again: as JSON, also if it came as a text, or as a text."""
    match = uploaded(request, name)
    headers = attached(f"record-{name}", ending)
    if ending == "json":
        return JsonResponse(match.data(), headers=headers)
    if ending == "txt":
        return HttpResponse(match.transcript(), "text/plain; charset=utf-8", headers=headers)
    raise Http404


@never_cache
@require_safe
def verify(request: HttpRequest, name: str) -> HttpResponse:
    """Show the page on which the browser checks the deals of the record."""
    match = uploaded(request, name)
    address = reverse("review-imported", args=[name])
    files = {ending: reverse("review-imported-record", args=[name, ending]) for ending in ("json", "txt")}
    names = ", ".join(isolate(person.name) for person in players.people(match.start, match.players))
    about = {"texts": exports.texts_of(match.start), "is_over": match.is_whole, "files": files, "address": address}
    return verify_page(request, match.start.variant, names, about)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
async def branch(request: HttpRequest, name: str) -> HttpResponse:
    """Show a branch of a match that this visitor uploaded, or make a move in it (POST)."""
    return await respond(request, partial(of_upload, name=name))


def of_upload(request: HttpRequest, name: str) -> Origin:
    """Return where a branch of an uploaded match begins. Raises Nowhere and TooFast."""
    look = asked(request, name, request.GET)
    step, start = begun(look.match.past, look.step, look.match.position)
    return Origin(
        name=f"{name} {step.version}",
        table=look.match.table(step, look.people),
        past=look.match.past,
        step=step,
        start=start,
        seat=None,
        address=reverse("review-imported-branch", args=[name]),
        review=reverse("review-imported", args=[name]),
    )


def about_choice(look: Asked, moment: Moment) -> dict[str, Any]:
    """Return the context of the analysis."""
    known, language = analysis.known(look.name, look.step), get_language() or "en"
    values = known.evaluation() if known else None
    addresses = {
        "opinions": reverse("review-imported-analysis", args=[look.name]),
        "branch": reverse("review-imported-branch", args=[look.name]),
    }
    return addresses | analysis_context(
        moment.table, moment.choice, values, look.match.past, look.step, language=language
    )


def asked(request: HttpRequest, name: str, query: QueryDict) -> Asked:
    """Return the match, the step and the perspective that are asked for. Raises Nowhere and TooFast."""
    match = uploads.kept(request.session, name, **whose(request))
    if match is None:
        raise Nowhere(_("This record was deleted after a day. Please upload it again."))
    step = match.past.step(number_of(query.get("at", "1"), match.past.last))
    chosen = query.get("as", OPEN)
    if chosen not in all_perspectives(match.start.seats):
        raise Nowhere(_("There is no such seat."))
    return Asked(name, match, players.people(match.start, match.players), step, chosen)


def uploaded(request: HttpRequest, name: str) -> Imported:
    """Return a match that this visitor uploaded. Raises Http404 and TooFast."""
    match = uploads.kept(request.session, name, **whose(request))
    if match is None:
        raise Http404(_("This record was deleted after a day. Please upload it again."))
    return match


def gone(request: HttpRequest, nowhere: Nowhere) -> HttpResponse:
    return render(request, "review/nowhere.html", {"text": str(nowhere)}, status=404)
