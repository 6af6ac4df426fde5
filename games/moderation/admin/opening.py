"""Opens cases by hand about the people, seats, messages or matches chosen in the admin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest
from django.utils import timezone

from accounts.admin import MAX_ROWS_FOR_CASE
from accounts.models import User
from games.models import Case, Match, Message, Seat
from games.moderation.cases.reporting import ReportedPlace, open_case

SUBJECT_MODELS: Mapping[str, type[Model]] = {"user": User, "seat": Seat, "message": Message, "match": Match}


@dataclass(frozen=True, slots=True)
class CaseSubjects:
    """The subjects of the cases: the places of each person, and matches with ``choices`` of a suspect.

    The person of a message with a deleted writer is None.
    """

    people: dict[User | None, list[ReportedPlace]] = field(default_factory=dict)
    matches: list[Match] = field(default_factory=list)
    choices: list[User] = field(default_factory=list)

    def add(self, person: User | None, *place: Any) -> None:
        self.people.setdefault(person, []).append(ReportedPlace(*place))


def subjects_from_request(request: HttpRequest) -> CaseSubjects:
    """Return the rows in the query that this moderator may see. Raises Http404 if there are none."""
    subjects = CaseSubjects()
    for person in _selected_rows(request, "user"):
        subjects.add(person)
    for seat in _selected_rows(request, "seat"):
        if seat.user:
            subjects.add(seat.user, seat.match)
    for message in _selected_rows(request, "message"):
        subjects.add(message.user, message.match, None, message)
    subjects.matches.extend(_selected_rows(request, "match"))
    subjects.choices.extend(User.objects.filter(seats__match__in=subjects.matches).distinct().order_by("name"))
    if not (subjects.people or subjects.matches):
        raise Http404
    return subjects


@transaction.atomic
def open_cases(moderator: User, subjects: CaseSubjects, fields: Mapping[str, str]) -> list[Case]:
    """Open a case for each person, and one for the matches. Raises the errors of ``open_case``."""
    groups = list(subjects.people.items())
    if subjects.matches:
        person = next((choice for choice in subjects.choices if str(choice.pk) == fields.get("person")), None)
        groups.append((person, [ReportedPlace(match) for match in subjects.matches]))
    area, words, now = fields["area"], fields["words"], timezone.now()
    return [
        open_case(moderator=moderator, suspect=person, area=area, places=places, words=words, now=now)
        for person, places in groups
    ]


def _selected_rows(request: HttpRequest, name: str) -> list[Any]:
    keys = [key for key in request.GET.getlist(name) if key.isdecimal()][:MAX_ROWS_FOR_CASE]
    if not keys:
        return []
    pages = admin.site.get_model_admin(SUBJECT_MODELS[name])
    if not pages.has_view_permission(request):
        raise PermissionDenied
    return list(pages.get_queryset(request).filter(pk__in=keys).order_by("pk"))
