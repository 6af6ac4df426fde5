"""All steps of a round in one response, so that a page can show them without further requests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language

from games.match_reports.report import Report
from games.review.analysis_rendering import analysis_context
from games.review.match_steps import ChatByStep
from games.review.rendering import round_context, step_zones
from games.review.review import Review, ReviewStep

# Browsers cache the response but revalidate it: names may be deleted, the match may become void.
CACHE_CONTROL = "private, no-cache"


def round_steps_response(request: HttpRequest, review: Review, chat: ChatByStep) -> HttpResponse:
    """Return the steps of a round as JSON, or 304 if the browser has them.

    - ``first``: the number of the first step of the round
    - ``last``: the number of the last step of the match
    - ``running``: whether the match goes on
    - ``rounds``: the first steps of all rounds
    - ``seats``: the seat that acted in each step, or null
    - ``frames``: for each step, the markup by id of what differs from the previous step
    """
    round_steps, report = list(review.round_steps()), review.report
    data = {
        "first": round_steps[0].step.number,
        "last": review.match_steps.last_number,
        "running": not review.is_over,
        "rounds": sorted(review.match_steps.round_starts().values()),
        "seats": [review_step.step.seat for review_step in round_steps],
        "frames": list(frame_changes(step_frame(row, review, report, chat) for row in round_steps)),
    }
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    tag = quote_etag(sha256(body).hexdigest()[:32])
    headers = {"ETag": tag, "Cache-Control": CACHE_CONTROL}
    response = HttpResponse(body, content_type="application/json", headers=headers)
    return get_conditional_response(request, etag=tag, response=response) or response


def step_frame(review_step: ReviewStep, review: Review, report: Report | None, chat: ChatByStep) -> dict[str, str]:
    """Return the markup of a step by id."""
    table, step, view, view_to_analyse = review_step
    match_steps, perspective, language = review.match_steps, review.perspective, get_language() or "en"
    query_suffix = f"&as={perspective}"
    zones: dict[str, str] = dict(
        step_zones(table, view, step, match_steps, language=language, query_suffix=query_suffix, report=report)
    )
    if step.number == match_steps.steps_of_round(step.number)[0].number:
        context = round_context(table, match_steps, step, language=language, report=report, chat=chat)
        zones["review-round"] = render_to_string("review/step_list.html", context | {"perspective": perspective})
    if review.is_over:
        context = analysis_context(table, view_to_analyse, None, match_steps, step, language=language)
        zones["analysis"] = render_to_string("review/analysis.html", context | {"table": table, "step": step})
    return zones


def frame_changes(frames: Iterable[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield the changes of each frame to the page after the previous frames."""
    page: dict[str, str] = {}
    for frame in frames:
        yield {name: html for name, html in frame.items() if page.get(name) != html}
        page |= frame
