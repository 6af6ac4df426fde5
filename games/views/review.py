"""Looking back at a match, step by step: an address for each, the same page with a script and without."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import review
from games.access import seat_of, visible_match
from games.models import Match
from games.rendering.review import review_context

OPEN, PUBLIC = "open", "public"
"""Through whose eyes: all hands open, everybody's, or those of a seat (its number)."""


@never_cache
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table after a step. While the match runs only its public past is shown, and one's own."""
    match = visible_match(request.user, slug)
    past = review.past(match.pk, match.version)
    if not past.steps:
        raise Http404(_("Nothing has been played at this table."))
    step = past.step(number_of(request.GET.get("at", "1"), past.last))
    eyes = allowed_eyes(match, seat_of(request.user, match.pk))
    chosen = request.GET.get("as", eyes[0])
    if chosen not in eyes:
        raise Http404(_("You cannot look at this match so."))
    table = review.table_at(match.pk, step)
    seat = int(chosen) if chosen.isdecimal() else None
    view = review.view_at(table, step, seat, open_hands=chosen == OPEN)
    context = review_context(table, view, past, step, language=get_language() or "en")
    people = [(str(person.seat), person.name) for person in table.people if str(person.seat) in eyes]
    return render(
        request, "review/page.html", context | {"eyes": eyes, "chosen": chosen, "people": people, "last": past.last}
    )


def number_of(text: str, last: int) -> int:
    """Read the number of a step. Raises Http404 with a sentence."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= last):
        raise Http404(_("There is no such step: this match has steps 1 to %(last)d.") % {"last": last})
    return int(text)


def allowed_eyes(match: Match, seat: int | None) -> list[str]:
    """Return through whose eyes this person may look, the usual one first."""
    if match.status not in Match.UNFINISHED:
        return [OPEN, PUBLIC, *map(str, range(match.seat_count))]
    return [PUBLIC] if seat is None else [str(seat), PUBLIC]
