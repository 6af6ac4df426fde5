"""The steps of a round in one answer: what a page replaces to show each of them, without asking again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language

from games.engine.view import View
from games.match.table import Table
from games.match_reports.report import Report
from games.review.analysis_rendering import analysis_context
from games.review.past import NOTHING_SAID, Past, Said, Step
from games.review.rendering import round_context, step_zones

CACHING = "private, no-cache"
"""A browser may keep the answer, and asks each time whether it still holds: names may go, the match be made void."""


class Moment(NamedTuple):
    """A step, its table, what is seen after it, and what the seat to move saw if its choice can be analysed."""

    table: Table
    step: Step
    view: View
    choice: View | None


def round_answer(
    request: HttpRequest,
    past: Past,
    moments: Iterable[Moment],
    *,
    chosen: str,
    running: bool,
    report: Report | None = None,
    said: Said = NOTHING_SAID,
) -> HttpResponse:
    """Return the steps of a round as JSON, or 304 where the browser has them.

    ``first`` is the number of the first of them, ``last`` that of the last step of the match, ``running`` whether more
    may come, ``rounds`` are the first steps of all rounds, ``seats`` who acted in each step (null: nobody). ``frames``
    hold for each step the markup by id of what differs from the step before.
    """
    shown = list(moments)
    answer = {
        "first": shown[0].step.number,
        "last": past.last,
        "running": running,
        "rounds": sorted(past.rounds().values()),
        "seats": [moment.step.seat for moment in shown],
        "frames": list(
            changes(frame(moment, past, chosen=chosen, running=running, report=report, said=said) for moment in shown)
        ),
    }
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
    tag = quote_etag(sha256(body).hexdigest()[:32])
    response = HttpResponse(body, content_type="application/json", headers={"ETag": tag, "Cache-Control": CACHING})
    return get_conditional_response(request, etag=tag, response=response) or response


def frame(
    moment: Moment, past: Past, *, chosen: str, running: bool, report: Report | None, said: Said
) -> dict[str, str]:
    """Return the markup by id of all that a step shows differently from others."""
    table, step, view, choice = moment
    language = get_language() or "en"
    found: dict[str, str] = dict(step_zones(table, view, step, past, language=language, query=f"&as={chosen}"))
    if step.number == past.round_of(step.number)[0].number:
        listed = round_context(table, past, step, language=language, report=report, said=said)
        found["review-round"] = render_to_string("review/round.html", listed | {"chosen": chosen})
    if not running:
        asked = analysis_context(table, choice, None, past, step, language=language)
        found["analysis"] = render_to_string("review/analysis.html", asked | {"table": table, "step": step})
    return found


def changes(frames: Iterable[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield of each frame what differs from what is shown after the frames before."""
    shown: dict[str, str] = {}
    for each in frames:
        yield {name: html for name, html in each.items() if shown.get(name) != html}
        shown |= each
