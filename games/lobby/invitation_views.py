"""Inviting people whom somebody at an open table follows."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import redirects
from accounts.requests import PersonRequest
from games.access import seat_of, visible_match
from games.lobby import invitations
from games.models import Invitation, Match
from games.services import inbound
from games.web.form_actions import Submission, form_action, seat_required
from infrastructure.limits import limits


@form_action
@seat_required
def invite(form: Submission, match: Match) -> Match:
    limits.enforce("invitations", **form.limit_keys)
    return invitations.invite(match=match, by=form.person, person_id=inbound.read_person_id(form.data))


@form_action
@seat_required
def take_back(form: Submission, match: Match) -> Match:
    return invitations.withdraw_invitation(match=match, by=form.person, person_id=inbound.read_person_id(form.data))


@require_POST
@login_required
def block_inviter(request: PersonRequest, invitation_id: int) -> HttpResponse:
    """Block the person who sent this invitation, and go back to the page with the notice."""
    try:
        inviter = invitations.refuse_invitation(invited=request.user, invitation_id=invitation_id)
        messages.success(request, _("Blocked: %(name)s.") % {"name": inviter})
    except Invitation.DoesNotExist:
        raise Http404 from None
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    return redirect(redirects.next_page(request) or "/")


@require_safe
def invitable_people_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the list of people without the page around it, for an open page that updates its list."""
    match = visible_match(request.user, slug)
    context = {"table": match} | invitations_context(request, match, seat_of(request.user, match.pk))
    return render(request, "table/invite_people.html", context)


def invitations_context(request: HttpRequest, match: Match, seat: int | None) -> dict[str, Any]:
    """Return the people whom the player in this seat can invite, and the pending invitations.

    The context is empty if nobody can be invited, and for a player who follows nobody.
    """
    if seat is None or not request.user.is_authenticated or not invitations.has_seat_to_offer(match):
        return {}
    sent = [
        (row, request.user.pk in (row.inviter_id, match.host_id)) for row in invitations.pending_invitations(match)
    ]
    if not sent and not request.user.follows.exists():
        return {}
    return {
        "candidates": invitations.load_candidates(match, request.user, timezone.now()),
        "sent": sent,
        "invites": True,
    }
