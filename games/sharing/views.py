"""What other sites show of a match: the picture next to links to it, and a step to embed.

The embedded step has no scripts and is what a stranger may see. The admin shows it next to the timeline of a case, and
staff can open void matches, too.
"""

from __future__ import annotations

from hashlib import sha256

from asgiref.sync import sync_to_async
from csp.constants import NONE
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.access import STRANGER, is_over, match_for_strangers, visible_match
from games.errors import Refused
from games.languages import language_asked
from games.review.rendering import review_context
from games.review.reviewed import Nowhere, of_match
from games.services import demo
from games.sharing import worker as previews
from games.sharing.preview import social_preview, style
from games.spectators import delayed
from games.words.lookup import words_for
from infrastructure.addresses import address_of_request
from infrastructure.font_metrics import FONT

FRAMED_ANYWHERE = {"frame-ancestors": ["*"], "script-src": [NONE], "connect-src": [NONE], "form-action": [NONE]}
# The preview of a finished match may be cached for an hour: names may be deleted, and the match may become void. That
# of a running match may not be cached, because people whom a player has blocked must not see it.
LASTING, FLEETING = "public, max-age=3600", "private, no-cache"


@require_safe
async def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a step as a stranger sees it (default: the last one, or during the match only the names of the players)."""
    svg, lasting = await sync_to_async(drawing)(request, slug)
    look = style(FONT)
    name = sha256((svg + look).encode()).hexdigest()[:32]
    answer = get_conditional_response(request, etag=quote_etag(name))
    if answer is None:
        try:
            answer = HttpResponse(
                await previews.png(name, svg, look, address_of_request(request)), content_type="image/png"
            )
        except Refused as refused:
            return HttpResponse(str(refused.text), "text/plain; charset=utf-8", 503, headers={"Retry-After": "2"})
    answer["ETag"] = quote_etag(name)
    answer["Cache-Control"] = LASTING if lasting else FLEETING
    return answer


def drawing(request: HttpRequest, slug: str) -> tuple[str, bool]:
    """Return the preview as SVG, and whether the match is over. Raises Http404."""
    match = match_for_strangers(request.user, slug)
    over, language = is_over(STRANGER, match), language_asked(request)
    with translation.override(language):
        words = words_for(match.variant, language)
        if "at" not in request.GET and not (over and match.version):
            return social_preview(delayed.snapshot_for(match.pk, None).table, None, words), False
        try:
            moment = of_match(STRANGER, match, request.GET, from_end=True).current()
        except Nowhere as nowhere:
            raise Http404(str(nowhere)) from None
        return social_preview(moment.table, moment.view, words), over


@require_safe
@xframe_options_exempt
@csp_replace(FRAMED_ANYWHERE)  # type: ignore[arg-type]  # its types know no view with arguments
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table after a step (default: the last one) as a stranger sees it."""
    with translation.override(language_asked(request)):
        try:
            context = step_context(request, slug)
        except (Http404, Nowhere) as missing:
            return render(request, "review/embed.html", {"text": str(missing)}, status=404)
        return render(request, "review/embed.html", context)


def step_context(request: HttpRequest, slug: str) -> dict[str, object]:
    """Return the context of the template. Raises Http404 or Nowhere."""
    load_match = visible_match if request.user.is_staff else match_for_strangers
    match = load_match(request.user, slug)
    demo.mark_visited(match)
    reviewed = of_match(STRANGER, match, request.GET, from_end=True)
    language = translation.get_language() or "en"
    context = review_context(reviewed.table, reviewed.current().view, reviewed.past, reviewed.step, language=language)
    return context | {"chosen": reviewed.perspective, "last": reviewed.past.last, "lang": language}
