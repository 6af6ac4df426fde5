"""The page that explains an absence to the person: what the site recorded, and when."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.access import visible_match
from games.conduct import texts
from games.enums import SeatState
from games.models import Absence, Match
from games.words import words_of

if TYPE_CHECKING:
    from games.words import Text


class AbsenceStep(NamedTuple):
    at: datetime
    text: Text


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the viewer's own absences from a match, newest first."""
    match = visible_match(request.user, slug)
    absences = Absence.objects.filter(match=match, user=request.user.pk or 0).order_by("-at")
    rows = [(row, texts.LED_TO[row.led_to], texts.REASONS[row.reason], steps(row)) for row in absences]
    question = texts.WHY_LOST if any(not row.led_to for row in absences) else texts.WHY_AWAY
    about = {"match": match, "game": words_of(match.variant), "absences": rows, "question": question}
    return render(request, "table/absences.html", about | {"left": has_left(match, request.user.pk, absences)})


def has_left(match: Match, user_id: int | None, absences: Iterable[Absence]) -> bool:
    """Return True if a person is out of a match because they left it, not because of absences or a moderator."""
    is_out = match.seats.filter(user=user_id or 0, state=SeatState.FORFEITED, removed=False).exists()
    return is_out and not any(absence.led_to == SeatState.FORFEITED for absence in absences)


def steps(absence: Absence) -> list[AbsenceStep]:
    """Return the recorded steps of an absence, oldest first."""
    in_time = absence.deadline is not None and absence.deadline > absence.at
    recorded = [
        (absence.last_seen, texts.LAST_SEEN),
        (absence.turn_started_at, texts.TURN_STARTED),
        (absence.left_at, texts.CONNECTION_CLOSED),
        (absence.deadline, texts.DEADLINE_AHEAD if in_time else texts.DEADLINE_PASSED),
        (absence.at, texts.LED_TO[absence.led_to]),
    ]
    return sorted((AbsenceStep(at, text) for at, text in recorded if at is not None), key=itemgetter(0))
