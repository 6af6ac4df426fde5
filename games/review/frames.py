"""The steps of a round in one answer: what a page replaces to show each of them, without asking again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language

from games.review.analysis_rendering import analysis_context
from games.review.past import Said
from games.review.rendering import round_context, step_zones
from games.review.reviewed import Moment, Reviewed

# Browsers keep the answer but ask each time whether it is current: names may be deleted, the match made void.
CACHING = "private, no-cache"


def round_answer(request: HttpRequest, reviewed: Reviewed, said: Said) -> HttpResponse:
    """Return the steps of a round as JSON, or 304 where the browser has them.

    ``first`` is the number of the first of them, ``last`` that of the last step of the match, ``running`` whether more
    may come, ``rounds`` are the first steps of all rounds, ``seats`` who acted in each step (null: nobody). ``frames``
    hold for each step the markup by id of what differs from the step before.
    """
    moments = list(reviewed.round_moments())
    answer = {
        "first": moments[0].step.number,
        "last": reviewed.past.last,
        "running": not reviewed.is_over,
        "rounds": sorted(reviewed.past.rounds().values()),
        "seats": [moment.step.seat for moment in moments],
        "frames": list(changes(frame(moment, reviewed, said) for moment in moments)),
    }
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
    tag = quote_etag(sha256(body).hexdigest()[:32])
    response = HttpResponse(body, content_type="application/json", headers={"ETag": tag, "Cache-Control": CACHING})
    return get_conditional_response(request, etag=tag, response=response) or response


def frame(moment: Moment, reviewed: Reviewed, said: Said) -> dict[str, str]:
    """Return the markup by id of all that a step shows differently from others."""
    table, step, view, choice = moment
    past, chosen, language = reviewed.past, reviewed.perspective, get_language() or "en"
    zones: dict[str, str] = dict(step_zones(table, view, step, past, language=language, query=f"&as={chosen}"))
    if step.number == past.round_of(step.number)[0].number:
        context = round_context(table, past, step, language=language, report=reviewed.report, said=said)
        zones["review-round"] = render_to_string("review/round.html", context | {"chosen": chosen})
    if reviewed.is_over:
        context = analysis_context(table, choice, None, past, step, language=language)
        zones["analysis"] = render_to_string("review/analysis.html", context | {"table": table, "step": step})
    return zones


def changes(frames: Iterable[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield of each frame what differs from what is shown after the frames before."""
    page: dict[str, str] = {}
    for frame in frames:
        yield {name: html for name, html in frame.items() if page.get(name) != html}
        page |= frame
