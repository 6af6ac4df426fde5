"""Downloads of the matches in a person's history, as records or as a table. The filters of the page apply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.access import visible_person
from games.history.filters import HistoryForm
from games.history.match_table import stream_table
from games.history.queries import seats_of_person
from games.records import exports
from games.records.views import TEXT_CONTENT_TYPE, attachment_headers
from infrastructure.not_found import ExplainedNotFound
from infrastructure.page_limits import limit_keys

TABLE_EXTENSION, TABLE_CONTENT_TYPE = "csv", "text/csv; charset=utf-8"


@require_safe
def download_matches(request: HttpRequest, person_id: int, extension: str) -> HttpResponseBase:
    """Download the matches in a person's history, in the order of their ends."""
    form = HistoryForm(request.GET, person_id=person_id)
    if not form.is_valid():
        messages = [str(message) for messages in form.errors.values() for message in messages]
        return HttpResponse("\n".join(messages), TEXT_CONTENT_TYPE, status=400)
    is_table = extension == TABLE_EXTENSION
    seats = seats_of_person(form.match_filter, request.user)
    match_ids = list((seats if is_table else seats.filter(match__version__gt=0)).values_list("match_id", flat=True))
    visible_person(request.user, person_id, has_matches=bool(match_ids))
    if not match_ids and not form.has_filters:
        raise ExplainedNotFound(_("This player does not exist, or has not played a public match."))
    content_type = TABLE_CONTENT_TYPE if is_table else exports.STREAM_FORMATS[extension][1]
    headers = attachment_headers(f"person-{person_id}", extension)
    if request.method == "HEAD":
        return HttpResponse(content_type=content_type, headers=headers)
    texts = _table_of(request, person_id, match_ids) if is_table else exports.stream_records(match_ids, extension)
    download = exports.LimitedStream(texts, **limit_keys(request))
    return StreamingHttpResponse(download, content_type=content_type, headers=headers)


def _table_of(request: HttpRequest, person_id: int, match_ids: Sequence[int]) -> AsyncIterator[str]:
    origin = request.build_absolute_uri("/").rstrip("/")
    return stream_table(match_ids, person_id, origin=origin, language=get_language() or "en")
