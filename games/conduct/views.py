"""The conduct of a person, for that person alone: the points, what each line of the ledger was, and the rules."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import escape
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import PersonRequest
from games.access import seat_of, visible_match
from games.conduct import ledger, texts
from games.conduct.balance import LONGEST, SHORTEST, THRESHOLD, pause_length
from games.conduct.ledger import Line
from games.enums import ConductKind
from games.models import Match, Seat
from games.words import words_of

SHOWN = 100
"""So many lines are shown, the newest; all of them are in the person's data."""
WITH_EVIDENCE = (ConductKind.LATE, ConductKind.HELD, ConductKind.FORFEITED)


@never_cache
@login_required
@require_safe
def page(request: PersonRequest) -> HttpResponse:
    now = timezone.now()
    standing, lines = ledger.ledger_of(request.user.pk, now)
    context = {
        "standing": standing,
        "threshold": THRESHOLD,
        "paused": ledger.why_paused(request.user.pk),
        "pause": texts.length_text(pause_length(standing.pauses)),
        "shortest": texts.length_text(SHORTEST),
        "longest": texts.length_text(LONGEST),
        "lines": [_line(line) for line in lines[:SHOWN]],
        "prices": [(texts.CHARGED_FOR[kind], price) for kind, price in ledger.PRICES.items() if price.points > 0],
    }
    return render(request, "conduct/page.html", context)


@never_cache
@require_safe
def price(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the price of leaving as it is now, for a page that was loaded before."""
    match = visible_match(request.user, slug)
    leaving = announced(request.user.pk, match, seat_of(request.user, match.pk)).get("leaving")
    return HttpResponse(escape(leaving.text) if leaving else "")


def paused(person_id: int | None) -> str:
    """Return until when and why rated play is paused for a person, "" if it is not."""
    return "" if person_id is None else ledger.why_paused(person_id)


def announced(person_id: int | None, match: Match, seat: int | None) -> dict[str, Any]:
    """Return what the page of a table announces before it is pressed: the price of leaving, and of standing up.

    To those who have no seat at a rated table it says that they pause.
    """
    now = timezone.now()
    if person_id is None or match.status not in Match.UNFINISHED:
        return {}
    if seat is None:
        return {"paused": paused(person_id) if match.rated else ""}
    is_out = match.seats.filter(index=seat, state=Seat.State.FORFEITED).exists()
    stays = match.status != Match.Status.OPEN or match.due_kind == Match.Due.FILL
    return {
        "leaving": None if is_out else ledger.announced(person_id, ConductKind.LEFT, now),
        "standing_up": None if stays else ledger.announced(person_id, ConductKind.STOOD_UP, now),
    }


def _line(line: Line) -> dict[str, Any]:
    """Return what the page shows of a line. There is nothing to go to where a match never started."""
    mark, match = line.mark, line.mark.match
    return {
        "mark": mark,
        "what": texts.WHAT[mark.kind],
        "points": f"{mark.points:+}".replace("-", "−") if mark.points else "0",
        "balance": line.then.points,
        "game": words_of(match.variant).name if match else "",
        "match": match if match and match.started_at else None,
        "evidence": mark.kind in WITH_EVIDENCE,
    }
