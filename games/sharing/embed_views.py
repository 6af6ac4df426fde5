"""One step of a match for other sites to embed, without scripts and as a stranger may see it.

The admin shows it next to the timeline of a case. Staff can open void matches, too.
"""

from __future__ import annotations

from csp.constants import NONE
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.access import STRANGER, match_for_strangers, visible_match
from games.languages import language_asked
from games.review.rendering import review_context
from games.review.reviewed import Nowhere, of_match
from games.services import demo

FRAMED_ANYWHERE = {"frame-ancestors": ["*"], "script-src": [NONE], "connect-src": [NONE], "form-action": [NONE]}


@require_safe
@xframe_options_exempt
@csp_replace(FRAMED_ANYWHERE)  # type: ignore[arg-type]  # its types know no view with arguments
def page(request: HttpRequest, slug: str) -> HttpResponse:
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
