"""Views of lessons: a page for every task. The tried move is part of the address."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.lessons import lesson_of
from games.lessons.judge import attempt
from games.lessons.rendering import lesson_context, named_move
from games.services.inbound import MAX_MOVE_LENGTH
from games.words import offered


@require_safe
def page(request: HttpRequest, variant: str, number: int = 1) -> HttpResponse:
    """Show a task, or the result of the move ``?move=``. Raises Http404."""
    tasks = lesson_of(variant) if variant in offered() else ()
    if not 1 <= number <= len(tasks):
        raise Http404(_("There is no such lesson."))
    task = tasks[number - 1]
    tried = attempt(task, request.GET.get("move", "")[: MAX_MOVE_LENGTH + 1])
    context = lesson_context(
        tried,
        name=getattr(request.user, "name", ""),
        language=get_language() or "en",
        chosen=request.GET.get("tile", ""),
    )
    following = number + 1 if number < len(tasks) else None
    steps = {"number": number, "count": len(tasks), "following": following, "before": number - 1, "tasks": tasks}
    about = {"task": task, "tried": tried, "variant": variant, "named": named_move(task)}
    return render(request, "learn/task.html", context | steps | about)
