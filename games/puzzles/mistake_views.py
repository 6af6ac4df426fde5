"""The pages on which players replay their own mistakes of a match."""

from __future__ import annotations

from html import unescape
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.access import is_over_for, seat_of, visible_match
from games.explanations.rendering import attempt_reasons
from games.lessons import Attempt, Task
from games.lessons.attempts import try_move
from games.lessons.rendering import lesson_context
from games.match import selectors
from games.match.table import Table
from games.match_reports import reports
from games.match_reports.rendering import describe_notation
from games.match_reports.report import Choice
from games.models import Match
from games.puzzles.mistakes import ComparedMove, Mistake, load_mistake, mistakes_of_seat
from games.puzzles.reasons import mistake_facts
from games.puzzles.rendering import MoveLine, move_lines
from games.puzzles.tasks import mistake_task
from games.services.inbound import MAX_MOVE_LENGTH
from games.web.redirects import see_other
from games.words.lookup import Words, words_for
from games.words.page_labels import MISTAKE
from infrastructure.not_found import ExplainedNotFound

SOLVED_SESSION_KEY = "mistakes"  # session key of the numbers of the solved mistakes, by the slug of the match
MAX_REMEMBERED_MATCHES = 20  # matches in the session


@require_http_methods(["GET", "HEAD", "POST"])
def mistake_page(request: HttpRequest, slug: str, number: int = 1) -> HttpResponse:
    """Show a mistake, or the result of the attempted move (``?move=``). Raises Http404."""
    match = visible_match(request.user, slug)
    mistakes = own_mistakes(request, match)
    if not 1 <= number <= len(mistakes):
        raise ExplainedNotFound(_("There is no such mistake of yours in this match."))
    move = (request.POST if request.method == "POST" else request.GET).get("move", "")[: MAX_MOVE_LENGTH + 1]
    mistake, language = load_mistake(match.pk, mistakes[number - 1]), get_language() or "en"
    title = MISTAKE % {"number": number, "count": len(mistakes)}
    table = selectors.read_table(match.pk)
    task = _task(mistake, title, move, table, words_for(match.variant, language))
    attempt = try_move(task, move)
    if request.method == "POST":
        if attempt.is_solved:
            _remember_solved(request, match.slug, number)
        return see_other(f"{reverse('match-mistake', args=[slug, number])}?{urlencode({'move': move})}")
    solved_numbers = request.session.get(SOLVED_SESSION_KEY, {}).get(match.slug, [])
    context = {
        "task": task,
        "attempt": attempt,
        "variant": match.variant,
        "named_tile": "",
        "form_action": request.path,
        "match": match,
        "steps": [(step, step in solved_numbers) for step in range(1, len(mistakes) + 1)],
        "number": number,
        "solved_count": len(solved_numbers),
        "next_number": number + 1 if number < len(mistakes) else None,
        "moves": _move_lines(mistake, language) if attempt.is_solved else [],
    }
    return render(request, "puzzles/mistake.html", _lesson_context(request, table, attempt, language) | context)


def _task(mistake: Mistake, title: str, move: str, table: Table, words: Words) -> Task:
    """Return the task, with reasons for the attempted ``move`` or against it."""
    reasons = attempt_reasons(mistake_facts(mistake, move), table, words, reader=mistake.choice.seat)
    played_move = unescape(describe_notation(mistake.choice.made, words))  # the template escapes it
    return mistake_task(mistake, title, played_move, move, reasons)


def own_mistakes(request: HttpRequest, match: Match) -> tuple[Choice, ...]:
    """Return the mistakes of this viewer in a match that is over and has a report."""
    seat = seat_of(request.user, match.pk)
    report = reports.report_of(match) if seat is not None and is_over_for(request.user, match) else None
    return mistakes_of_seat(report, seat) if report is not None and seat is not None else ()


def _lesson_context(request: HttpRequest, table: Table, attempt: Attempt, language: str) -> dict[str, Any]:
    names = [person.name for person in table.people]
    return lesson_context(attempt, name="", names=names, language=language, chosen_tile=request.GET.get("tile", ""))


def _move_lines(mistake: Mistake, language: str) -> list[tuple[MoveLine, ComparedMove, int]]:
    """Return the moves with the percentage of the chance to win by which each is worse than the best."""
    values = [(compared.move, -compared.behind.points) for compared in mistake.moves]
    lines = move_lines(mistake.view, values, language)
    return [
        (line, compared, -round(100 * compared.behind.chance))
        for line, compared in zip(lines, mistake.moves, strict=True)
    ]


def _remember_solved(request: HttpRequest, slug: str, number: int) -> None:
    by_match = request.session.get(SOLVED_SESSION_KEY, {})
    solved_numbers = sorted({*by_match.pop(slug, []), number})
    request.session[SOLVED_SESSION_KEY] = dict([*by_match.items(), (slug, solved_numbers)][-MAX_REMEMBERED_MATCHES:])
