"""The pages of daily boards, and the button that begins the next board."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from games.daily_boards import proofs, selectors
from games.daily_boards.rendering import month_context, results_context
from games.daily_boards.texts import BOARD_STAGES, NO_SUCH_DAY, NO_SUCH_GAME, NOT_CLOSED
from games.errors import Refused
from games.fair_dealing.texts import CHECK_TEXTS
from games.models import BoardDay
from games.records.views import attachment_headers
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
    today_contexts = _today_contexts(request, list(offered_variants()), now)
    games = [(words_of(variant), context) for variant, context in today_contexts.items()]
    context = {"games": games, "ends_at": board_days.end_of_day(now.date()), "pictures": game_pictures()}
    return render(request, "daily_boards/list.html", context)


@require_safe
def today_page(request: HttpRequest, variant: str) -> HttpResponse:
    """Show the visitor's boards of today, and the results of the last closed day: today's if new bots closed it."""
    _require_game(variant)
    now = timezone.now()
    latest = selectors.latest_closed_day(variant, now.date() + board_days.ONE_DAY)
    return render(
        request,
        "daily_boards/today.html",
        _game_context(variant)
        | _today_contexts(request, [variant], now)[variant]
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
    if row is None or row.opened_at is None:
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


@require_safe
def check_page(request: HttpRequest, variant: str, day: str) -> HttpResponse:
    """Show the page on which the browser checks the proof of a closed day, for the visitor's own set."""
    row = _find_announced_day(variant, day)
    if row.closed_at is None:
        raise ExplainedNotFound(str(NOT_CLOSED))
    number = board_days.set_number_for(row, request.user.pk) if request.user.pk else 1
    context = {
        "date": row.date,
        "variant": variant,
        "game": words_of(variant),
        "address": reverse("daily-day", args=[variant, day]),
        "proof": f"{reverse('daily-proof', args=[variant, day])}?set={number}",
        "words": {name: str(text) for name, text in CHECK_TEXTS.items()},
    }
    return render(request, "daily_boards/check.html", context)


@require_safe
def download_proof(request: HttpRequest, variant: str, day: str) -> HttpResponse:
    """Download the proof of a set. Before the close it is the commitment alone."""
    row = _find_announced_day(variant, day)
    number = request.GET.get("set", "1")
    sets = range(1, 2 if row.closed_at is None else row.sets + 1)
    if number not in map(str, sets):
        raise ExplainedNotFound(str(NO_SUCH_DAY))
    proof = proofs.proof_of_day(row, int(number))
    return JsonResponse(proof, headers=attachment_headers(f"daily-{variant}-{row.date}-{number}", "json"))


def _find_announced_day(variant: str, day: str) -> BoardDay:
    _require_game(variant)
    row = selectors.find_day(variant, _read_date(day))
    if row is None:
        raise ExplainedNotFound(str(NO_SUCH_DAY))
    return row


def _require_game(variant: str) -> None:
    if variant not in offered_variants():
        raise ExplainedNotFound(str(NO_SUCH_GAME))


def _read_date(text: str) -> date:
    with suppress(ValueError):
        if str(day := date.fromisoformat(text)) == text:  # ``fromisoformat`` also reads other spellings
            return day
    raise ExplainedNotFound(str(NO_SUCH_DAY))


def _game_context(variant: str) -> dict[str, Any]:
    games = [(key, words_of(key).name) for key in offered_variants()]
    return {"variant": variant, "game": words_of(variant), "games": games}


def _today_contexts(request: HttpRequest, variants: Sequence[str], now: datetime) -> dict[str, dict[str, Any]]:
    """Return the visitor's boards of today by game, with the commitment for which their browser draws a nonce.

    That is tomorrow's. The number of queries does not depend on the number of games.
    """
    today, tomorrow = now.date(), now.date() + board_days.ONE_DAY
    days = selectors.load_days(variants, (today, tomorrow))
    own_days = selectors.load_own_days(
        {variant: days.get((variant, today)) for variant in variants}, request.user, now
    )
    return {
        variant: {
            "own": own,
            "boards": [(board, BOARD_STAGES[board.stage]) for board in own.boards],
            "today": days.get((variant, today)),
            "tomorrow": days.get((variant, tomorrow)),
        }
        for variant, own in own_days.items()
    }


def _results_context(request: HttpRequest, day: BoardDay | None, now: datetime) -> dict[str, Any]:
    """Return the results of a closed day, and the standing of its month so far."""
    if day is None:
        return {}
    results = selectors.load_results(day, request.user, now)
    month = selectors.load_month(day.variant, day.date, request.user, now)
    return results_context(results) | month_context(month)
