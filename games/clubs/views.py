"""The pages of clubs and their forms."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.clubs import founding, joining, selectors
from games.clubs.forms import ClubForm, values_of
from games.clubs.texts import ENTRIES, members_text, requests_text
from games.errors import REFUSAL_TEXTS, Refused
from games.models import Club, ClubMember
from games.services.inbound import parse_whole_number
from games.tournaments import reading
from games.tournaments.rendering import tournament_line
from games.web.form_actions import Submission
from games.web.person_required import View, person_required
from games.web.redirects import see_other
from infrastructure.limits import limits
from infrastructure.not_found import ExplainedNotFound

MAX_PAGE_DIGITS = 3
MAX_QUERY_LENGTH = 60
Action = Callable[[Submission, Club], None]
Status = ClubMember.Status


@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """Show the viewer's clubs, and all clubs or those with a name."""
    query, page = request.GET.get("q", "")[:MAX_QUERY_LENGTH], _page_number(request)
    clubs, has_next = selectors.clubs_page(query, page)
    context = {
        "query": query,
        "own": [
            (club, requests_text(requests) if requests else "")
            for club, requests in (() if query or page > 1 else selectors.own_clubs(request.user))
        ],
        "clubs": [(club, members_text(club.members_count)) for club in clubs],
        **_neighbours(page, has_next),
    }
    return render(request, "clubs/list.html", context)


@require_safe
def club_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: its text, its people and its tournaments. Leaders see who asks to join."""
    club, page = _club_with_slug(slug), _page_number(request)
    status = selectors.status_in(club, request.user)
    members, has_next = selectors.members_page(club, page)
    context: dict[str, Any] = {
        "club": club,
        "status": status,
        "count": members_text(club.members_count),
        "entries": ENTRIES["asks" if club.asks else "open"].name,
        "leaders": selectors.leaders_of(club),
        "members": members,
        "lines": [tournament_line(reading.heading_of(row)) for row in selectors.tournaments_of(club)],
        **_neighbours(page, has_next),
    }
    if status == Status.LEADER:
        context |= {"asking": selectors.requests_to(club), "removed": selectors.removed_from(club)}
    return render(request, "clubs/club.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def new_club(request: HttpRequest, *, submitted: QueryDict | None) -> HttpResponse:
    """Show the form of a club, or found it. People whose accounts are too new read why they cannot."""
    if not isinstance(request.user, User):
        messages.error(request, str(REFUSAL_TEXTS["needs_account"]))
        return redirect("clubs")
    form = ClubForm(submitted)
    try:
        founding.require_settled_account(request.user, timezone.now())
        if submitted is not None and form.is_valid():
            limits.enforce("tables", **Submission.from_request(request, submitted).limit_keys)
            club = founding.found_club(founder=request.user, description=form.description, now=timezone.now())
            return see_other("club", club.slug)
    except Refused as refused:
        if submitted is None:
            messages.error(request, str(refused.text))
            return redirect("clubs")
        form.add_error(None, str(refused.text))
    return render(request, "clubs/form.html", {"form": form}, status=422 if submitted is not None else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def edit_club(request: HttpRequest, slug: str, *, submitted: QueryDict | None) -> HttpResponse:
    """Show the form of a club to its leaders, or change it."""
    club = _club_with_slug(slug)
    if not isinstance(request.user, User) or selectors.status_in(club, request.user) != Status.LEADER:
        return redirect("club", slug)
    form = ClubForm(submitted, initial=values_of(club))
    if submitted is not None and form.is_valid():
        limits.enforce("tables", **Submission.from_request(request, submitted).limit_keys)
        try:
            founding.edit_club(club=club, by=request.user, description=form.description, now=timezone.now())
            return see_other("club", slug)
        except Refused as refused:
            form.add_error(None, str(refused.text))
    context = {"form": form, "club": club}
    return render(request, "clubs/form.html", context, status=422 if submitted is not None else 200)


def _club_with_slug(slug: str) -> Club:
    club = selectors.club_with_slug(slug)
    if club is None:
        raise ExplainedNotFound(REFUSAL_TEXTS["no_club"])
    return club


def _page_number(request: HttpRequest) -> int:
    """Return the number of the page in the address, 1 if there is none."""
    number = request.GET.get("page", "")
    is_number = number.isascii() and number.isdigit() and len(number) <= MAX_PAGE_DIGITS
    return max(1, int(number)) if is_number else 1


def _neighbours(page: int, has_next: bool) -> dict[str, int]:
    """Return the numbers of the pages before and after a page, 0 for none."""
    return {"previous_page": page - 1, "next_page": page + 1 if has_next else 0}


def _club_action(action: Action) -> View:
    """Turn an action into a view. The page of the club shows refusals; a GET only redirects."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @person_required
    @functools.wraps(action)
    def view(request: HttpRequest, slug: str, *, submitted: QueryDict | None) -> HttpResponse:
        club = _club_with_slug(slug)
        if submitted is not None:
            try:
                action(Submission.from_request(request, submitted), club)
            except Refused as refused:
                messages.error(request, str(refused.text))
        return see_other("club", slug) if selectors.club_with_slug(slug) else see_other("clubs")

    return view


@_club_action
def join(form: Submission, club: Club) -> None:
    limits.enforce("tables", **form.limit_keys)
    joining.join(club=club, user=form.person, now=timezone.now())


@_club_action
def leave(form: Submission, club: Club) -> None:
    joining.leave(club=club, user=form.person, now=timezone.now())


@_club_action
def accept(form: Submission, club: Club) -> None:
    joining.accept(club=club, by=form.person, member_id=_member_id(form), now=timezone.now())


@_club_action
def remove(form: Submission, club: Club) -> None:
    joining.remove(club=club, by=form.person, member_id=_member_id(form), now=timezone.now())


@_club_action
def name_leader(form: Submission, club: Club) -> None:
    joining.name_leader(club=club, by=form.person, member_id=_member_id(form), now=timezone.now())


def _member_id(form: Submission) -> int:
    """Return the number of the person in a form. Raises Refused ``bad_request``."""
    return parse_whole_number(form.data.get("member"))
