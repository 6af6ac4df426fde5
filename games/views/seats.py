"""What people do at a table before and after the match: sit, stand up, fill, add to the shuffle, start, play again."""

from __future__ import annotations

from django.http import HttpRequest

from games.errors import Refused
from games.lobby.forms import SeatForm
from games.models import Match
from games.services import inbound, lobby, nonces
from games.views.deeds import address_of, deed, seated
from infrastructure.limits import limits
from infrastructure.page_limits import whose


@deed
def quick_play(request: HttpRequest) -> Match:
    limits.require("tables", **whose(request))
    return lobby.quick_play(user=request.user, variant=request.POST.get("variant", ""))


@deed
def sit(request: HttpRequest, match: Match) -> Match:
    form = SeatForm(request.POST)
    if not form.is_valid():
        raise Refused("bad_request")
    return lobby.sit(match=match, user=request.user, **form.cleaned_data, address=address_of(request))


@deed
@seated
def stand_up(request: HttpRequest, match: Match) -> None:
    lobby.stand_up(match=match, user=request.user)


@deed
@seated
def fill_with_bots(request: HttpRequest, match: Match) -> Match:
    return lobby.fill_with_bots(match=match, by=request.user)


@deed
@seated
def start(request: HttpRequest, match: Match) -> Match:
    return lobby.start(match=match, by=request.user)


@deed
@seated
def rematch(request: HttpRequest, match: Match) -> Match:
    limits.require("tables", **whose(request))
    return lobby.rematch(match=match, by=request.user, address=address_of(request))


@deed
@seated
def nonce(request: HttpRequest, match: Match) -> Match:
    commitment, text = inbound.nonce_of(request.POST)
    nonces.give(match_id=match.pk, user_id=request.user.pk, commitment=commitment, nonce=text)
    return match
