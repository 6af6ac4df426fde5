"""Views for other sites: the preview picture of a link to a match or puzzle, and a step of a match to embed.

The embedded step has no scripts and is what a stranger may see. Without a number it is the newest one and refreshes
itself until the match is over. The admin shows it next to the timeline of a case. Staff can open void matches, too.
"""

from __future__ import annotations

from hashlib import sha256

from asgiref.sync import sync_to_async
from csp.constants import NONE
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import formats, timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.access import ANONYMOUS_VIEWER, is_over_for, match_for_public_page, visible_match
from games.enums import DAILY_CLOCKS
from games.errors import Refused
from games.languages import requested_language
from games.puzzles import daily, pool, puzzle_from_data
from games.review.rendering import review_context
from games.review.review import NothingToReview, review_of_match
from games.services import demo
from games.sharing import png_worker as previews
from games.sharing.preview import draw_social_preview, puzzle_preview, style_sheet
from games.spectators import delayed
from games.words.lookup import words_for
from games.words.page_labels import NUMBERED_PUZZLE_PREVIEW, PUZZLE_PREVIEW
from infrastructure.addresses import address_key_of_request
from infrastructure.font_metrics import FONT
from infrastructure.not_found import ExplainedNotFound

EMBED_CSP = {"frame-ancestors": ["*"], "script-src": [NONE], "connect-src": [NONE], "form-action": [NONE]}
# The preview of a finished match may be cached for an hour: names may be deleted, and the match may become void. That
# of a running match may not be cached, because people whom a player has blocked must not see it.
CACHE_FINISHED_MATCH, CACHE_RUNNING_MATCH = "public, max-age=3600", "private, no-cache"
CACHE_PUZZLE = "public, max-age=86400"
REFRESH_SECONDS, DAILY_REFRESH_SECONDS = 5, 60  # of the newest step of a match that is not over


@require_safe
async def preview_image(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a step as a stranger sees it (default: the last one, or during the match only the names of the players)."""
    svg, is_match_over = await sync_to_async(draw_match_preview)(request, slug)
    return await png_response(request, svg, CACHE_FINISHED_MATCH if is_match_over else CACHE_RUNNING_MATCH)


@require_safe
async def puzzle_image(request: HttpRequest, variant: str, day: str) -> HttpResponse:
    """Show the position of a puzzle as its solver sees it."""
    return await png_response(request, await sync_to_async(draw_puzzle_preview)(request, variant, day), CACHE_PUZZLE)


@require_safe
async def numbered_puzzle_image(request: HttpRequest, variant: str, number: int) -> HttpResponse:
    """Show the position of a puzzle outside its days."""
    svg = await sync_to_async(draw_numbered_puzzle_preview)(request, variant, number)
    return await png_response(request, svg, CACHE_PUZZLE)


async def png_response(request: HttpRequest, svg: str, cache_control: str) -> HttpResponse:
    """Return a drawing as a PNG, or 503 if too many wait to be drawn."""
    styles = style_sheet(FONT)
    name = sha256((svg + styles).encode()).hexdigest()[:32]
    response = get_conditional_response(request, etag=quote_etag(name))
    if response is None:
        try:
            response = HttpResponse(
                await previews.render_png(name, svg, styles, address_key_of_request(request)), content_type="image/png"
            )
        except Refused as refused:
            return HttpResponse(str(refused.text), "text/plain; charset=utf-8", 503, headers={"Retry-After": "2"})
    response["ETag"] = quote_etag(name)
    response["Cache-Control"] = cache_control
    return response


def draw_match_preview(request: HttpRequest, slug: str) -> tuple[str, bool]:
    """Return the preview as SVG, and whether the match is over. Raises Http404."""
    match = match_for_public_page(request.user, slug)
    is_match_over, language = is_over_for(ANONYMOUS_VIEWER, match), requested_language(request)
    with translation.override(language):
        words = words_for(match.variant, language)
        if "at" not in request.GET and not (is_match_over and match.version):
            return draw_social_preview(delayed.snapshot_for(match.pk, None).table, None, words), False
        try:
            review_step = review_of_match(ANONYMOUS_VIEWER, match, request.GET, from_end=True).current()
        except NothingToReview as error:
            raise Http404(str(error)) from None
        return draw_social_preview(review_step.table, review_step.view, words), is_match_over


def draw_puzzle_preview(request: HttpRequest, variant: str, day: str) -> str:
    """Return the preview of a puzzle as SVG. Raises Http404."""
    puzzle_day = daily.find_puzzle_day(variant, day, timezone.now())
    with translation.override(requested_language(request)):
        if puzzle_day is None:
            raise ExplainedNotFound(_("There is no such puzzle."))
        date = formats.date_format(puzzle_day.day, "DATE_FORMAT")
        view = puzzle_from_data(puzzle_day.puzzle.data).view
        return puzzle_preview(view, PUZZLE_PREVIEW % {"day": date})


def draw_numbered_puzzle_preview(request: HttpRequest, variant: str, number: int) -> str:
    """Return the same for a puzzle outside its days. Raises Http404."""
    with translation.override(requested_language(request)):
        view = puzzle_from_data(pool.find_puzzle(variant, number).data).view
        return puzzle_preview(view, NUMBERED_PUZZLE_PREVIEW % {"number": number})


@require_safe
@xframe_options_exempt
@csp_replace(EMBED_CSP)  # type: ignore[arg-type]  # its types know no view with arguments
def embedded_step(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table after a step (default: the last one) as a stranger sees it."""
    with translation.override(requested_language(request)):
        try:
            context = step_context(request, slug)
        except Http404 as error:
            return render(request, "review/embedded_step.html", {"text": str(error)}, status=404)
        except NothingToReview as error:
            context = {"text": str(error), "refresh": REFRESH_SECONDS if shows_newest_step(request) else 0}
            return render(request, "review/embedded_step.html", context, status=404)
        return render(request, "review/embedded_step.html", context)


def shows_newest_step(request: HttpRequest) -> bool:
    """Return True if the address names no step and no perspective."""
    return not request.GET.keys() - {"lang"}


def step_context(request: HttpRequest, slug: str) -> dict[str, object]:
    """Return the context of the template. Raises Http404 or NothingToReview."""
    load_match = visible_match if request.user.is_staff else match_for_public_page
    match = load_match(request.user, slug)
    demo.mark_visited(match)
    review = review_of_match(ANONYMOUS_VIEWER, match, request.GET, from_end=True)
    language = translation.get_language() or "en"
    context = review_context(review.table, review.current().view, review.match_steps, review.step, language=language)
    refresh = DAILY_REFRESH_SECONDS if match.clock in DAILY_CLOCKS else REFRESH_SECONDS
    return context | {
        "perspective": review.perspective,
        "last": review.match_steps.last_number,
        "lang": language,
        "running": not review.is_over,
        "refresh": 0 if review.is_over or not shows_newest_step(request) else refresh,
    }
