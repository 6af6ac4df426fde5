"""Uploads of records, and downloads: one match as JSON or a transcript, or all matches of a person as a stream.

The finished rounds of a running match can be downloaded to check their deals.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.access import visible_match, visible_person
from games.errors import Refused
from games.models import Match
from games.records import exports, uploads
from games.records.import_form import ImportForm
from games.records.imported import Imported
from games.web.redirects import see_other
from infrastructure.limits import limits
from infrastructure.page_limits import whose

TEXT = "text/plain; charset=utf-8"


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the record as JSON, with everything needed to check the deals."""
    match = begun(request, slug)
    version = exports.visible_version(request.user, match)
    if not version:
        refused = Refused("no_round_over")
        return JsonResponse({"error": refused.code, "text": str(refused.text)}, status=409)
    data = exports.as_data(exports.read_match(match.pk, request.user, version))
    return JsonResponse(data, headers=attached(match.slug, "json"))


@require_safe
def transcript(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the record as a transcript."""
    match = begun(request, slug)
    version = exports.visible_version(request.user, match)
    if not version:
        return HttpResponse(str(Refused("no_round_over").text), TEXT, status=409)
    text = exports.as_text(exports.read_match(match.pk, request.user, version))
    return HttpResponse(text, TEXT, headers=attached(match.slug, "txt"))


@require_safe
def of_person(request: HttpRequest, person_id: int, ending: str) -> HttpResponseBase:
    """Download the matches in a person's history, in the order of their ends."""
    match_ids = exports.matches_of(person_id, request.user)
    visible_person(request.user, person_id, has_matches=bool(match_ids))
    if not match_ids:
        raise Http404(_("There is no such player, or they have played no public match."))
    _write, content_type = exports.FORMATS[ending]
    headers = attached(f"person-{person_id}", ending)
    if request.method == "HEAD":
        return HttpResponse(content_type=content_type, headers=headers)
    download = exports.Download(match_ids, ending, **whose(request))
    return StreamingHttpResponse(download, content_type=content_type, headers=headers)


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Import a record, pasted or as a file, and redirect to its review, or show why it cannot be imported."""
    if request.method != "POST":
        return render(request, "review/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    limits.require("imports", **whose(request))
    with limits.place("imports", **whose(request)):
        valid = form.is_valid()
    if not valid:
        return render(request, "review/import.html", {"form": form}, status=400)
    if not request.user.is_authenticated:
        request.session.set_expiry(int(uploads.LIFETIME.total_seconds()))
    return see_other("review-imported", uploads.store(request.session, form.cleaned_data["match"]))


@require_safe
def of_upload(request: HttpRequest, name: str, ending: str) -> HttpResponse:
    """Download an uploaded record as JSON or a transcript, whatever its original format."""
    match = uploaded(request, name)
    headers = attached(f"record-{name}", ending)
    if ending == "json":
        return JsonResponse(match.data(), headers=headers)
    if ending == "txt":
        return HttpResponse(match.transcript(), TEXT, headers=headers)
    raise Http404


def uploaded(request: HttpRequest, name: str) -> Imported:
    """Return a match that this visitor uploaded. Raises Http404 and TooFast."""
    match = uploads.load(request.session, name, **whose(request))
    if match is None:
        raise Http404(uploads.EXPIRED)
    return match


def begun(request: HttpRequest, slug: str) -> Match:
    """Return the match of a slug unless its table was closed before the start. Raises Http404."""
    match = visible_match(request.user, slug)
    if match.status not in Match.UNFINISHED and not match.version:
        raise Http404
    return match


def attached(name: str, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="dominoes-{name}.{ending}"'}
