"""Reviewing an uploaded record, on the same page as the matches of the site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.records import uploads
from games.records.import_form import ImportForm
from games.rendering.review import review_context
from games.review.past import OPEN, all_perspectives
from games.views.redirects import see_other
from games.views.review import Nowhere, number_of
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
    match = uploads.kept(request.session, name, **whose(request))
    try:
        if match is None:
            raise Nowhere(_("This record is no longer stored. Please upload it again."))
        step = match.past.step(number_of(request.GET.get("at", "1"), match.past.last))
        perspectives = all_perspectives(match.start.seats)
        chosen = request.GET.get("as", OPEN)
        if chosen not in perspectives:
            raise Nowhere(_("There is no such seat."))
    except Nowhere as nowhere:
        return render(request, "review/nowhere.html", {"text": str(nowhere)}, status=404)
    table = match.table(step)
    view = match.view(step, int(chosen) if chosen.isdecimal() else None, open_hands=chosen == OPEN)
    context = review_context(table, view, match.past, step, language=get_language() or "en")
    people = [(str(person.seat), person.name) for person in table.people]
    shown = {"perspectives": perspectives, "chosen": chosen, "people": people, "last": match.past.last}
    return render(request, "review/page.html", context | shown)
