"""The page of a table, and its forms without a script, which call the same services as its socket."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import push
from games import access
from games.access import visible_match
from games.enums import DAILY, Room
from games.models import Match
from games.presence import spectators
from games.presence.people import NOBODY
from games.rendering.invitation import invitation_context
from games.rendering.page import page_context, safe, scores_context
from games.rendering.spectators import spectators_zones
from games.services import absence, chat, demo, inbound, play, presence
from games.services.moves import make_move
from games.spectators import chat as spectator_chat
from games.spectators import delayed
from games.views import conduct
from games.views.form_actions import Submission, form_action, seated, take_refusal
from games.views.invitations import invitations_context

A_YEAR = 365 * 24 * 3600
MOST_MUTED = 20
"""Tables that a visitor's browser remembers."""


@never_cache
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table as its sockets do. Loading the page renews the lease of a seat, for browsers without a socket."""
    match = visible_match(request.user, slug)
    demo.visit(match)
    if request.user.is_authenticated:
        presence.seen(match_id=match.pk, user_id=request.user.pk, now=timezone.now())
    response = render(request, "table/match.html", context(request, match))
    if request.GET.get("type") == "hint":
        _remember(response, hints=inbound.asks_hints(request.GET))
    return response


def context(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return what ``table/match.html`` shows this viewer."""
    switched = request.GET.get("type") == "hint"
    hints = inbound.asks_hints(request.GET if switched else request.COOKIES)
    snapshot = delayed.current(match.pk, request.user.pk)
    seat, said = snapshot.table.seat_of(request.user.pk), spectator_chat.read(match.pk)
    shown = page_context(
        snapshot.table,
        snapshot.view(seat),
        seat=seat,
        language=get_language() or "en",
        chosen=request.GET.get("tile", ""),
        hints=hints,
        muted=access.muted(request.user, match, request.COOKIES),
        spectator_chat=said.lines if said.is_open_to(request.user.pk) else None,
        refused=take_refusal(request),
        since_end=timezone.now() - match.finished_at if match.finished_at else None,
    )
    shown |= _around(request, match, seat) | {"rests": "rest" in request.GET}
    return shown | invitation_context(snapshot.table, seat, request.build_absolute_uri(request.path))


def _around(request: HttpRequest, match: Match, seat: int | None) -> dict[str, Any]:
    """Return what the page says of the viewer and of other viewers."""
    said = {
        "muted": muted(request, match, seat),
        "takes_lines": chat.takes_lines(match),
        "spectators": spectators_context(request, match),
        "reports": push.has_any(request.user.pk),
        "offers_push": seat is not None and match.clock in DAILY and match.status == Match.Status.RUNNING,
    }
    return said | conduct.announced(request.user.pk, match, seat) | invitations_context(request, match, seat)


def _remember(response: HttpResponse, *, hints: bool) -> None:
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie("hints", "on" if hints else "off", max_age=A_YEAR, secure=secure, samesite="Lax")


def spectators_context(request: HttpRequest, match: Match) -> dict[str, SafeString]:
    """Return the number of spectators and their names, no names for a person who turned them off."""
    people = spectators.of_matches([match.pk], timezone.now()).get(match.pk, NOBODY)
    named = getattr(request.user, "lists_watchers", True)
    zones = spectators_zones(people, get_language() or "en", named=named)
    return {"count": safe(zones["spectator-count"]), "names": safe(zones["spectator-names"])}


def muted(request: HttpRequest, match: Match, seat: int | None) -> str:
    """Return what somebody who is muted here sees in place of the chat form, "" for others."""
    return access.mute_text(request.user.pk, match, Room.SPECTATORS if seat is None else Room.TABLE)


@never_cache
@require_safe
def scores(request: HttpRequest, slug: str) -> HttpResponse:
    snapshot = delayed.current(visible_match(request.user, slug).pk, request.user.pk)
    only, language = request.GET.get("round", ""), get_language() or "en"
    context = scores_context(snapshot.table, snapshot.view(None), language=language, only=only)
    return render(request, "table/scores.html", context)


@form_action
@seated
def move(form: Submission, match: Match) -> Match:
    text, version = inbound.move_of(form.data)
    make_move(match_id=match.pk, user_id=form.person.pk, move=text, version=version)
    return match


@form_action
@seated
def ready(form: Submission, match: Match) -> Match:
    play.ready(match_id=match.pk, user_id=form.person.pk)
    return match


@form_action
@seated
def leave(form: Submission, match: Match) -> Match:
    play.leave(match_id=match.pk, user_id=form.person.pk)
    return match


@form_action
@seated
def vote(form: Submission, match: Match) -> Match:
    absence.vote(match_id=match.pk, user_id=form.person.pk, choice=inbound.vote_of(form.data))
    return match


@form_action
def say(form: Submission, match: Match) -> Match:
    chat.post_message(match=match, user=form.person, **inbound.line_of(form.data))
    return match


@require_POST
def mute(request: HttpRequest, slug: str) -> HttpResponse:
    """Turn the chats of a table off for this reader, or on again. The browser remembers it for a visitor."""
    match, muted = visible_match(request.user, slug), inbound.mutes(request.POST)
    response = redirect(f"{reverse('match', args=[slug])}#chat")
    if request.user.is_authenticated:
        chat.mute_table(match=match, user_id=request.user.pk, muted=muted)
    else:
        slugs = [other for other in access.muted_slugs(request.COOKIES) if other != match.slug]
        slugs += [match.slug] if muted else []
        secure = settings.SESSION_COOKIE_SECURE
        kept = ".".join(slugs[-MOST_MUTED:])
        response.set_cookie(access.MUTED_TABLES, kept, max_age=A_YEAR, secure=secure, httponly=True, samesite="Lax")
    return response
