"""The page of a table, and its forms for browsers without scripts, which call the same services as the socket."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from accounts.push import subscriptions
from games import access
from games.access import visible_match
from games.broadcast.groups import match_group
from games.chat import posting
from games.chat import spectators as spectator_chat
from games.conduct import views as conduct_views
from games.enums import DAILY_CLOCKS, ChatRoom
from games.lobby.invitation_views import invitations_context
from games.lobby.quick_play import has_played
from games.match.snapshots import Snapshot
from games.models import Match
from games.presence import leases, online
from games.presence.pages import pages
from games.rendering.board import shape_of
from games.rendering.clock import with_server_time
from games.rendering.invitation import invitation_context
from games.rendering.page import as_safe_string, page_context, scores_context, table_zones
from games.rendering.spectators import spectators_zones
from games.services import absence, demo, inbound, play
from games.services.moves import make_move
from games.spectators import chances, delayed
from games.tournaments import selectors
from games.views.polling import frame_response, is_poll
from games.web.form_actions import Submission, form_action, pop_refusal, seat_required

YEAR_SECONDS = 365 * 24 * 3600
MAX_MUTED = 20  # tables that a visitor's browser remembers as muted


@require_safe
def table_page(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the table as its sockets do. Loading the page renews the lease of a seat, for browsers without a socket.

    A page that polls gets the same frame as a socket.
    """
    match = visible_match(request.user, slug)
    demo.mark_visited(match)
    if request.user.is_authenticated:
        leases.renew_lease(match_id=match.pk, user_id=request.user.pk, now=timezone.now())
    if is_poll(request):
        response = table_update(request, match)
    else:
        response = render(request, "table/match.html", table_context(request, match))
    if request.GET.get("type") == "hint":
        _remember_hints(response, hints=_wants_hints(request))
    return response


def table_update(request: HttpRequest, match: Match) -> HttpResponseBase:
    """Return all zones of the table for this viewer, and store whether the page is visible."""
    if request.user.is_authenticated:
        _report_visibility(request, match, request.user.pk)
    snapshot = delayed.snapshot_for(match.pk, request.user.pk)
    shape = shape_of(match.variant, inbound.read_shape(request.COOKIES))
    arguments = _zones_arguments(request, match, snapshot) | {"shape": shape}
    key = snapshot.stage_and_revision, sorted(arguments.items())
    view = snapshot.view(arguments["seat"])
    return frame_response(
        request, lambda: with_server_time(table_zones(snapshot.table, view, **arguments).full_update), key=key
    )


def table_context(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return the context of ``table/match.html`` for this viewer."""
    snapshot = delayed.snapshot_for(match.pk, request.user.pk)
    arguments = _zones_arguments(request, match, snapshot)
    seat, table = arguments["seat"], snapshot.table
    time_since_end = timezone.now() - match.finished_at if match.finished_at else None
    page_variables = page_context(table, snapshot.view(seat), since_end=time_since_end, **arguments)
    page_variables |= _context_around_table(request, match, seat) | {"is_refresh_paused": "rest" in request.GET}
    return page_variables | invitation_context(table, seat, request.build_absolute_uri(request.path))


def _zones_arguments(request: HttpRequest, match: Match, snapshot: Snapshot) -> dict[str, Any]:
    """Return the arguments of ``table_zones`` for this viewer."""
    chat = spectator_chat.load_spectator_chat(match.pk)
    return {
        "seat": snapshot.table.seat_of(request.user.pk),
        "language": get_language() or "en",
        "chosen": request.GET.get("tile", ""),
        "hints": _wants_hints(request),
        "muted": access.muted_chats(request.user, match, request.COOKIES),
        "spectator_chat": chat.lines if chat.is_open_to(request.user.pk) else None,
        "refused": pop_refusal(request),
    }


def _wants_hints(request: HttpRequest) -> bool:
    return inbound.wants_hints(request.GET if request.GET.get("type") == "hint" else request.COOKIES)


def _report_visibility(request: HttpRequest, match: Match, user_id: int) -> None:
    """Store whether a page that polls is visible, as a heartbeat does."""
    page_name = f"table {match.pk} {user_id}"
    if request.GET.get("visible") == "false":
        pages().mark_hidden(page_name)
    else:
        pages().mark_visible(page_name, user_id, match.pk, timezone.now())


def _context_around_table(request: HttpRequest, match: Match, seat: int | None) -> dict[str, Any]:
    """Return the context around the table: about the viewer and the other viewers."""
    context = {
        "muted": mute_notice(request, match, seat),
        "is_chat_open": posting.is_chat_open(match),
        "spectators": spectators_context(request, match),
        "reports_visibility": subscriptions.has_subscription(request.user.pk),
        "offers_push": seat is not None and match.clock in DAILY_CLOCKS and match.status in Match.UNFINISHED,
        "is_new_to_game": _is_new_to_game(request, match, seat),
        "tournament": selectors.tournament_of_match(match.pk) if seat is not None else None,
        "shows_chances": seat is None and chances.are_offered(match.variant),
    }
    return (
        context
        | conduct_views.leaving_prices(request.user.pk, match, seat)
        | invitations_context(request, match, seat)
    )


def _is_new_to_game(request: HttpRequest, match: Match, seat: int | None) -> bool:
    """Return True for a player at an open table who has started no match of this game before."""
    if seat is None or match.status != Match.Status.OPEN or not request.user.is_authenticated:
        return False
    return not has_played(request.user.pk, match.variant)


def _remember_hints(response: HttpResponseBase, *, hints: bool) -> None:
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie("hints", "on" if hints else "off", max_age=YEAR_SECONDS, secure=secure, samesite="Lax")


def spectators_context(request: HttpRequest, match: Match) -> dict[str, SafeString]:
    """Return the number of spectators and their names, no names for a person who turned them off."""
    people = online.people_at(match_group(match.slug), timezone.now())
    shows_names = getattr(request.user, "lists_watchers", True)
    zones = spectators_zones(people, get_language() or "en", shows_names=shows_names).markup
    return {"count": as_safe_string(zones["spectator-count"]), "names": as_safe_string(zones["spectator-names"])}


def mute_notice(request: HttpRequest, match: Match, seat: int | None) -> str:
    """Return the text in place of the chat form for a person who is muted here, "" for others."""
    return access.mute_text(request.user.pk, match, ChatRoom.SPECTATORS if seat is None else ChatRoom.TABLE)


@require_safe
def scores(request: HttpRequest, slug: str) -> HttpResponse:
    snapshot = delayed.snapshot_for(visible_match(request.user, slug).pk, request.user.pk)
    only_round, language = request.GET.get("round", ""), get_language() or "en"
    context = scores_context(snapshot.table, snapshot.view(None), language=language, only_round=only_round)
    return render(request, "table/score_table_page.html", context)


@form_action
@seat_required
def move(form: Submission, match: Match) -> Match:
    text, version = inbound.read_move(form.data)
    make_move(match_id=match.pk, user_id=form.person.pk, move=text, version=version)
    return match


@form_action
@seat_required
def ready(form: Submission, match: Match) -> Match:
    play.mark_ready(match_id=match.pk, user_id=form.person.pk)
    return match


@form_action
@seat_required
def leave(form: Submission, match: Match) -> Match:
    play.leave_match(match_id=match.pk, user_id=form.person.pk)
    return match


@form_action
@seat_required
def vote(form: Submission, match: Match) -> Match:
    absence.cast_vote(match_id=match.pk, user_id=form.person.pk, choice=inbound.read_vote(form.data))
    return match


@form_action
def post_chat_line(form: Submission, match: Match) -> Match:
    posting.post_message(match=match, user=form.person, **inbound.read_chat_line(form.data))
    return match


@require_POST
def mute(request: HttpRequest, slug: str) -> HttpResponse:
    """Mute the chats of a table for this reader, or unmute them. A visitor's choice is stored in a cookie."""
    match, wants_mute = visible_match(request.user, slug), inbound.wants_mute(request.POST)
    response = redirect(f"{reverse('match', args=[slug])}#chat")
    if request.user.is_authenticated:
        posting.mute_table(match=match, user_id=request.user.pk, muted=wants_mute)
    else:
        slugs = [other for other in access.muted_slugs(request.COOKIES) if other != match.slug]
        slugs += [match.slug] if wants_mute else []
        secure = settings.SESSION_COOKIE_SECURE
        value = ".".join(slugs[-MAX_MUTED:])
        response.set_cookie(
            access.MUTED_TABLES, value, max_age=YEAR_SECONDS, secure=secure, httponly=True, samesite="Lax"
        )
    return response
