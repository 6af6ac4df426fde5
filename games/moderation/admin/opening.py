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

from accounts.admin import MAX_CASE_ROWS
from accounts.models import User
from games.models import Case, Match, Message, Seat
from games.moderation.cases.reporting import ReportedPlace, open_case

MODELS: Mapping[str, type[Model]] = {"user": User, "seat": Seat, "message": Message, "match": Match}


@dataclass(frozen=True, slots=True)
class About:
    """The subjects of the cases: the places of each person, and matches with ``choices`` of a suspect.

    The person of a message with a deleted writer is None.
    """

    people: dict[User | None, list[ReportedPlace]] = field(default_factory=dict)
    matches: list[Match] = field(default_factory=list)
    choices: list[User] = field(default_factory=list)

    def add(self, person: User | None, *place: Any) -> None:
        self.people.setdefault(person, []).append(ReportedPlace(*place))


def about_of(request: HttpRequest) -> About:
    """Return the rows in the query that this moderator may see. Raises Http404 if there are none."""
    about = About()
    for person in _rows(request, "user"):
        about.add(person)
    for seat in _rows(request, "seat"):
        if seat.user:
            about.add(seat.user, seat.match)
    for message in _rows(request, "message"):
        about.add(message.user, message.match, None, message)
    about.matches.extend(_rows(request, "match"))
    about.choices.extend(User.objects.filter(seats__match__in=about.matches).distinct().order_by("name"))
    if not (about.people or about.matches):
        raise Http404
    return about


@transaction.atomic
def open_cases(moderator: User, about: About, fields: Mapping[str, str]) -> list[Case]:
    """Open a case for each person, and one for the matches. Raises the errors of ``open_case``."""
    groups = list(about.people.items())
    if about.matches:
        person = next((choice for choice in about.choices if str(choice.pk) == fields.get("person")), None)
        groups.append((person, [ReportedPlace(match) for match in about.matches]))
    area, words, now = fields["area"], fields["words"], timezone.now()
    return [
        open_case(moderator=moderator, suspect=person, area=area, places=places, words=words, now=now)
        for person, places in groups
    ]


def _rows(request: HttpRequest, name: str) -> list[Any]:
    keys = [key for key in request.GET.getlist(name) if key.isdecimal()][:MAX_CASE_ROWS]
    if not keys:
        return []
    pages = admin.site.get_model_admin(MODELS[name])
    if not pages.has_view_permission(request):
        raise PermissionDenied
    return list(pages.get_queryset(request).filter(pk__in=keys).order_by("pk"))
