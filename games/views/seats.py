"""Forms of a table before and after the match: sit, stand up, fill, add to the shuffle, start, rematch."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from games.access import visible_match
from games.errors import Refused
from games.fair_dealing import nonces
from games.lobby import tables
from games.lobby.forms import SeatForm
from games.lobby.quick_play import join_quick_game
from games.models import Match
from games.services import inbound, naming
from games.services import rematch as rematches
from games.web.form_actions import Submission, form_action, lobby_action, seat_required, seating_action
from games.web.redirects import see_other
from infrastructure.limits import limits


@lobby_action
def quick_play(form: Submission) -> Match:
    limits.enforce("tables", **form.limit_keys)
    terms = {name: form.data.get(name, "") for name in ("variant", "length")}
    return join_quick_game(user=form.person, **terms)


@seating_action
def sit(form: Submission, match: Match) -> Match:
    seat = SeatForm(form.data)
    if not seat.is_valid():
        raise Refused("bad_request")
    return tables.sit(match=match, user=form.person, **seat.cleaned_data, address=form.address)


@form_action
@seat_required
def rename(form: Submission, match: Match) -> Match:
    return naming.rename_guest(match=match, user=form.person, name=form.data.get("name", ""))


@form_action
@seat_required
def stand_up(form: Submission, match: Match) -> None:
    tables.stand_up(match=match, user=form.person, announced=inbound.read_announced_points(form.data))


@form_action
@seat_required
def fill_with_bots(form: Submission, match: Match) -> Match:
    return tables.fill_with_bots(match=match, by=form.person, level=inbound.read_bot_level(form.data))


@form_action
@seat_required
def start(form: Submission, match: Match) -> Match:
    return tables.start_or_agree(match=match, by=form.person)


@form_action
@seat_required
def answer_rematch(form: Submission, match: Match) -> Match:
    limits.enforce("tables", **form.limit_keys)
    return rematches.answer_rematch(
        match=match, by=form.person, decline=inbound.answers_no(form.data), address=form.address
    )


def rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer a rematch. A GET redirects a player to its table, so pages without scripts can follow."""
    if request.method == "POST":
        return answer_rematch(request, slug)
    table = rematches.rematch_table_for(request.user, visible_match(request.user, slug))
    return see_other("match", table.slug)


@form_action
@seat_required
def give_nonce(form: Submission, match: Match) -> Match:
    commitment, text = inbound.read_nonce(form.data)
    nonces.submit_nonce(match_id=match.pk, user_id=form.person.pk, commitment=commitment, nonce=text)
    return match
