"""Endpoints with which bots play. They call the same services as the forms of the site."""

from __future__ import annotations

from html import unescape
from typing import Annotated, Any, Self

from django.utils import timezone
from django.utils.translation import get_language
from ninja import Router, Schema
from pydantic import BaseModel, StringConstraints, WithJsonSchema, model_validator

from accounts.models import ApiToken
from games.access import visible_match
from games.api import schemas
from games.api.authentication import ApiRequest, Token
from games.api.match_json import match_data
from games.api.refusals import ERRORS
from games.engine.refusal import Refusal
from games.enums import DEFAULT_BOT_LEVEL, BotLevel
from games.errors import Refused
from games.fair_dealing import nonces
from games.lobby import bot_tables, tables
from games.match.snapshots import Snapshot
from games.match.table import Table
from games.models import Match
from games.presence import leases
from games.rendering.frame import refusal_sentence
from games.services import inbound, play
from games.services.moves import make_move
from games.spectators import delayed
from games.terms.terms import Terms
from games.words import offered_variants
from infrastructure.limits import limits

PLAY = Token(ApiToken.Scope.BOT_PLAY.value)

router = Router(tags=["bots"], auth=PLAY)


class SeatIn(BaseModel):
    """``seat``: the wanted seat; None for the first free one."""

    seat: int | None = None


class TableIn(BaseModel):
    """A table for bots. Missing options take their defaults; docs/bots.md lists the options of each game."""

    variant: Annotated[str, WithJsonSchema({"type": "string", "enum": sorted(offered_variants())})]
    seats: int
    options: dict[str, str] = {}
    clock: Annotated[str, WithJsonSchema({"type": "string", "enum": Match.Clock.values})] = Match.Clock.NORMAL.value

    @model_validator(mode="after")
    def require_possible_terms(self) -> Self:
        if fault := Terms(**self.model_dump()).fault_for_programs():
            raise ValueError(fault)
        return self


class LevelIn(BaseModel):
    """The level of bots of the site."""

    level: BotLevel = DEFAULT_BOT_LEVEL


class NonceIn(BaseModel):
    """Before the start the SHA-256 of a text for the shuffle, or during the start that text."""

    commitment: Annotated[str, StringConstraints(pattern=f"^({inbound.SHA256_PATTERN.pattern})?$")] = ""
    nonce: Annotated[str, StringConstraints(max_length=inbound.MAX_NONCE_LENGTH)] = ""


class MoveIn(BaseModel):
    """A move in the notation of records, and the version of the match that the bot saw."""

    version: int
    move: Annotated[str, StringConstraints(max_length=inbound.MAX_MOVE_LENGTH)]


class MovedOut(Schema):
    """The version after the move."""

    version: int


class BotTablesOut(Schema):
    """Open tables: those with an invitation for this bot, and those of bots."""

    invitations: list[schemas.MatchOut]
    tables: list[schemas.MatchOut]


@router.get("bot/tables", response={200: BotTablesOut, **ERRORS})
def list_tables_for_bots(request: ApiRequest) -> dict[str, Any]:
    """Return the open tables at which the bot may sit down."""
    bot = request.auth.user
    return {
        "invitations": [_open_table_data(table, bot.pk) for table in bot_tables.invited_tables(bot)],
        "tables": [_open_table_data(table, bot.pk) for table in bot_tables.open_tables()],
    }


@router.post("bot/tables", response={200: schemas.MatchOut, **ERRORS})
def open_table(request: ApiRequest, table: TableIn) -> dict[str, Any]:
    """Open a casual table for bots, and sit down there."""
    limits.enforce("tables", account=request.auth.user.pk)
    match = bot_tables.open_table(bot=request.auth.user, **table.model_dump())
    return _match_data(match, request)


@router.post("match/{slug}/sit", response={200: schemas.MatchOut, **ERRORS})
def sit(request: ApiRequest, slug: str, seat: SeatIn) -> dict[str, Any]:
    """Take a seat at a casual table to which somebody has invited the bot, or at a table of bots."""
    match = visible_match(request.auth.user, slug)
    return _match_data(bot_tables.sit(match=match, bot=request.auth.user, index=seat.seat), request)


@router.post("match/{slug}/stand", response={204: None, **ERRORS})
def stand_up(request: ApiRequest, slug: str) -> tuple[int, None]:
    """Free the seat before the start."""
    tables.stand_up(match=_own_match(request, slug), user=request.auth.user)
    return 204, None


@router.post("match/{slug}/nonce", response={204: None, **ERRORS})
def give_nonce(request: ApiRequest, slug: str, text: NonceIn) -> tuple[int, None]:
    """Add a text to the shuffle (docs/fair-dealing.md): its commitment before the start, the text during the start."""
    commitment, nonce = inbound.read_nonce(text.model_dump())
    match = _own_match(request, slug)
    nonces.submit_nonce(match_id=match.pk, user_id=request.auth.user.pk, commitment=commitment, nonce=nonce)
    return 204, None


@router.post("match/{slug}/fill", response={200: schemas.MatchOut, **ERRORS})
def fill(request: ApiRequest, slug: str, bots: LevelIn) -> dict[str, Any]:
    """Put bots of the site on all free seats as the host, and begin the start."""
    match = _own_match(request, slug)
    return _match_data(tables.fill_with_bots(match=match, by=request.auth.user, level=bots.level), request)


@router.post("match/{slug}/start", response={200: schemas.MatchOut, **ERRORS})
def start(request: ApiRequest, slug: str) -> dict[str, Any]:
    """Start the match as its host, or agree to its start."""
    return _match_data(tables.start_or_agree(match=_own_match(request, slug), by=request.auth.user), request)


@router.post("match/{slug}/ready", response={204: None, **ERRORS})
def mark_ready(request: ApiRequest, slug: str) -> tuple[int, None]:
    """Be ready for the next round, or take the seat back from the bot that stands in."""
    play.mark_ready(match_id=_own_match(request, slug).pk, user_id=request.auth.user.pk)
    return 204, None


@router.post("match/{slug}/leave", response={204: None, **ERRORS})
def leave(request: ApiRequest, slug: str) -> tuple[int, None]:
    """Leave a running match for good."""
    play.leave_match(match_id=_own_match(request, slug).pk, user_id=request.auth.user.pk)
    return 204, None


@router.post("match/{slug}/move", response={200: MovedOut, **ERRORS})
def move(request: ApiRequest, slug: str, move: MoveIn) -> dict[str, int]:
    """Make a move: ``6-4 left``, ``draw`` or ``pass``, as in records. ``stale``: the match has moved on."""
    match = _own_match(request, slug)
    text, version = inbound.read_move({"move": move.move, "v": move.version})
    try:
        result = make_move(match_id=match.pk, user_id=request.auth.user.pk, move=text, version=version)
    except Refusal as refusal:
        sentence = unescape(refusal_sentence(refusal, match.variant, get_language() or "en"))
        raise Refused(refusal.code, sentence, rule=refusal.rule) from None
    return {"version": result.version}


def _own_match(request: ApiRequest, slug: str) -> Match:
    """Return a match where the bot sits, and renew the lease of its seat. Raises Http404, Refused ``not_seated``."""
    match = visible_match(request.auth.user, slug)
    if not match.seats.filter(user=request.auth.user).exists():
        raise Refused("not_seated")
    leases.renew_lease(match_id=match.pk, user_id=request.auth.user.pk, now=timezone.now())
    return match


def _match_data(match: Match, request: ApiRequest) -> dict[str, Any]:
    snapshot = delayed.snapshot_for(match.pk, request.auth.user.pk)
    return match_data(snapshot, snapshot.table.seat_of(request.auth.user.pk))


def _open_table_data(table: Table, bot_id: int) -> dict[str, Any]:
    return match_data(Snapshot(table, None), table.seat_of(bot_id))
