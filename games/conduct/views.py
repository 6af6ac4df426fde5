"""The pages of a person's own conduct: points, ledger and rules; the price of leaving a table; own absences."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import escape
from django.views.decorators.http import require_safe

from accounts.requests import PersonRequest
from games.access import seat_of, visible_match
from games.conduct import ledger, texts
from games.conduct.balance import LONGEST_PAUSE, PAUSE_THRESHOLD_POINTS, SHORTEST_PAUSE, pause_length
from games.conduct.ledger import LedgerLine
from games.enums import ConductKind, SeatState
from games.models import Absence, Match, Seat
from games.words import words_of

if TYPE_CHECKING:
    from games.words import Text

MAX_LINES = 100  # newest; the download of personal data has all of them
KINDS_WITH_EVIDENCE = (ConductKind.LATE, ConductKind.HELD, ConductKind.FORFEITED)


@login_required
@require_safe
def conduct_page(request: PersonRequest) -> HttpResponse:
    now = timezone.now()
    standing, lines = ledger.load_ledger(request.user.pk, now)
    context = {
        "standing": standing,
        "threshold": PAUSE_THRESHOLD_POINTS,
        "paused": ledger.pause_reason(request.user.pk),
        "pause": texts.duration_text(pause_length(standing.pause_count)),
        "shortest": texts.duration_text(SHORTEST_PAUSE),
        "longest": texts.duration_text(LONGEST_PAUSE),
        "lines": [_line_context(line) for line in lines[:MAX_LINES]],
        "prices": [(texts.PRICED_CONDUCT[kind], price) for kind, price in ledger.PRICES.items() if price.points > 0],
    }
    return render(request, "conduct/conduct.html", context)


@require_safe
def leaving_price(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the current price of leaving, for a page that was loaded earlier."""
    match = visible_match(request.user, slug)
    leaving = leaving_prices(request.user.pk, match, seat_of(request.user, match.pk)).get("leaving")
    return HttpResponse(escape(leaving.text) if leaving else "")


def leaving_prices(person_id: int | None, match: Match, seat: int | None) -> dict[str, Any]:
    """Return the prices of leaving and of standing up for a table, or the pause of a person without a seat."""
    now = timezone.now()
    if person_id is None or match.status not in Match.UNFINISHED:
        return {}
    if seat is None:
        return {"paused": ledger.pause_reason(person_id) if match.rated else ""}
    is_out = match.seats.filter(index=seat, state=Seat.State.FORFEITED).exists()
    standing_up_is_free = match.status != Match.Status.OPEN or match.due_kind == Match.Due.FILL
    return {
        "leaving": None if is_out else ledger.quote_price(person_id, ConductKind.LEFT, now),
        "standing_up": None if standing_up_is_free else ledger.quote_price(person_id, ConductKind.STOOD_UP, now),
    }


def _line_context(line: LedgerLine) -> dict[str, Any]:
    """Return the context of a line. A match that never started has no link."""
    mark, match = line.mark, line.mark.match
    return {
        "mark": mark,
        "text": texts.CONDUCT_TEXTS[mark.kind],
        "points": f"{mark.points:+}".replace("-", "−") if mark.points else "0",
        "balance": line.standing_after.points,
        "game": words_of(match.variant).name if match else "",
        "match": match if match and match.started_at else None,
        "evidence": mark.kind in KINDS_WITH_EVIDENCE,
    }


class AbsenceStep(NamedTuple):
    at: datetime
    text: Text


@require_safe
def absences(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the viewer's own absences from a match, newest first."""
    match = visible_match(request.user, slug)
    own = Absence.objects.filter(match=match, user=request.user.pk or 0).order_by("-at")
    rows = [
        (row, texts.ABSENCE_CONSEQUENCES[row.led_to], texts.ABSENCE_REASONS[row.reason], absence_steps(row))
        for row in own
    ]
    absence_question = texts.LOST_QUESTION if any(not row.led_to for row in own) else texts.AWAY_QUESTION
    context = {"match": match, "game": words_of(match.variant), "absences": rows, "absence_question": absence_question}
    return render(request, "table/absences.html", context | {"left": has_left_match(match, request.user.pk, own)})


def has_left_match(match: Match, user_id: int | None, absences: Iterable[Absence]) -> bool:
    """Return True if a person is out of a match because they left it, not because of absences or a moderator."""
    is_out = match.seats.filter(user=user_id or 0, state=SeatState.FORFEITED, removed=False).exists()
    return is_out and not any(absence.led_to == SeatState.FORFEITED for absence in absences)


def absence_steps(absence: Absence) -> list[AbsenceStep]:
    """Return the recorded steps of an absence, oldest first."""
    in_time = absence.deadline is not None and absence.deadline > absence.at
    recorded = [
        (absence.last_seen, texts.LAST_SEEN),
        (absence.turn_started_at, texts.TURN_STARTED),
        (absence.left_at, texts.CONNECTION_CLOSED),
        (absence.deadline, texts.DEADLINE_AHEAD if in_time else texts.DEADLINE_PASSED),
        (absence.at, texts.ABSENCE_CONSEQUENCES[absence.led_to]),
    ]
    return sorted((AbsenceStep(at, text) for at, text in recorded if at is not None), key=itemgetter(0))
