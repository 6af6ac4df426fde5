"""What people and bots do at a running table: start, move, be ready, leave; also stopping a match from outside."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce

from django.db import transaction
from django.utils import timezone

from games.access import require_not_suspended
from games.broadcast import announcements
from games.engine import decide
from games.engine.events import Event, MatchStarted
from games.engine.evolve import evolve, start_state
from games.engine.moves import Pass
from games.engine.refusal import Refusal
from games.engine.state import State
from games.engine.variants import rules_for
from games.errors import Refused
from games.match import match_rows, record
from games.match.match_rows import MatchRow, SeatHolder
from games.match.time_control import CONTROLS
from games.models import Match, Seat
from games.services import dealing, match_updates
from games.services.match_updates import MatchUpdate
from games.services.seating import BOT, require_few_tables

PEOPLE_OF_A_RATED_MATCH = 2


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move somebody asks for: a user, or (``user_id`` None) the bot in ``seat``. ``version`` is what was seen."""

    match_id: int
    version: int
    move: str
    user_id: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class MoveResult:
    """A move was made: the version and the revision the table has now."""

    version: int
    revision: int


Answer = MoveResult | Refusal | Refused


def make_move(*, match_id: int, user_id: int, move: str, version: int) -> MoveResult:
    """Make one move. Raises ``Refusal`` (the rules) or ``Refused`` (``stale``, ``not_seated``, ``finished``, ...)."""
    (answer,) = make_moves([MoveRequest(match_id, version, move, user_id)])
    if isinstance(answer, MoveResult):
        return answer
    raise answer


@transaction.atomic
def make_moves(requests: Sequence[MoveRequest]) -> list[Answer]:
    """Make moves of several matches in one transaction and return an answer to each. A refused one changes nothing."""
    now = timezone.now()
    rows = match_rows.lock({request.match_id for request in requests})
    judged: list[MatchUpdate | Refusal | Refused] = []
    taken: set[int] = set()
    for request in requests:
        verdict = _judge(request, rows.get(request.match_id), taken)
        if isinstance(verdict, MatchUpdate):
            taken.add(request.match_id)
        judged.append(verdict)
    after = iter(match_updates.commit([verdict for verdict in judged if isinstance(verdict, MatchUpdate)], now))
    return [_result(next(after)) if isinstance(verdict, MatchUpdate) else verdict for verdict in judged]


def _result(row: MatchRow) -> MoveResult:
    return MoveResult(row.version, row.revision)


def _judge(request: MoveRequest, row: MatchRow | None, taken: Collection[int]) -> MatchUpdate | Refusal | Refused:
    """``taken`` are the matches in which a move has been made in this transaction."""
    try:
        row = _require_running(row, request.user_id)
        seat = _seat_of_request(request, row)
        if request.version != row.version or row.match_id in taken:
            raise Refused("stale")
        rules, state = rules_for(row.variant), record.state_of(row.match_id, row.version)
        return MatchUpdate.of(row, state, decide.decide(rules, state, seat, rules.parse_move(state, request.move)))
    except (Refusal, Refused) as refusal:
        return refusal


def _seat_of_request(request: MoveRequest, row: MatchRow) -> int:
    seat = request.seat if request.user_id is None else row.seat_of(request.user_id)
    if seat is None:
        raise Refused("not_seated")
    if bool(row.holders[seat].bot) != (request.user_id is None):
        raise Refused("replaced")
    return seat


def _require_running(row: MatchRow | None, user_id: int | None = None) -> MatchRow:
    """Check the seat first: a spectator with a delay must not learn from the refusal how far the match is."""
    if row is not None and user_id is not None and row.seat_of(user_id) is None:
        raise Refused("not_seated")
    if row is None or row.status == Match.Status.OPEN:
        raise Refused("not_running")
    if row.status != Match.Status.RUNNING:
        raise Refused("finished")
    return row


@transaction.atomic
def start_match(*, match: Match) -> Match:
    """Start an open table whose seats are all taken, and deal. Raises Refused ``not_open``, ``empty_seats``.

    A match is rated only with at least two people.
    """
    row = match_rows.lock([match.pk])[match.pk]
    if row.status != Match.Status.OPEN:
        raise Refused("not_open")
    if any(not holder.user_id and not holder.bot for holder in row.holders):
        raise Refused("empty_seats")
    now = timezone.now()
    rated = row.rated and len(row.people) >= PEOPLE_OF_A_RATED_MATCH
    Match.objects.filter(pk=match.pk).update(status=Match.Status.RUNNING, rated=rated, started_at=now)
    match.seats.update(ready=False)
    row = replace(row, rated=rated, banks=(CONTROLS[row.clock].bank_ms,) * len(row.holders))
    started = _started(row, match)
    state = start_state(started)
    deal = dealing.deal(row, state, started.nonces)
    match_updates.commit([MatchUpdate(row, reduce(evolve, deal, state), (started, *deal))], now)
    match.refresh_from_db()
    return match


def _started(row: MatchRow, match: Match) -> MatchStarted:
    seats = match.seats.order_by("index")
    return decide.new_match(
        rules_for(row.variant),
        len(row.holders),
        match.options,
        match=match.slug,
        commitment=match.commitment,
        nonces=[seat.nonce for seat in seats],
        nonce_commitments=[seat.nonce_commitment for seat in seats],
        bots=[seat for seat, holder in enumerate(row.holders) if holder.bot],
    )


@transaction.atomic
def ready(*, match_id: int, user_id: int) -> None:
    """Be ready for the next round, or come back with it to a seat that a bot keeps until then.

    Raises Refused ``not_seated``, ``not_running``, ``finished``, ``suspended``, ``too_many_tables``.
    """
    row, seat = _seated(match_id, user_id)
    now = timezone.now()
    pause, kept = row.due_kind == Match.Due.ROUND, bool(row.holders[seat].bot)
    if kept:
        require_not_suspended(user_id)
        if pause:
            row = _hand_over(row, seat, "", now)
    if not (pause or kept):
        return
    Seat.objects.filter(match_id=match_id, index=seat).update(ready=True)
    if kept:
        require_few_tables(user_id)
    if not pause or Seat.objects.filter(match_id=match_id, index__in=row.people, ready=False).exists():
        announcements.touch(match_id)
    else:
        next_round(row, now)


@transaction.atomic
def leave(*, match_id: int, user_id: int) -> None:
    """Leave a running match: a rated one ends by the rules; in a casual one a bot plays on.

    Raises Refused ``not_seated``, ``not_running``, ``finished``.
    """
    row, seat = _seated(match_id, user_id)
    depart(row, seat, "left", timezone.now())


@transaction.atomic
def stop(*, match_id: int, reason: str = "stopped") -> None:
    """End a running match from outside, ``stopped`` or ``void``: nobody wins.

    Raises Refused ``not_running``, ``finished``.
    """
    row = _require_running(match_rows.lock([match_id]).get(match_id))
    _commit(row, lambda state: decide.stop(state, reason), timezone.now())


# The following work on a row that the caller has locked.


def next_round(row: MatchRow, now: datetime) -> None:
    """Deal the next round, which people who are back play themselves."""
    if Seat.objects.filter(match_id=row.match_id, ready=True).update(ready=False, bot=""):
        row = match_rows.lock([row.match_id])[row.match_id]
    _commit(row, lambda state: dealing.deal_next(row, state), now)


def forced_pass(row: MatchRow, now: datetime) -> None:
    """Pass for the seat to move, which can do nothing else. Raises Refused ``not_running`` if there is none."""
    rules, seat = rules_for(row.variant), row.to_move
    if seat is None:
        raise Refused("not_running")
    _commit(row, lambda state: decide.decide(rules, state, seat, Pass()), now)


def depart(row: MatchRow, seat: int, reason: str, now: datetime) -> None:
    """Take a person out of the match. ``reason``: ``left`` or ``timeout``.

    A casual match that its last person leaves on purpose is stopped; who only ran out of time may come back, and
    so does with the next round whoever has said so.
    """
    returning = Seat.objects.filter(match_id=row.match_id, ready=True).exclude(bot="")
    if row.rated:
        _commit(row, lambda state: decide.leave(rules_for(row.variant), state, seat, reason), now)
    elif reason == "left" and set(row.people) <= {seat} and not returning.exclude(index=seat).exists():
        _commit(row, lambda state: decide.stop(state, "stopped"), now)
    elif not row.holders[seat].bot:
        _hand_over(row, seat, BOT, now)
    elif returning.filter(index=seat).update(ready=False):
        announcements.touch(row.match_id)


def _seated(match_id: int, user_id: int) -> tuple[MatchRow, int]:
    row = _require_running(match_rows.lock([match_id]).get(match_id), user_id)
    seat = row.seat_of(user_id)
    if seat is None:
        raise Refused("not_seated")
    return row, seat


def _commit(row: MatchRow, judge: Callable[[State], Sequence[Event]], now: datetime) -> None:
    state = record.state_of(row.match_id, row.version)
    match_updates.commit([MatchUpdate.of(row, state, judge(state))], now)


def _hand_over(row: MatchRow, seat: int, bot: str, now: datetime) -> MatchRow:
    """Let a bot take a person's seat during a turn, or (``bot`` empty) the person come back between rounds."""
    Seat.objects.filter(match_id=row.match_id, index=seat).update(bot=bot, ready=False)
    holders = (*row.holders[:seat], SeatHolder(row.holders[seat].user_id, bot), *row.holders[seat + 1 :])
    row = replace(row, holders=holders)
    if row.to_move == seat:
        match_updates.commit([MatchUpdate(row, record.state_of(row.match_id, row.version))], now)
    else:
        announcements.touch(row.match_id)
    return row
