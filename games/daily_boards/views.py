"""The pages of daily boards, and the button that begins the next board."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from games.daily_boards import selectors
from games.daily_boards.rendering import month_context, results_context
from games.daily_boards.texts import BOARD_STAGES, NO_SUCH_DAY, NO_SUCH_GAME
from games.errors import Refused
from games.models import BoardDay
from games.rendering.pictures import game_pictures
from games.services import board_days, inbound
from games.web.form_actions import Submission
from games.web.person_required import auto_guest
from games.web.redirects import see_other
from games.words import offered_variants, words_of
from infrastructure.limits import limits
from infrastructure.not_found import ExplainedNotFound


@require_safe
def board_list(request: HttpRequest) -> HttpResponse:
    """Show for every game which of today's boards the visitor has played."""
    now = timezone.now()
    games = [(words_of(variant), _today_context(request, variant, now)) for variant in offered_variants()]
    context = {"games": games, "ends_at": board_days.end_of_day(now.date()), "pictures": game_pictures()}
    return render(request, "daily_boards/list.html", context)


@require_safe
def today_page(request: HttpRequest, variant: str) -> HttpResponse:
    """Show the visitor's boards of today, and the results of the last closed day."""
    _require_game(variant)
    now = timezone.now()
    latest = selectors.latest_closed_day(variant, now.date())
    return render(
        request,
        "daily_boards/today.html",
        _game_context(variant)
        | _today_context(request, variant, now)
        | _results_context(request, latest, now)
        | {"ends_at": board_days.end_of_day(now.date())},
    )


@require_safe
def day_page(request: HttpRequest, variant: str, day: str) -> HttpResponse:
    """Show the results of a day in the past, or that they are not ready yet."""
    _require_game(variant)
    now, chosen = timezone.now(), _read_date(day)
    if chosen == now.date():
        return redirect("daily-game", variant)
    row = selectors.find_day(variant, chosen) if chosen < now.date() else None
    if row is None:
        raise ExplainedNotFound(str(NO_SUCH_DAY))
    context = _game_context(variant) | {"date": chosen}
    if row.closed_at is None:
        context |= {"own": selectors.load_own_day(variant, row, request.user, now)}
    else:
        context |= _results_context(request, row, now)
        context |= {"later": selectors.next_closed_day(variant, chosen)}
    context |= {"earlier": selectors.latest_closed_day(variant, chosen)}
    return render(request, "daily_boards/day.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@auto_guest
def play_board(request: HttpRequest, variant: str, *, submitted: QueryDict | None) -> HttpResponse:
    """Seat the visitor at the next board. The page of the boards shows refusals; a GET only redirects."""
    _require_game(variant)
    if submitted is not None:
        submission = Submission.from_request(request, submitted)
        limits.enforce("tables", **submission.limit_keys)
        _commitment, nonce = inbound.read_nonce(submission.data)
        try:
            match = board_days.play_next_board(
                user=submission.person, variant=variant, now=timezone.now(), nonce=nonce
            )
            return see_other("match", match.slug)
        except Refused as refused:
            messages.error(request, str(refused.text))
    return see_other("daily-game", variant)


def _require_game(variant: str) -> None:
    if variant not in offered_variants():
        raise ExplainedNotFound(str(NO_SUCH_GAME))


def _read_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ExplainedNotFound(str(NO_SUCH_DAY)) from None


def _game_context(variant: str) -> dict[str, Any]:
    games = [(key, words_of(key).name) for key in offered_variants()]
    return {"variant": variant, "game": words_of(variant), "games": games}


def _today_context(request: HttpRequest, variant: str, now: datetime) -> dict[str, Any]:
    """Return the visitor's boards of today, with the commitment for which their browser draws a nonce: tomorrow's."""
    today, tomorrow = now.date(), now.date() + board_days.ONE_DAY
    days = {row.date: row for row in BoardDay.objects.filter(variant=variant, date__in=(today, tomorrow))}
    own = selectors.load_own_day(variant, days.get(today), request.user, now)
    return {
        "own": own,
        "boards": [(board, BOARD_STAGES[board.stage]) for board in own.boards],
        "today": days.get(today),
        "tomorrow": days.get(tomorrow),
    }


def _results_context(request: HttpRequest, day: BoardDay | None, now: datetime) -> dict[str, Any]:
    """Return the results of a closed day, and the standing of its month so far."""
    if day is None:
        return {}
    results = selectors.load_results(day, request.user, now)
    month = selectors.load_month(day.variant, day.date, request.user, now)
    return results_context(results) | month_context(month)
