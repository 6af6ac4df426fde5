"""Puzzles: one a day for each game, and those of earlier days. What is tried is a part of the address."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.lessons.judge import attempt
from games.models import Puzzle, PuzzleAttempt
from games.puzzles import Puzzle as Position
from games.puzzles import daily, from_data
from games.puzzles.tasks import task_of
from games.rendering.lesson import lesson_context
from games.rendering.pictures import pictures
from games.rendering.puzzle import ValuedMove, valued_moves
from games.services.inbound import LONGEST_MOVE
from games.views.redirects import see_other
from games.words import offered, words_of


@never_cache
@require_safe
def listed(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Show the puzzle of today of each game or, of one, all that have had their day."""
    if variant and variant not in offered():
        raise Http404(_("There is no such game."))
    now, user = timezone.now(), request.user.pk
    today = [
        (words_of(key).name, puzzle, daily.streak(key, user, now) if user else 0)
        for key in ([variant] if variant else offered())
        if (puzzle := daily.of_day(key, now)) is not None
    ]
    earlier = list(daily.shown(variant)) if variant else []
    attempts = PuzzleAttempt.objects.filter(user=user, solved_at__isnull=False)
    solved = set(attempts.values_list("puzzle", flat=True))
    context = {
        "game": words_of(variant) if variant else None,
        "today": today,
        "earlier": earlier,
        "solved": solved,
        "pictures": pictures(),
    }
    return render(request, "puzzles/list.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, variant: str, number: int) -> HttpResponse:
    """Show a puzzle that has had its day, or what the move that was tried (``?move=``) leads to. Raises Http404."""
    now = timezone.now()
    if variant in offered():
        daily.of_day(variant, now)
    row = Puzzle.objects.filter(variant=variant, number=number, day__isnull=False).first()
    if row is None:
        raise Http404(_("There is no such puzzle."))
    if request.method == "POST":
        return _try(request, row)
    puzzle, language = from_data(row.data), get_language() or "en"
    task = task_of(puzzle, _("Puzzle %(number)d") % {"number": number})
    tried = attempt(task, request.GET.get("move", "")[: LONGEST_MOVE + 1])
    user = request.user.pk
    shown = lesson_context(
        tried, name=getattr(request.user, "name", ""), language=language, chosen=request.GET.get("tile", "")
    )
    about = {
        "task": task,
        "tried": tried,
        "variant": variant,
        "named": "",
        "posts_to": request.path,
        "puzzle": row,
        "today": row.day == now.date(),
        "attempt": PuzzleAttempt.objects.filter(user=user, puzzle=row).first(),
        "streak": daily.streak(variant, user, now) if user else 0,
        "moves": _values(puzzle, language) if tried.done else [],
    }
    return render(request, "puzzles/page.html", shown | about)


def _values(puzzle: Position, language: str) -> list[ValuedMove]:
    return valued_moves(puzzle.view, [(each.move, each.value) for each in puzzle.moves], language)


def _try(request: HttpRequest, row: Puzzle) -> HttpResponse:
    """Count the try of somebody with a name, and lead to what it brings."""
    move = request.POST.get("move", "")[: LONGEST_MOVE + 1]
    tried = attempt(task_of(from_data(row.data), ""), move)
    if request.user.pk and (tried.done or tried.missed):
        daily.tried(row, request.user.pk, solved=tried.done, now=timezone.now())
    address = reverse("puzzle", args=[row.variant, row.number])
    return see_other(f"{address}?{urlencode({'move': move})}")
