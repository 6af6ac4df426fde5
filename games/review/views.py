"""The pages to review a match of the site or an uploaded record step by step.

Every step has an address, and the page is the same with and without scripts. The views take the ``slug`` of a match
or the ``name`` of an uploaded record.
"""

from __future__ import annotations

from operator import attrgetter
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from games.access import is_over_for, muted_chats, visible_match
from games.chat import review as review_chat
from games.daily_boards.rendering import comparison_text
from games.daily_boards.selectors import compare_board
from games.errors import Refused
from games.match import selectors
from games.match_reports import reports
from games.match_reports.rendering import MAX_MOMENTS_ON_CARD, key_moments, step_of_event
from games.match_reports.report import Report
from games.models import Match
from games.puzzles.mistake_views import own_mistakes
from games.review import analysis, steps
from games.review.analysis_rendering import analysis_context
from games.review.frames import round_steps_response
from games.review.match_steps import NO_CHAT, ChatByStep
from games.review.rendering import review_context
from games.review.review import NothingToReview, Review, ReviewStep, find_review
from games.review.shared_views import shared_review_context
from games.services import demo
from games.spectators import delayed
from games.web.redirects import see_other
from infrastructure.page_limits import limit_keys


@require_safe
def review_page(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Show the table after a step, during a match only from the public and the viewer's own perspective."""
    try:
        review = find_review(request, request.GET, slug=slug, name=name)
    except NothingToReview as error:
        return nothing_to_review_page(request, error, slug)
    if review.match:
        demo.mark_visited(review.match)
    current, report = review.current(), review.report
    context = review_context(
        current.table,
        current.view,
        review.match_steps,
        review.step,
        language=get_language() or "en",
        query_suffix=f"&as={review.perspective}",
        report=report,
        reader=review.table.seat_of(request.user.pk),
        chat=chat_in_round(request, review),
    )
    context["is_report_expected"] = report is None and review.is_report_expected
    context |= navigation_context(review) | analysis_page_context(review, current) | source_context(request, review)
    return render(request, "review/review.html", context)


def navigation_context(review: Review) -> dict[str, object]:
    return {
        "perspectives": review.perspectives,
        "perspective": review.perspective,
        "people": review.people,
        "south": review.south,
        "last": review.match_steps.last_number,
        "running": not review.is_over,
        "frames_address": review.addresses.frames,
        "query": review.query if review.is_over else urlencode({"at": review.step.number}),
        "has_people": any(person.user_id is not None for person in review.table.people),
    }


def source_context(request: HttpRequest, review: Review) -> dict[str, object]:
    """Return the context that only an uploaded record or only a match that is over has."""
    if review.upload:
        return {"record_name": review.key, "is_complete": review.upload.is_complete}
    if review.match and review.is_over:
        chat, mistakes = shared_review_context(request, review.match), own_mistakes(request, review.match)
        return chat | {"is_shared": True, "mistakes": mistakes} | _board_context(request, review.match)
    return {}


def _board_context(request: HttpRequest, match: Match) -> dict[str, object]:
    """Return how others and the bots played the daily board of a match, empty for other matches."""
    comparison = compare_board(match, request.user, timezone.now()) if match.source else None
    return {"board": comparison_text(comparison)} if comparison is not None else {}


def nothing_to_review_page(request: HttpRequest, error: NothingToReview, slug: str) -> HttpResponse:
    return render(request, "review/nothing_to_review.html", {"slug": slug, "text": str(error)}, status=404)


@require_safe
def key_moments_card(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the key moments on the card of a result, or that the report is still being made."""
    match = visible_match(request.user, slug)
    context: dict[str, object] = {"match": match}
    if is_over_for(request.user, match):
        report = reports.report_of(match)
        context["is_over"] = True
        context["waiting"] = report is None and reports.is_report_expected(match, timezone.now())
        context |= {} if report is None else moments_context(request, match, report)
    return render(request, "table/key_moments.html", context)


def moments_context(request: HttpRequest, match: Match, report: Report) -> dict[str, object]:
    """Return the first key moments for a viewer, whose own come first and those of bots last, and their mistakes.

    ``start`` is the step before the viewer's costliest choice, None without one.
    """
    table, match_steps = selectors.read_table(match.pk), steps.load_match_steps(match.pk, match.version)
    seat, mistakes = table.seat_of(request.user.pk), own_mistakes(request, match)
    moments = key_moments(table, report, match_steps, get_language() or "en", reader=seat)
    moments.sort(key=lambda moment: (moment.seat != seat, table.people[moment.seat].user_id is None))
    start = next((moment.number for moment in moments if moment.seat == seat), None)
    if start is None and mistakes:
        worst = max(mistakes, key=attrgetter("chance_loss"))
        start = step_of_event(match_steps, worst.seq).number - 1
    return {"moments": moments[:MAX_MOMENTS_ON_CARD], "mistakes": mistakes, "start": start}


@require_safe
@gzip_page
def round_frames(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Return all steps of the round of a step for the page's script."""
    try:
        review = find_review(request, request.GET, slug=slug, name=name)
    except NothingToReview as error:
        return JsonResponse({"error": str(error)}, status=404)
    return round_steps_response(request, review, chat_in_round(request, review))


def chat_in_round(request: HttpRequest, review: Review) -> ChatByStep:
    """Return the chat of the round of the step, as far as the viewer may read it."""
    viewer, match = request.user, review.match
    if match is None:
        return NO_CHAT
    until, is_muted = delayed.chat_cutoff(match.pk, viewer.pk), muted_chats(viewer, match, request.COOKIES)
    return review_chat.chat_by_step(match.pk, review.match_steps, review.step.number, until=until, muted=is_muted)


@require_http_methods(["GET", "HEAD", "POST"])
def analysis_page(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Request the bot's analysis of a choice in a match that is over (POST), or return its progress (GET)."""
    is_post = request.method == "POST"
    try:
        review = find_review(request, request.POST if is_post else request.GET, slug=slug, name=name)
    except NothingToReview as error:
        return nothing_to_review_page(request, error, slug)
    if not is_post and request.headers.get("HX-Request"):
        current = review.current()
        context = {"table": current.table, "step": current.step, "perspective": review.perspective}
        context |= {"running": not review.is_over} | analysis_page_context(review, current)
        return render(request, "review/analysis.html", context)
    if is_post:
        try:
            require_analysis(request, review)
        except Refused as refused:
            messages.error(request, str(refused.text))
    return see_other(f"{review.addresses.review}?{review.query}")


def require_analysis(request: HttpRequest, review: Review) -> None:
    """Raises Refused ``not_finished``, ``no_choice`` or ``too_fast``, or LimitExceeded."""
    if not review.is_over:
        raise Refused("not_finished")
    (position,) = review.read_states([review.step])
    played = review.match_steps.move_after(review.step)
    analysis.request_analysis(review.key, review.step, position, played=played, **limit_keys(request))


def analysis_page_context(review: Review, current: ReviewStep) -> dict[str, object]:
    """Return the context of the analysis, empty during a match."""
    if not review.is_over:
        return {}
    progress = analysis.find_analysis(review.key, current.step)
    return {
        "analysis_address": review.addresses.analysis,
        "branch_address": review.addresses.branch,
        **analysis_context(
            current.table,
            current.view_to_analyse,
            progress.evaluation() if progress else None,
            review.match_steps,
            current.step,
            language=get_language() or "en",
            reader=review.own_seat,
        ),
    }
