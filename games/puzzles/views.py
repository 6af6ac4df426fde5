"""Daily puzzles: one per game and day, and those of earlier days. The attempted move is part of the URL."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.lessons.attempts import try_move
from games.lessons.rendering import lesson_context
from games.models import PuzzleAttempt, PuzzleDay
from games.puzzles import daily, puzzle_from_data
from games.puzzles.rendering import move_lines
from games.puzzles.tasks import puzzle_task
from games.rendering.pictures import game_pictures
from games.services.inbound import MAX_MOVE_LENGTH
from games.web.redirects import see_other
from games.words import offered_variants, words_of
from games.words.page_labels import PUZZLE
from infrastructure.not_found import ExplainedNotFound


@require_safe
def puzzle_list(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Show today's puzzle of every game or, for one game, today's and all earlier ones."""
    if variant and variant not in offered_variants():
        raise ExplainedNotFound(_("There is no such game."))
    now, user_id = timezone.now(), request.user.pk
    todays_puzzles = [
        (words_of(key).name, puzzle_day, daily.streak(key, user_id, now) if user_id else 0)
        for key in ([variant] if variant else offered_variants())
        if (puzzle_day := daily.puzzle_of_day(key, now)) is not None
    ]
    attempts = PuzzleAttempt.objects.filter(user=user_id, solved_at__isnull=False)
    context = {
        "game": words_of(variant) if variant else None,
        "today": todays_puzzles,
        "today_ends_at": daily.end_of_day(now.date()),
        "earlier": daily.puzzle_days(variant).exclude(day=now.date()) if variant else [],
        "solved": set(attempts.values_list("puzzle_day", flat=True)),
        "pictures": game_pictures(),
    }
    return render(request, "puzzles/puzzle_list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle_page(request: HttpRequest, variant: str, day: str) -> HttpResponse:
    """Show the puzzle of a day, or what the attempted move (``?move=``) leads to. Raises Http404."""
    now = timezone.now()
    puzzle_day = daily.find_puzzle_day(variant, day, now)
    if puzzle_day is None:
        raise ExplainedNotFound(_("There is no such puzzle."))
    if request.method == "POST":
        return _submit_attempt(request, puzzle_day)
    row, language = puzzle_day.puzzle, get_language() or "en"
    puzzle = puzzle_from_data(row.data)
    task = puzzle_task(puzzle, PUZZLE % {"number": row.number})
    attempt = try_move(task, request.GET.get("move", "")[: MAX_MOVE_LENGTH + 1])
    user_id = request.user.pk
    name, chosen_tile = getattr(request.user, "name", ""), request.GET.get("tile", "")
    lesson = lesson_context(attempt, name=name, language=language, chosen_tile=chosen_tile)
    values = [(evaluated.move, evaluated.value) for evaluated in puzzle.moves]
    context = {
        "task": task,
        "attempt": attempt,
        "variant": variant,
        "named_tile": "",
        "form_action": request.path,
        "puzzle": row,
        "day": puzzle_day.day,
        "today_ends_at": daily.end_of_day(puzzle_day.day) if puzzle_day.day == now.date() else None,
        "puzzle_attempt": PuzzleAttempt.objects.filter(user=user_id, puzzle_day=puzzle_day).first(),
        "streak": daily.streak(variant, user_id, now) if user_id else 0,
        "moves": move_lines(puzzle.view, values, language) if attempt.is_solved else [],
    }
    return render(request, "puzzles/puzzle.html", lesson | context)


def _submit_attempt(request: HttpRequest, puzzle_day: PuzzleDay) -> HttpResponse:
    """Count the attempt of a guest or an account, and redirect to its result."""
    move = request.POST.get("move", "")[: MAX_MOVE_LENGTH + 1]
    attempt = try_move(puzzle_task(puzzle_from_data(puzzle_day.puzzle.data), ""), move)
    if request.user.pk and (attempt.is_solved or attempt.is_wrong):
        daily.count_attempt(puzzle_day, request.user.pk, solved=attempt.is_solved, now=timezone.now())
    return see_other(f"{request.path}?{urlencode({'move': move})}")
