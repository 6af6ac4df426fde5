"""Uploads of records, and downloads of one match as JSON or a transcript.

The finished rounds of a running match can be downloaded to check their deals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from games.access import visible_match
from games.errors import Refused
from games.models import Match
from games.records import exports, uploads
from games.records.import_form import ImportForm
from games.records.imported_match import ImportedMatch
from games.web.redirects import see_other
from infrastructure.limits import limits
from infrastructure.page_limits import limit_keys

if TYPE_CHECKING:
    from games.access import Viewer

TEXT_CONTENT_TYPE = "text/plain; charset=utf-8"


@require_safe
def download_record(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the record as JSON, with everything needed to check the deals."""
    match = find_started_match(request.user, slug)
    version = exports.downloadable_version(request.user, match)
    if not version:
        refused = Refused("no_round_over")
        return JsonResponse({"error": refused.code, "text": str(refused.text)}, status=409)
    data = exports.to_json_data(exports.read_record(match.pk, request.user, version))
    return JsonResponse(data, headers=attachment_headers(match.slug, "json"))


@require_safe
def download_transcript(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the record as a transcript."""
    match = find_started_match(request.user, slug)
    version = exports.downloadable_version(request.user, match)
    if not version:
        return HttpResponse(str(Refused("no_round_over").text), TEXT_CONTENT_TYPE, status=409)
    text = exports.to_transcript(exports.read_record(match.pk, request.user, version))
    return HttpResponse(text, TEXT_CONTENT_TYPE, headers=attachment_headers(match.slug, "txt"))


@require_http_methods(["GET", "HEAD", "POST"])
def upload_record(request: HttpRequest) -> HttpResponse:
    """Import a record, pasted or as a file, and redirect to its review, or show why it cannot be imported."""
    if request.method != "POST":
        return render(request, "review/upload_record.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    limits.enforce("imports", **limit_keys(request))
    with limits.hold_place("imports", **limit_keys(request)):
        valid = form.is_valid()
    if not valid:
        return render(request, "review/upload_record.html", {"form": form}, status=400)
    if not request.user.is_authenticated:
        request.session.set_expiry(int(uploads.UPLOAD_LIFETIME.total_seconds()))
    return see_other("review-imported", uploads.store_upload(request.session, form.cleaned_data["match"]))


@require_safe
def download_upload(request: HttpRequest, name: str, extension: str) -> HttpResponse:
    """Download an uploaded record as JSON or a transcript, whatever its original format."""
    match = find_upload(request, name)
    headers = attachment_headers(f"record-{name}", extension)
    if extension == "json":
        return JsonResponse(match.to_data(), headers=headers)
    if extension == "txt":
        return HttpResponse(match.to_transcript(), TEXT_CONTENT_TYPE, headers=headers)
    raise Http404


def find_upload(request: HttpRequest, name: str) -> ImportedMatch:
    """Return a match that this visitor uploaded. Raises Http404 and LimitExceeded."""
    match = uploads.load_upload(request.session, name, **limit_keys(request))
    if match is None:
        raise Http404(uploads.UPLOAD_EXPIRED)
    return match


def find_started_match(viewer: Viewer, slug: str) -> Match:
    """Return the match of a slug unless its table was closed before the start. Raises Http404."""
    match = visible_match(viewer, slug)
    if match.status not in Match.UNFINISHED and not match.version:
        raise Http404
    return match


def attachment_headers(name: str, extension: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="dominoes-{name}.{extension}"'}
