"""Views of the rules, and of lessons: a page for every task. The attempted move is part of the address."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.access import listed_matches
from games.examples import examples_of
from games.lessons import lesson_of
from games.lessons.attempts import try_move
from games.lessons.rendering import lesson_context, tile_named_in_text
from games.models import DealStatistics, Match
from games.services.inbound import MAX_MOVE_LENGTH
from games.words import offered_variants, words_of
from games.words.length import match_duration_table
from infrastructure.not_found import ExplainedNotFound

CHANCE_TEST_NAMES = ("tiles", "doubles", "one_hand", "leads")  # of the statistics of deals


@require_safe
def lesson_page(request: HttpRequest, variant: str, number: int = 1) -> HttpResponse:
    """Show a task, or the result of the move ``?move=``. Raises Http404."""
    tasks = lesson_of(variant) if variant in offered_variants() else ()
    if not 1 <= number <= len(tasks):
        raise ExplainedNotFound(_("There is no such lesson."))
    task = tasks[number - 1]
    attempt = try_move(task, request.GET.get("move", "")[: MAX_MOVE_LENGTH + 1])
    context = lesson_context(
        attempt,
        name=getattr(request.user, "name", ""),
        language=get_language() or "en",
        chosen_tile=request.GET.get("tile", ""),
    )
    context |= {
        "task": task,
        "attempt": attempt,
        "variant": variant,
        "named_tile": tile_named_in_text(task),
        "number": number,
        "count": len(tasks),
        "next_number": number + 1 if number < len(tasks) else None,
        "previous_number": number - 1,
        "tasks": tasks,
    }
    return render(request, "learn/task.html", context)


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    games = [(key, words_of(key)) for key in offered_variants()]
    return render(request, "rules/index.html", {"games": games})


@require_safe
def rules_of_game(request: HttpRequest, variant: str) -> HttpResponse:
    if variant not in offered_variants():
        raise ExplainedNotFound(_("There is no such game."))
    context = {
        "variant": variant,
        "words": words_of(variant),
        "examples": examples_of(variant),
        "minutes": match_duration_table(offered_variants()[variant]),
        "contents": [],
    }
    return render(request, f"rules/{variant}.html", context)


@require_safe
def fair_dealing_page(request: HttpRequest) -> HttpResponse:
    """Explain fair dealing, with a link to the check of the newest match that the viewer may find."""
    newest = Match.objects.filter(listed_matches(request.user), version__gt=0).order_by("-finished_at", "-pk")
    context = {"newest_slug": newest.values_list("slug", flat=True).first()}
    return render(request, "rules/fair_dealing.html", context)


@require_safe
def deal_statistics(request: HttpRequest) -> HttpResponse:
    newest = DealStatistics.objects.order_by("-made_at").first()
    rows = list(map(with_percentages, newest.data)) if newest else []
    return render(request, "rules/deal_statistics.html", {"newest": newest, "rows": rows})


def with_percentages(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the statistics with percentages and the name of its game."""
    tests = {
        name: row[name] | {"percent": 100 * row[name]["probability"]} for name in CHANCE_TEST_NAMES if name in row
    }
    return row | tests | {"game": words_of(row["variant"]).name}
