"""Reporting somebody to the moderators: one press where it is seen, one for the reason."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.requests import PersonRequest
from games.access import known_person, readable_line, visible_match
from games.cases.forms import PlaceForm, ReportForm
from games.cases.reporting import Place, report
from games.enums import ReportReason
from games.errors import Refused


class Asked(NamedTuple):
    """Who may be meant by a report, and where it was seen."""

    people: list[User]
    place: Place


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest) -> HttpResponse:
    """Ask for the reason, where several people may be meant beside each name; then tell the moderators."""
    given = request.POST or request.GET
    form = PlaceForm(given, auto_id=False)
    if not form.is_valid():
        raise Http404(_("There is nothing to report here."))
    asked = _asked(request.user, **form.cleaned_data)
    if request.method == "POST" and (refused := _report(request, asked)) is None:
        return redirect("report-done")
    context = {
        "form": form,
        "people": asked.people,
        "reasons": ReportReason.choices,
        "words": ReportForm(auto_id=False)["words"],
        "refused": refused if request.method == "POST" else "",
    }
    return render(request, "reports/page.html", context, status=400 if context["refused"] else 200)


@never_cache
@login_required
@require_safe
def done(request: PersonRequest) -> HttpResponse:
    return render(request, "reports/done.html")


def _report(request: PersonRequest, asked: Asked) -> str | None:
    """Report whoever was chosen. Return why not, None if it is done."""
    form = ReportForm(request.POST)
    if not form.is_valid():
        return " ".join(str(error) for errors in form.errors.values() for error in errors)
    said = form.cleaned_data
    suspect = next((person for person in asked.people if person.pk == said["person"]), None)
    if suspect is None and len(asked.people) == 1:
        (suspect,) = asked.people
    if suspect is None:
        return _("Choose whom the report is about.")
    try:
        report(reporter=request.user, suspect=suspect, reason=said["reason"], place=asked.place, words=said["words"])
    except Refused as refused:
        return str(refused.text)
    return None


def _asked(viewer: User, *, line: int | None, match: str, step: int | None, person: int | None) -> Asked:
    """Return who may be meant. Raises Http404 where this viewer sees nobody else."""
    if line is not None:
        message = readable_line(viewer, line)
        people, place = [message.user], Place(message.match, None, message)
    elif match:
        found = visible_match(viewer, match)
        seats = found.seats.filter(user__isnull=False).exclude(user=viewer).select_related("user").order_by("index")
        people, place = [seat.user for seat in seats], Place(found, step)
    else:
        people, place = [known_person(viewer, person or 0)], Place()
    others = [each for each in people if each is not None and each.pk != viewer.pk]
    if not others:
        raise Http404(_("There is nobody to report here."))
    return Asked(others, place)
