"""What a person does by a form: a view of one function, and how a refusal reaches the page that follows."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.access import View, person_required, seat_of, visible_match
from games.engine.refusal import Refusal
from games.errors import Refused
from games.models import Match
from games.words.lookup import refusal_text

Deed = Callable[..., Match | None]
"""Does what was asked and returns the table to go to, None for the lobby."""
REFUSED = "refused"
SEE_OTHER = 303


def deed(do: Deed) -> View:
    """Make a view of it: a POST by a person; a refusal is told at the table; a bare GET just leads back there."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @person_required
    @functools.wraps(do)
    def view(request: HttpRequest, slug: str = "", **kwargs: Any) -> HttpResponse:
        match = visible_match(request.user, slug) if slug else None
        if request.method == "POST":
            try:
                match = do(request, match) if slug else do(request)
            except (Refused, Refusal) as refusal:
                tell(request, refusal, match)
        back = redirect("match", match.slug) if match else redirect("lobby")
        back.status_code = SEE_OTHER
        return back

    return view


def seated(do: Deed) -> Deed:
    """Refuse whoever has no seat by a mere look, before anything is locked. Raises Refused ``not_seated``."""

    @functools.wraps(do)
    def act(request: HttpRequest, match: Match) -> Match | None:
        if seat_of(request.user, match.pk) is None:
            raise Refused("not_seated")
        return do(request, match)

    return act


def address_of(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))


def tell(request: HttpRequest, refusal: Refusal | Refused, match: Match | None) -> None:
    """Keep the refusal for the page of the table, or (no table) for any page."""
    if match is None:
        messages.error(request, str(refusal.text))
    else:
        request.session[REFUSED] = [refusal.code, refusal_text(refusal, match.variant), refusal.rule]


def told(request: HttpRequest) -> Refused | None:
    """Take what was kept."""
    kept = request.session.pop(REFUSED, None)
    if kept is None:
        return None
    code, text, rule = kept
    return Refused(code, text, rule=rule)
