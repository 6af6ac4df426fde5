"""Uploads of records, and downloads: one match as JSON or text, or all of a person as a stream.

Of a running match, the rounds that are over for the viewer can be downloaded, so that they can be checked.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
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


@require_safe
@never_cache
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the record, with everything needed to check the deals."""
    match = recorded(request, slug)
    known = exports.known_to(request.user, match)
    if not known:
        refused = Refused("no_round_over")
        return JsonResponse({"error": refused.code, "text": str(refused.text)}, status=409)
    return JsonResponse(exports.data(match.pk, request.user, known), headers=attached(match.slug, "json"))


@require_safe
@never_cache
def transcript(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the record as a text that people can read."""
    match = recorded(request, slug)
    kind = "text/plain; charset=utf-8"
    known = exports.known_to(request.user, match)
    if not known:
        return HttpResponse(str(Refused("no_round_over").text), content_type=kind, status=409)
    return HttpResponse(exports.text(match.pk, request.user, known), kind, headers=attached(match.slug, "txt"))


@require_safe
def of_person(request: HttpRequest, person_id: int, ending: str) -> HttpResponseBase:
    """Download all matches of a person that the history lists for this viewer, in the order of their ends."""
    match_ids = exports.matches_of(person_id, request.user)
    visible_person(request.user, person_id, has_matches=bool(match_ids))
    if not match_ids:
        raise Http404(_("There is no such player, or they have played no public match."))
    visible_person(request.user, person_id, has_matches=True)
    kind = exports.FORMATS[ending][1]
    headers = attached(f"person-{person_id}", ending)
    if request.method == "HEAD":
        return HttpResponse(content_type=kind, headers=headers)
    download = exports.Download(match_ids, ending, **whose(request))
    return StreamingHttpResponse(download, content_type=kind, headers=headers)


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
        request.session.set_expiry(int(uploads.LIFETIME.total_seconds()))
    return see_other("review-imported", uploads.keep(request.session, form.cleaned_data["match"]))


@never_cache
@require_safe
def of_upload(request: HttpRequest, name: str, ending: str) -> HttpResponse:
    """Download an uploaded record as JSON or text, whichever format it was uploaded in."""
    match = uploaded(request, name)
    headers = attached(f"record-{name}", ending)
    if ending == "json":
        return JsonResponse(match.data(), headers=headers)
    if ending == "txt":
        return HttpResponse(match.transcript(), "text/plain; charset=utf-8", headers=headers)
    raise Http404


def uploaded(request: HttpRequest, name: str) -> Imported:
    """Return a match that this visitor uploaded. Raises Http404 and TooFast."""
    match = uploads.kept(request.session, name, **whose(request))
    if match is None:
        raise Http404(uploads.EXPIRED)
    return match


def recorded(request: HttpRequest, slug: str) -> Match:
    """Return the match at this address if it has begun. Raises Http404."""
    match = visible_match(request.user, slug)
    if match.status not in Match.UNFINISHED and not match.version:  # closed before anybody played
        raise Http404
    return match


def attached(name: str, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="dominoes-{name}.{ending}"'}
