"""Reviewing an uploaded record, on the same page as the matches of the site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from games.records import uploads
from games.records.import_form import ImportForm
from games.records.imported import Imported
from games.rendering.review import review_context
from games.review.past import OPEN, Step, all_perspectives
from games.views.redirects import see_other
from games.views.review import Nowhere, number_of
from games.views.review_frames import Moment, round_answer
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


@never_cache
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the table after a step of a match that this visitor uploaded."""
    try:
        match, step, chosen = asked(request, name)
    except Nowhere as nowhere:
        return render(request, "review/nowhere.html", {"text": str(nowhere)}, status=404)
    moment = moment_of(match, step, chosen)
    context = review_context(
        moment.table, moment.view, match.past, step, language=get_language() or "en", query=f"&as={chosen}"
    )
    shown = {
        "perspectives": all_perspectives(match.start.seats),
        "chosen": chosen,
        "people": [(str(person.seat), person.name) for person in moment.table.people],
        "last": match.past.last,
        "frames": reverse("review-imported-round", args=[name]),
    }
    return render(request, "review/page.html", context | shown)


@require_safe
@gzip_page
def round_frames(request: HttpRequest, name: str) -> HttpResponse:
    """Return the steps of the round of a step of a match that this visitor uploaded."""
    try:
        match, step, chosen = asked(request, name)
    except Nowhere as nowhere:
        return JsonResponse({"error": str(nowhere)}, status=404)
    moments = (moment_of(match, each, chosen) for each in match.past.round_of(step.number))
    return round_answer(request, match.past, moments, chosen=chosen, running=False)


def asked(request: HttpRequest, name: str) -> tuple[Imported, Step, str]:
    """Return the match, the step and the perspective that are asked for. Raises Nowhere and TooFast."""
    match = uploads.kept(request.session, name, **whose(request))
    if match is None:
        raise Nowhere(_("This record is no longer stored. Please upload it again."))
    step = match.past.step(number_of(request.GET.get("at", "1"), match.past.last))
    chosen = request.GET.get("as", OPEN)
    if chosen not in all_perspectives(match.start.seats):
        raise Nowhere(_("There is no such seat."))
    return match, step, chosen


def moment_of(match: Imported, step: Step, chosen: str) -> Moment:
    """Return a step of the match as it is seen from a perspective."""
    view = match.view(step, int(chosen) if chosen.isdecimal() else None, open_hands=chosen == OPEN)
    return Moment(match.table(step), step, view, None)
