"""Blocking, on the page of a person."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import blocks
from accounts.requests import PersonRequest
from games.access import known_person


@require_POST
@login_required
def block(request: PersonRequest, person_id: int) -> HttpResponse:
    """Block a person who has a page for this viewer. Any other id is a 404, whether it exists or not."""
    person = known_person(request.user, person_id)
    try:
        blocks.block(blocker=request.user, blocked=person)
        messages.success(request, _("You have blocked %(name)s.") % {"name": person})
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    return redirect("person", person.pk)
