"""Decorators that turn an action into a view for its form. The next page shows a refusal."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from typing import Any, Self, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.access import seat_of, visible_match
from games.engine.refusal import Refusal
from games.errors import Refused
from games.models import Match
from games.rendering.frame import refusal_sentence
from games.web.person_required import View, auto_guest, person_required
from games.web.redirects import see_other
from infrastructure.page_limits import limit_keys

REFUSAL_SESSION_KEY = "refused"


@dataclass(frozen=True, slots=True)
class Submission:
    """A form that a person submitted, with the network address and the keys of its limits."""

    person: User
    data: QueryDict
    address: str
    limit_keys: dict[str, Any]

    @classmethod
    def from_request(cls, request: HttpRequest, data: QueryDict) -> Self:
        person = cast("User", request.user)  # only people pass ``person_required``
        return cls(person, data, str(request.META.get("REMOTE_ADDR", "")), limit_keys(request))


# Handles a submission at a table and returns the table to go to, None for the lobby.
Action = Callable[[Submission, Match], Match | None]


def form_action(action: Action, required: Callable[[View], View] = person_required, page: str = "match") -> View:
    """Turn an action into a view. Refusals are shown at the table, or on another ``page``; a GET only redirects."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @required
    @functools.wraps(action)
    def view(request: HttpRequest, slug: str, *, submitted: QueryDict | None) -> HttpResponse:
        match: Match | None = (table := visible_match(request.user, slug))
        if submitted is not None:
            try:
                match = action(Submission.from_request(request, submitted), table)
            except (Refused, Refusal) as refusal:
                request.session[REFUSAL_SESSION_KEY] = [
                    refusal.code,
                    _refusal_text(refusal, table.variant),
                    refusal.rule,
                ]
        return see_other(page, match.slug) if match else see_other("lobby")

    return view


def _refusal_text(refusal: Refused | Refusal, variant: str) -> str:
    """Return the reason for a refusal as plain text."""
    return unescape(refusal_sentence(refusal, variant, get_language() or "en"))


def lobby_action(action: Callable[[Submission], Match]) -> View:
    """Turn an action that returns a table into a view. Visitors become guests; the lobby shows refusals."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @auto_guest
    @functools.wraps(action)
    def view(request: HttpRequest, *, submitted: QueryDict | None) -> HttpResponse:
        if submitted is not None:
            try:
                return see_other("match", action(Submission.from_request(request, submitted)).slug)
            except (Refused, Refusal) as refusal:
                messages.error(request, str(refusal.text))
        return see_other("lobby")

    return view


def seating_action(action: Action) -> View:
    """Turn an action into a view that also seats visitors, as guests with a suggested name."""
    return form_action(action, auto_guest)


def review_action(action: Action) -> View:
    """Turn an action in the review of a match into a view that redirects to the review."""
    return form_action(action, page="match-review")


def seat_required(action: Action) -> Action:
    """Refuse people without a seat before anything is locked. Raises Refused ``not_seated``."""

    @functools.wraps(action)
    def act_if_seated(form: Submission, match: Match) -> Match | None:
        if seat_of(form.person, match.pk) is None:
            raise Refused("not_seated")
        return action(form, match)

    return act_if_seated


def pop_refusal(request: HttpRequest) -> Refused | None:
    """Return the stored refusal and remove it from the session."""
    refusal = request.session.pop(REFUSAL_SESSION_KEY, None)
    if refusal is None:
        return None
    code, text, rule = refusal
    return Refused(code, text, rule=rule)
