"""The pages to review a match of the site or an uploaded record step by step.

Every step has an address, and the page is the same with and without scripts. The views take the ``slug`` of a match
or the ``name`` of an uploaded record.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from games.access import is_over, muted, visible_match
from games.chat import review as review_chat
from games.errors import Refused
from games.match import selectors
from games.match_reports import reports
from games.match_reports.rendering import AT_THE_TABLE, key_moments
from games.puzzles.mistake_views import own_mistakes
from games.review import analysis, steps
from games.review.analysis_rendering import analysis_context
from games.review.frames import round_response
from games.review.past import NO_CHAT, ChatByStep
from games.review.rendering import review_context
from games.review.reviewed import Nowhere, Reviewed, ReviewStep, find
from games.review.shared_views import together
from games.services import demo
from games.spectators import delayed
from games.web.redirects import see_other
from infrastructure.page_limits import whose


@require_safe
def page(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Show the table after a step, during a match only from the public and the viewer's own perspective."""
    try:
        reviewed = find(request, request.GET, slug=slug, name=name)
    except Nowhere as nowhere:
        return nowhere_page(request, nowhere, slug)
    if reviewed.match:
        demo.mark_visited(reviewed.match)
    current = reviewed.current()
    context = review_context(
        current.table,
        current.view,
        reviewed.past,
        reviewed.step,
        language=get_language() or "en",
        query=f"&as={reviewed.perspective}",
        report=reviewed.report,
        chat=chat_in_round(request, reviewed),
    )
    context |= {
        "perspectives": reviewed.perspectives,
        "chosen": reviewed.perspective,
        "people": reviewed.people,
        "last": reviewed.past.last,
        "running": not reviewed.is_over,
        "frames": reviewed.addresses.frames,
        "query": reviewed.query if reviewed.is_over else urlencode({"at": reviewed.step.number}),
        "company": any(person.user_id is not None for person in reviewed.table.people),
    }
    context |= analysis_of(reviewed, current) | context_of_source(request, reviewed)
    return render(request, "review/page.html", context)


def context_of_source(request: HttpRequest, reviewed: Reviewed) -> dict[str, object]:
    """Return the context that only an uploaded record or only a match that is over has."""
    if reviewed.upload:
        return {"record_name": reviewed.key, "whole": reviewed.upload.is_whole}
    if reviewed.match and reviewed.is_over:
        chat, mistakes = together(request, reviewed.match), own_mistakes(request, reviewed.match)
        return chat | {"together": True, "mistakes": mistakes}
    return {}


def nowhere_page(request: HttpRequest, nowhere: Nowhere, slug: str) -> HttpResponse:
    return render(request, "review/nowhere.html", {"slug": slug, "text": str(nowhere)}, status=404)


@require_safe
def moments(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the key moments on the card of a result, or that the report is still being made."""
    match = visible_match(request.user, slug)
    context: dict[str, object] = {"match": match}
    if is_over(request.user, match):
        context["waiting"] = reports.is_awaited(match, timezone.now())
        if report := reports.of(match):
            context["mistakes"] = own_mistakes(request, match)
            past, language = steps.past(match.pk, match.version), get_language() or "en"
            context["moments"] = key_moments(selectors.read_table(match.pk), report, past, language)[:AT_THE_TABLE]
            context["waiting"] = False
    return render(request, "table/moments.html", context)


@require_safe
@gzip_page
def round_frames(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Return all steps of the round of a step for the page's script."""
    try:
        reviewed = find(request, request.GET, slug=slug, name=name)
    except Nowhere as nowhere:
        return JsonResponse({"error": str(nowhere)}, status=404)
    return round_response(request, reviewed, chat_in_round(request, reviewed))


def chat_in_round(request: HttpRequest, reviewed: Reviewed) -> ChatByStep:
    """Return the chat of the round of the step, as far as the viewer may read it."""
    viewer, match = request.user, reviewed.match
    if match is None:
        return NO_CHAT
    until, is_muted = delayed.chat_until(match.pk, viewer.pk), muted(viewer, match, request.COOKIES)
    return review_chat.said_in_round(match.pk, reviewed.past, reviewed.step.number, until=until, muted=is_muted)


@require_http_methods(["GET", "HEAD", "POST"])
def analysis_page(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Request the bot's analysis of a choice in a match that is over (POST), or return its progress (GET)."""
    is_post = request.method == "POST"
    try:
        reviewed = find(request, request.POST if is_post else request.GET, slug=slug, name=name)
    except Nowhere as nowhere:
        return nowhere_page(request, nowhere, slug)
    if not is_post and request.headers.get("HX-Request"):
        current = reviewed.current()
        context = {"table": current.table, "step": current.step, "chosen": reviewed.perspective}
        context |= {"running": not reviewed.is_over} | analysis_of(reviewed, current)
        return render(request, "review/analysis.html", context)
    if is_post:
        try:
            request_analysis(request, reviewed)
        except Refused as refused:
            messages.error(request, str(refused.text))
    return see_other(f"{reviewed.addresses.review}?{reviewed.query}")


def request_analysis(request: HttpRequest, reviewed: Reviewed) -> None:
    """Raises Refused ``not_finished``, ``no_choice`` or ``too_fast``, or TooFast."""
    if not reviewed.is_over:
        raise Refused("not_finished")
    (position,) = reviewed.states([reviewed.step])
    analysis.request(reviewed.key, reviewed.step, position, **whose(request))


def analysis_of(reviewed: Reviewed, current: ReviewStep) -> dict[str, object]:
    """Return the context of the analysis, empty during a match."""
    if not reviewed.is_over:
        return {}
    progress = analysis.requested(reviewed.key, current.step)
    return {
        "opinions": reviewed.addresses.analysis,
        "branch": reviewed.addresses.branch,
        **analysis_context(
            current.table,
            current.choice,
            progress.evaluation() if progress else None,
            reviewed.past,
            current.step,
            language=get_language() or "en",
        ),
    }
