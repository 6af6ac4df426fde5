"""Downloads of records: one match as JSON or text, or all of a person as a stream.

Of a running match, the rounds that are over for the viewer can be downloaded, so that they can be checked.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.access import known_person, visible_match
from games.errors import Refused
from games.models import Match
from games.records import exports
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
    known_person(request.user, person_id, has_matches=bool(match_ids))
    if not match_ids:
        raise Http404(_("There is no such player, or they have played no public match."))
    known_person(request.user, person_id, has_matches=True)
    kind = exports.FORMATS[ending][1]
    headers = attached(f"person-{person_id}", ending)
    if request.method == "HEAD":
        return HttpResponse(content_type=kind, headers=headers)
    download = exports.Download(match_ids, ending, **whose(request))
    return StreamingHttpResponse(download, content_type=kind, headers=headers)


def recorded(request: HttpRequest, slug: str) -> Match:
    """Return the match at this address if it has begun. Raises Http404."""
    match = visible_match(request.user, slug)
    if match.status not in Match.UNFINISHED and not match.version:  # closed before anybody played
        raise Http404
    return match


def attached(name: str, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="dominoes-{name}.{ending}"'}
