"""Following and blocking, on the page of a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts import blocks, follows
from accounts.models import User
from accounts.redirects import next_page
from accounts.requests import PersonRequest
from games.access import visible_person
from games.history.texts import BLOCKED_MESSAGE, FOLLOWED_MESSAGE
from infrastructure.bidi import isolate

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@require_POST
@login_required
def block_person(request: PersonRequest, person_id: int) -> HttpResponse:
    """Block a person whose page this viewer can see. Any other id is a 404, whether it exists or not."""
    person = visible_person(request.user, person_id)
    return _perform(request, person, lambda: blocks.block(blocker=request.user, blocked=person), BLOCKED_MESSAGE)


@require_POST
@login_required
def follow(request: PersonRequest, person_id: int) -> HttpResponse:
    """Follow a person whose page this viewer can see. Any other id is a 404, whether it exists or not."""
    person = visible_person(request.user, person_id)
    return _perform(request, person, lambda: follows.follow(follower=request.user, followed=person), FOLLOWED_MESSAGE)


def _perform(request: HttpRequest, person: User, change: Callable[[], None], message: _StrPromise) -> HttpResponse:
    """Act, show a message, and go to the page in ``next``, or back to the person's page."""
    try:
        change()
        messages.success(request, message % {"name": isolate(str(person))})
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    return redirect(next_page(request) or reverse("person", args=[person.pk]))
