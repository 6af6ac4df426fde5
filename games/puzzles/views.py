"""Daily puzzles, one per game and day, and all others by number. The attempted move is part of the URL."""

from __future__ import annotations

import re
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.explanations.rendering import attempt_reasons
from games.lessons.attempts import try_move
from games.lessons.rendering import learner_names, lesson_context, lesson_table
from games.models import Puzzle, PuzzleAttempt, PuzzleDay
from games.puzzles import SOLVER_SEAT, daily, pool, puzzle_from_data, solvers
from games.puzzles import Puzzle as NewPuzzle
from games.puzzles.reasons import puzzle_facts
from games.puzzles.rendering import MoveLine, move_lines
from games.puzzles.tasks import puzzle_task
from games.rendering.pictures import game_pictures
from games.services.inbound import MAX_MOVE_LENGTH
from games.web.redirects import see_other
from games.words import offered_variants, words_of
from games.words.lookup import words_for
from games.words.page_labels import DIFFICULTIES, PUZZLE
from infrastructure.not_found import ExplainedNotFound

ALL_GAMES = "?games=all"  # query of a numbered puzzle after which one of any game follows
PUZZLE_ID = re.compile(r"[0-9]{1,9}")


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
        "variant": variant,
        "game": words_of(variant) if variant else None,
        "today": todays_puzzles,
        "today_ends_at": daily.end_of_day(now.date()),
        "earlier": daily.puzzle_days(variant).exclude(day=now.date()) if variant else [],
        "solved": set(attempts.values_list("puzzle_day", flat=True)),
        "pictures": game_pictures(),
    }
    return render(request, "puzzles/puzzle_list.html", context)


@require_safe
def another_puzzle(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Lead to a puzzle of a game, or of any game, that the visitor has not solved yet. Raises Http404."""
    if variant and variant not in offered_variants():
        raise ExplainedNotFound(_("There is no such game."))
    row = pool.pick_puzzle(
        [variant] if variant else offered_variants(),
        solvers.solved_puzzles(request),
        solvers.wanted_share(request),
        timezone.now(),
        SystemRandom(),
        after=_puzzle_id(request.GET.get("after", "")),
    )
    if row is None:
        raise ExplainedNotFound(_("There is no such puzzle."))
    response = redirect(f"{reverse('puzzle-number', args=[row.variant, row.number])}{'' if variant else ALL_GAMES}")
    response["Cache-Control"] = "no-store"
    return response


def _puzzle_id(text: str) -> int:
    """Return the id in a text, 0 for anything else."""
    return int(text) if PUZZLE_ID.fullmatch(text) else 0


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle_page(request: HttpRequest, variant: str, day: str) -> HttpResponse:
    """Show the puzzle of a day, or what the attempted move (``?move=``) leads to. Raises Http404."""
    puzzle_day = daily.find_puzzle_day(variant, day, timezone.now())
    if puzzle_day is None:
        raise ExplainedNotFound(_("There is no such puzzle."))
    return _respond(request, puzzle_day.puzzle, puzzle_day)


@require_http_methods(["GET", "HEAD", "POST"])
def numbered_puzzle_page(request: HttpRequest, variant: str, number: int) -> HttpResponse:
    """Show a puzzle outside its days. Raises Http404."""
    return _respond(request, pool.find_puzzle(variant, number), None)


def _respond(request: HttpRequest, puzzle: Puzzle, day: PuzzleDay | None) -> HttpResponse:
    """Show a puzzle, or record an attempt and redirect to its result."""
    parameters = {"games": "all"} if request.GET.get("games") == "all" else {}
    move = (request.POST if request.method == "POST" else request.GET).get("move", "")[: MAX_MOVE_LENGTH + 1]
    data = puzzle_from_data(puzzle.data)
    reasons = _reasons(request, data, move) if move and request.method != "POST" else ()
    task = puzzle_task(data, PUZZLE % {"number": puzzle.number}, reasons)
    attempt = try_move(task, move)
    if request.method == "POST":
        if attempt.is_solved or attempt.is_wrong:
            solvers.record_attempt(request, puzzle, day, solved=attempt.is_solved, now=timezone.now())
        return see_other(f"{request.path}?{urlencode(parameters | {'move': move})}")
    language, chosen_tile = get_language() or "en", request.GET.get("tile", "")
    lesson = lesson_context(
        attempt, name=getattr(request.user, "name", ""), language=language, chosen_tile=chosen_tile
    )
    context = {
        "task": task,
        "attempt": attempt,
        "variant": puzzle.variant,
        "named_tile": "",
        "form_action": f"{request.path}{ALL_GAMES if parameters else ''}",
        "parameters": parameters,
        "another_url": _another_url(puzzle, of_any_game=bool(parameters)),
        "puzzle": puzzle,
        "difficulty": DIFFICULTIES.get(pool.difficulty(puzzle), ""),
        "moves": _move_lines(data, language) if attempt.is_solved else [],
    }
    return render(request, "puzzles/puzzle.html", lesson | context | _day_context(request, day))


def _reasons(request: HttpRequest, puzzle: NewPuzzle, move: str) -> list[str]:
    """Return why the solution is better than the second best move, or what speaks against another attempt."""
    table = lesson_table(puzzle.view, learner_names(getattr(request.user, "name", "")))
    words = words_for(puzzle.variant, get_language() or "en")
    return attempt_reasons(puzzle_facts(puzzle, move), table, words, reader=SOLVER_SEAT)


def _another_url(puzzle: Puzzle, *, of_any_game: bool) -> str:
    """Return the address that leads to another puzzle, of the same game or of any game."""
    path = reverse("another-puzzle") if of_any_game else reverse("another-puzzle-of-game", args=[puzzle.variant])
    return f"{path}?{urlencode({'after': puzzle.pk})}"


def _move_lines(puzzle: NewPuzzle, language: str) -> list[MoveLine]:
    return move_lines(puzzle.view, [(evaluated.move, evaluated.value) for evaluated in puzzle.moves], language)


def _day_context(request: HttpRequest, day: PuzzleDay | None) -> dict[str, Any]:
    """Return the day of a puzzle, and what the visitor has done on it."""
    if day is None:
        return {}
    now, user_id = timezone.now(), request.user.pk
    return {
        "day": day.day,
        "today_ends_at": daily.end_of_day(day.day) if day.day == now.date() else None,
        "puzzle_attempt": PuzzleAttempt.objects.filter(user=user_id, puzzle_day=day).first(),
        "streak": daily.streak(day.variant, user_id, now) if user_id else 0,
    }
