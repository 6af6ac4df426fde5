"""The mistakes of a match, for whoever made them: each is a position to find a better move in."""

from __future__ import annotations

from html import unescape
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.access import is_over, seat_of, visible_match
from games.lessons import Attempt
from games.lessons.judge import attempt
from games.lessons.rendering import lesson_context
from games.match import selectors
from games.match_reports import kept
from games.match_reports.rendering import said_move
from games.match_reports.report import Choice
from games.models import Match
from games.puzzles.mistakes import Mistake, Valued, mistakes, read
from games.puzzles.rendering import ValuedMove, valued_moves
from games.puzzles.tasks import task_of_mistake
from games.services.inbound import LONGEST_MOVE
from games.web.redirects import see_other
from games.words.lookup import words_for
from games.words.pages import MISTAKE

SOLVED = "mistakes"
REMEMBERED = 20
"""Of so many matches the session remembers which mistakes are mended."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, slug: str, number: int = 1) -> HttpResponse:
    """Show a mistake, or what the move that was tried (``?move=``) leads to. Raises Http404."""
    match = visible_match(request.user, slug)
    found = own_mistakes(request, match)
    if not 1 <= number <= len(found):
        raise Http404(_("There is no such mistake of yours in this match."))
    asked = (request.POST if request.method == "POST" else request.GET).get("move", "")[: LONGEST_MOVE + 1]
    mistake = read(match.pk, found[number - 1])
    task = task_of_mistake(mistake, _title(number, len(found)), _made(mistake, match.variant), asked)
    tried = attempt(task, asked)
    if request.method == "POST":
        if tried.done:
            _remember(request, match.slug, number)
        return see_other(f"{reverse('match-mistake', args=[slug, number])}?{urlencode({'move': asked})}")
    solved = _solved(request, match.slug)
    about = {
        "task": task,
        "tried": tried,
        "variant": match.variant,
        "named": "",
        "posts_to": request.path,
        "match": match,
        "steps": [(each, each in solved) for each in range(1, len(found) + 1)],
        "number": number,
        "solved": len(solved),
        "following": number + 1 if number < len(found) else None,
        "moves": _values(mistake) if tried.done else [],
    }
    return render(request, "puzzles/mistake.html", _table(request, match, tried) | about)


def own_mistakes(request: HttpRequest, match: Match) -> tuple[Choice, ...]:
    """Return the mistakes of this viewer in a match that is over and has a report."""
    seat = seat_of(request.user, match.pk)
    report = kept.of(match) if seat is not None and is_over(request.user, match) else None
    return mistakes(report, seat) if report is not None and seat is not None else ()


def _title(number: int, count: int) -> str:
    return MISTAKE % {"number": number, "count": count}


def _made(mistake: Mistake, variant: str) -> str:
    """Return what was played, in words. The template escapes it."""
    return unescape(said_move(mistake.choice.made, words_for(variant, get_language() or "en")))


def _table(request: HttpRequest, match: Match, tried: Attempt) -> dict[str, Any]:
    names = [person.name for person in selectors.table(match.pk).people]
    chosen = request.GET.get("tile", "")
    return lesson_context(tried, name="", names=names, language=get_language() or "en", chosen=chosen)


def _values(mistake: Mistake) -> list[tuple[ValuedMove, Valued]]:
    values = [(each.move, -each.behind) for each in mistake.moves]
    return list(zip(valued_moves(mistake.view, values, get_language() or "en"), mistake.moves, strict=True))


def _solved(request: HttpRequest, slug: str) -> list[int]:
    found: list[int] = request.session.get(SOLVED, {}).get(slug, [])
    return found


def _remember(request: HttpRequest, slug: str, number: int) -> None:
    known = request.session.get(SOLVED, {})
    solved = sorted({*known.pop(slug, []), number})
    request.session[SOLVED] = dict([*known.items(), (slug, solved)][-REMEMBERED:])
