"""The pages of tournaments and their forms."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.clubs.selectors import led_clubs
from games.errors import REFUSAL_TEXTS, Refused
from games.lobby.games import offered_games
from games.models import Tournament
from games.rendering.page import as_safe_string
from games.rendering.pictures import game_pictures
from games.services import inbound
from games.services.inbound import parse_whole_number
from games.tournaments import announcing, board_results, download, entering, opening, reading, selectors
from games.tournaments.calendar import calendar_text, end_of
from games.tournaments.forms import TournamentForm
from games.tournaments.rendering import board_fields, fact_lines, page_zones, tournament_line
from games.tournaments.texts import BOARD_IS_OPEN, LIST_TITLES, calendar_title
from games.views.polling import frame_response, is_poll
from games.web.form_actions import Submission
from games.web.person_required import View, auto_guest, person_required
from games.web.redirects import see_other
from games.words import offered_variants
from infrastructure.limits import limits
from infrastructure.not_found import ExplainedNotFound

REFRESH_SECONDS = 10  # of a page without scripts
Action = Callable[[Submission, Tournament], None]


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show the public tournaments: those that run, those that come, and those of the last days."""
    lists = selectors.load_lists(timezone.now())
    rows_by_section = {"running": lists.running, "upcoming": lists.upcoming, "finished": lists.finished}
    context = [
        {"key": key, "title": LIST_TITLES[key], "lines": [tournament_line(reading.heading_of(row)) for row in rows]}
        for key, rows in rows_by_section.items()
        if rows
    ]
    return render(request, "tournaments/list.html", {"sections": context})


@require_safe
def tournament_page(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show a tournament. A page that polls gets the zones. An open page of an entrant counts as a sign of presence."""
    row, now = find_tournament(slug), timezone.now()
    if request.user.pk is not None and row.stage in Tournament.UNFINISHED and request.method == "GET":
        entering.note_seen(tournament_id=row.pk, user_id=request.user.pk, now=now)
    shared = reading.load_shared(row)
    content, own = shared.content, reading.load_own(shared, request.user, now)
    language = get_language() or "en"
    zones = page_zones(content, own, language)
    if is_poll(request):
        return frame_response(request, lambda: zones.full_update, key=zones.full_update)
    context = {
        "line": tournament_line(content.heading),
        "zones": [as_safe_string(zone) for zone in zones.markup.values()],
        "digests": ".".join(zones.digests),
        "facts": fact_lines(reading.load_facts(row), language),
        "has_download": download.is_available(row),
        "nonces": reading.load_nonces(row),
        # A refresh would delete the text that a person types without scripts.
        "refresh_seconds": 0
        if row.stage not in Tournament.UNFINISHED or own.nonce_stage == "enter"
        else REFRESH_SECONDS,
    }
    return render(request, "tournaments/tournament.html", context)


@require_safe
def board_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show all results of a closed board."""
    row = find_tournament(slug)
    if not 1 <= number <= len(selectors.load_state(row).boards):
        raise ExplainedNotFound(BOARD_IS_OPEN)
    context = {
        "line": tournament_line(reading.heading_of(row)),
        "number": number,
        "fields": board_fields(board_results.fields_of_board(row, number), get_language() or "en"),
    }
    return render(request, "tournaments/board.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def new_tournament(request: HttpRequest, *, submitted: QueryDict | None) -> HttpResponse:
    """Show the form of a tournament, or announce it. Only people with accounts can."""
    if not request.user.is_authenticated or request.user.is_guest:
        messages.error(request, str(REFUSAL_TEXTS["needs_account"]))
        return redirect("tournaments")
    key = request.GET.get("game") or next(iter(offered_variants()))
    if key not in offered_variants():
        raise ExplainedNotFound(_("There is no such game."))
    clubs, club = led_clubs(request.user), request.GET.get("club", "")
    initial = {"club": club} if club in clubs else None
    form = TournamentForm(offered_variants()[key], submitted, now=timezone.now(), clubs=clubs, initial=initial)
    row = _announce(Submission.from_request(request, submitted), form) if submitted is not None else None
    if row is not None:
        return see_other("tournament", row.slug)
    games = offered_games()
    context = {"form": form, "games": games.values(), "chosen": games[key], "pictures": game_pictures()}
    return render(request, "tournaments/new.html", context, status=422 if submitted is not None else 200)


def _announce(submission: Submission, form: TournamentForm) -> Tournament | None:
    """Announce the tournament of a form. Return None if the form has errors."""
    if not form.is_valid():
        return None
    limits.enforce("tables", **submission.limit_keys)
    try:
        return announcing.announce_as_host(host=submission.person, announcement=form.announcement, now=form.now)
    except Refused as refused:
        form.add_error(None, str(refused.text))
        return None


@require_safe
def calendar_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the start of a tournament for a calendar."""
    row = find_tournament(slug)
    terms, address = selectors.load_terms(row), request.build_absolute_uri(reverse("tournament", args=[slug]))
    text = calendar_text(
        uid=f"{slug}@{request.get_host()}",
        title=calendar_title(reading.heading_of(row)),
        address=address,
        starts_at=row.starts_at,
        ends_at=end_of(row.starts_at, row.minutes, row.rounds or terms.rounds, terms.usual_minutes),
        now=row.created_at,
    )
    headers = {"Content-Disposition": f'attachment; filename="tournament-{slug}.ics"'}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)


@require_safe
def download_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the events of a tournament as a file."""
    row = find_tournament(slug)
    if not download.is_available(row):
        raise ExplainedNotFound(_("The events can be downloaded once the tournament is over."))
    headers = {"Content-Disposition": f'attachment; filename="tournament-{slug}.json"'}
    return HttpResponse(download.file_text(row), content_type="application/json", headers=headers)


def find_tournament(slug: str) -> Tournament:
    """Return the tournament with this slug. Raises Http404."""
    row = selectors.tournament_with_slug(slug)
    if row is None:
        raise ExplainedNotFound(_("There is no such tournament."))
    return row


def _tournament_action(action: Action, required: Callable[[View], View] = person_required) -> View:
    """Turn an action into a view. The page of the tournament shows refusals; a GET only redirects."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @required
    @functools.wraps(action)
    def view(request: HttpRequest, slug: str, *, submitted: QueryDict | None) -> HttpResponse:
        row = find_tournament(slug)
        if submitted is not None:
            try:
                action(Submission.from_request(request, submitted), row)
            except Refused as refused:
                messages.error(request, str(refused.text))
            except Tournament.DoesNotExist:
                pass  # nobody had entered, so the clock has deleted it: its page says that it is gone
        return see_other("tournament", slug)

    return view


@functools.partial(_tournament_action, required=auto_guest)
def enter(form: Submission, row: Tournament) -> None:
    nonce = inbound.read_nonce(form.data)
    entering.enter(tournament=row, user=form.person, now=timezone.now(), address=form.address, nonce=nonce)


@_tournament_action
def open_nonce(form: Submission, row: Tournament) -> None:
    _commitment, nonce = inbound.read_nonce(form.data)
    opening.open_nonce(tournament_id=row.pk, user_id=form.person.pk, nonce=nonce)


@_tournament_action
def note_here(form: Submission, row: Tournament) -> None:
    if not entering.note_seen(tournament_id=row.pk, user_id=form.person.pk, now=timezone.now()):
        raise Refused("not_entered")


@_tournament_action
def withdraw(form: Submission, row: Tournament) -> None:
    entering.withdraw(tournament=row, user=form.person, now=timezone.now())


@_tournament_action
def pause(form: Submission, row: Tournament) -> None:
    entering.sit_out(tournament=row, user=form.person, now=timezone.now())


@_tournament_action
def come_back(form: Submission, row: Tournament) -> None:
    now = timezone.now()
    entering.come_back(tournament=row, user=form.person, now=now)
    entering.note_seen(tournament_id=row.pk, user_id=form.person.pk, now=now)


@_tournament_action
def accept(form: Submission, row: Tournament) -> None:
    entering.approve(tournament=row, by=form.person, entry_id=_entry_id(form), now=timezone.now())


@_tournament_action
def remove(form: Submission, row: Tournament) -> None:
    entering.remove_entry(tournament=row, by=form.person, entry_id=_entry_id(form), now=timezone.now())


@_tournament_action
def ask_partner(form: Submission, row: Tournament) -> None:
    entering.ask_partner(tournament=row, user=form.person, entry_id=_entry_id(form), now=timezone.now())


@_tournament_action
def cancel(form: Submission, row: Tournament) -> None:
    announcing.cancel(tournament=row, by=form.person, now=timezone.now())


def _entry_id(form: Submission) -> int:
    """Return the number of the entry in a form. Raises Refused ``bad_request``."""
    return parse_whole_number(form.data.get("entry"))
