"""The pages on which players replay their own mistakes of a match."""

from __future__ import annotations

from html import unescape
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.access import is_over, seat_of, visible_match
from games.lessons import Attempt
from games.lessons.judge import attempt
from games.lessons.rendering import lesson_context
from games.match import selectors
from games.match_reports import reports
from games.match_reports.rendering import move_text
from games.match_reports.report import Choice
from games.models import Match
from games.puzzles.mistakes import Mistake, Valued, load, mistakes
from games.puzzles.rendering import ValuedMove, valued_moves
from games.puzzles.tasks import mistake_task
from games.services.inbound import MAX_MOVE_LENGTH
from games.web.redirects import see_other
from games.words.lookup import words_for
from games.words.pages import MISTAKE

SOLVED = "mistakes"  # session key of the numbers of the solved mistakes, by the slug of the match
MAX_REMEMBERED = 20  # matches in the session


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, slug: str, number: int = 1) -> HttpResponse:
    """Show a mistake, or the result of the attempted move (``?move=``). Raises Http404."""
    match = visible_match(request.user, slug)
    choices = own_mistakes(request, match)
    if not 1 <= number <= len(choices):
        raise Http404(_("There is no such mistake of yours in this match."))
    move = (request.POST if request.method == "POST" else request.GET).get("move", "")[: MAX_MOVE_LENGTH + 1]
    mistake, language = load(match.pk, choices[number - 1]), get_language() or "en"
    title = MISTAKE % {"number": number, "count": len(choices)}
    played = unescape(move_text(mistake.choice.made, words_for(match.variant, language)))  # the template escapes it
    task = mistake_task(mistake, title, played, move)
    tried = attempt(task, move)
    if request.method == "POST":
        if tried.done:
            _remember(request, match.slug, number)
        return see_other(f"{reverse('match-mistake', args=[slug, number])}?{urlencode({'move': move})}")
    solved = request.session.get(SOLVED, {}).get(match.slug, [])
    context = {
        "task": task,
        "tried": tried,
        "variant": match.variant,
        "named": "",
        "posts_to": request.path,
        "match": match,
        "steps": [(step, step in solved) for step in range(1, len(choices) + 1)],
        "number": number,
        "solved": len(solved),
        "following": number + 1 if number < len(choices) else None,
        "moves": _values(mistake, language) if tried.done else [],
    }
    return render(request, "puzzles/mistake.html", _lesson(request, match, tried, language) | context)


def own_mistakes(request: HttpRequest, match: Match) -> tuple[Choice, ...]:
    """Return the mistakes of this viewer in a match that is over and has a report."""
    seat = seat_of(request.user, match.pk)
    report = reports.of(match) if seat is not None and is_over(request.user, match) else None
    return mistakes(report, seat) if report is not None and seat is not None else ()


def _lesson(request: HttpRequest, match: Match, tried: Attempt, language: str) -> dict[str, Any]:
    names = [person.name for person in selectors.read_table(match.pk).people]
    return lesson_context(tried, name="", names=names, language=language, chosen=request.GET.get("tile", ""))


def _values(mistake: Mistake, language: str) -> list[tuple[ValuedMove, Valued]]:
    values = [(valued.move, -valued.behind) for valued in mistake.moves]
    return list(zip(valued_moves(mistake.view, values, language), mistake.moves, strict=True))


def _remember(request: HttpRequest, slug: str, number: int) -> None:
    by_match = request.session.get(SOLVED, {})
    solved = sorted({*by_match.pop(slug, []), number})
    request.session[SOLVED] = dict([*by_match.items(), (slug, solved)][-MAX_REMEMBERED:])
