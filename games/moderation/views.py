"""The pages for reporting somebody, and of the published figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import blocks
from accounts.requests import PersonRequest
from games.enums import CaseArea
from games.errors import Refused
from games.models import Report
from games.moderation.cases import figures, reportable
from games.moderation.cases.forms import REPORT_REASONS, PlaceForm, ReportForm
from games.moderation.cases.reportable import Reportable
from games.moderation.cases.reporting import report_person
from games.moderation.cases.urgency import REASON_KINDS
from games.moderation.texts import FIGURE_ROWS
from infrastructure.addresses import address_key_of_request
from infrastructure.limits import limits

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

CACHE_SECONDS = 3600


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_form_page(request: PersonRequest) -> HttpResponse:
    """Ask for the reason, and for the person if there are several; then report them."""
    form = PlaceForm(request.POST or request.GET, auto_id=False)
    if not form.is_valid():
        raise Http404(_("There is nothing to report here."))
    subject = reportable.find_reportable(request.user, **form.cleaned_data)
    if request.method == "POST" and (refusal := _submit_report(request, subject)) is None:
        return redirect("report-done")
    context = {
        "form": form,
        "people": subject.people,
        "reasons": _ordered_reasons(is_about_line=form.cleaned_data["line"] is not None),
        "words": ReportForm(auto_id=False)["words"],
        "refused": refusal if request.method == "POST" else "",
    }
    return render(request, "reports/report.html", context, status=400 if context["refused"] else 200)


def _ordered_reasons(*, is_about_line: bool) -> list[tuple[str, _StrPromise]]:
    """Return the reasons for a report; for a line of chat those about chat come first."""
    if not is_about_line:
        return REPORT_REASONS
    return sorted(REPORT_REASONS, key=lambda reason: REASON_KINDS[reason[0]].area != CaseArea.CHAT)


@login_required
@require_safe
def report_done(request: PersonRequest) -> HttpResponse:
    """Thank for the newest report of this person, and offer to block the reported person and to mute the table."""
    reports = Report.objects.filter(reporter=request.user).select_related("case__suspect", "match")
    report = reports.defer("match__secret").order_by("-pk").first()
    suspect = report.case.suspect if report else None
    context = {
        "match": report.match if report else None,
        "suspect": suspect,
        "is_blocked": suspect is not None and suspect.pk in blocks.blocked_ids(request.user.pk),
    }
    return render(request, "reports/report_sent.html", context)


def _submit_report(request: PersonRequest, subject: Reportable) -> str | None:
    """Report the chosen person. Return the reason of a refusal, None if there is none. Raises LimitExceeded."""
    form = ReportForm(request.POST)
    if not form.is_valid():
        return " ".join(str(error) for errors in form.errors.values() for error in errors)
    fields = form.cleaned_data
    suspect = next((person for person in subject.people if person.pk == fields["person"]), None)
    if suspect is None and len(subject.people) == 1:
        (suspect,) = subject.people
    if suspect is None:
        return str(Refused("nobody_chosen").text)
    address = address_key_of_request(request) if request.user.is_guest else ""
    words = f"{subject.note}{fields['words']}"
    limits.enforce("reports", address=address, account=request.user.pk)
    try:
        report_person(
            reporter=request.user, suspect=suspect, reason=fields["reason"], place=subject.place, words=words
        )
    except Refused as refusal:
        return str(refusal.text)
    return None


@require_safe
def show_figures(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    monthly_figures = (
        cache.get_or_set(f"moderation-figures-{now:%Y-%m}", lambda: figures.monthly_figures(now), CACHE_SECONDS) or []
    )
    # Figures cached before an update of the site may lack a new kind of act.
    rows = [(name, [month.counts.get(kind) for month in monthly_figures]) for kind, name in FIGURE_ROWS.items()]
    context = {
        "months": monthly_figures,
        "rows": rows,
        "fewest": figures.MIN_PUBLISHED_COUNT,
        "most": figures.MAX_MONTHS,
    }
    return render(request, "privacy/moderation_figures.html", context)
