"""What people do at a table before and after the match: sit, stand up, fill, start, play again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.access import View, person_required, visible_match
from games.errors import Refused
from games.forms import SeatForm
from games.models import Match
from games.services import lobby

Deed = Callable[..., Match | None]
"""Does what was asked and returns the table to go to, None for the lobby."""


def deed(do: Deed) -> View:
    """Make a view of it: a POST by a person; a refusal is told at the table; a bare GET just leads back there."""

    @require_http_methods(["GET", "POST"])
    @person_required
    @functools.wraps(do)
    def view(request: HttpRequest, slug: str = "", **kwargs: Any) -> HttpResponse:
        match = visible_match(request.user, slug) if slug else None
        if request.method == "POST":
            try:
                match = do(request, match) if slug else do(request)
            except Refused as refused:
                messages.error(request, str(refused.text))
        return redirect("match", match.slug) if match else redirect("lobby")

    return view


@deed
def quick_play(request: HttpRequest) -> Match:
    return lobby.quick_play(user=request.user, nonce=_nonce(request))


@deed
def sit(request: HttpRequest, match: Match) -> Match:
    form = SeatForm(request.POST)
    if not form.is_valid():
        raise Refused("bad_request")
    return lobby.sit(match=match, user=request.user, nonce=_nonce(request), **form.cleaned_data)


@deed
def stand_up(request: HttpRequest, match: Match) -> None:
    lobby.stand_up(match=match, user=request.user)


@deed
def fill_with_bots(request: HttpRequest, match: Match) -> Match:
    return lobby.fill_with_bots(match=match, by=request.user)


@deed
def start(request: HttpRequest, match: Match) -> Match:
    return lobby.start(match=match, by=request.user)


@deed
def rematch(request: HttpRequest, match: Match) -> Match:
    return lobby.rematch(match=match, by=request.user, nonce=_nonce(request))


def _nonce(request: HttpRequest) -> str:
    return request.POST.get("nonce", "")
