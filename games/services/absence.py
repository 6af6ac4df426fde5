"""People who are not there: the clock moves for them, then a bot, and the others choose how to go on.

``ACTIVE`` -> a deadline is missed: ``LATE``, the clock makes a careful move -> the next one is missed too, or every
connection is gone during a turn: ``HELD``, a bot plays on, and one press takes the seat back -> ``FORFEITED`` by
leaving, or when it would be held for the third time. Where ``Absence.FORFEIT`` is agreed the match ends instead.
Functions of a row work on one that the caller has locked.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from games.access import require_not_suspended
from games.conduct import ledger
from games.engine import decide, stand_in
from games.engine.state import State
from games.engine.variants import rules_for
from games.enums import DAILY, USUAL_LEVEL, Absence, ConductKind, SeatState, Vote
from games.errors import Refused
from games.match import match_rows, record
from games.match.match_rows import MatchRow
from games.models import Absence as Evidence
from games.models import Match, Seat
from games.services import downtime, match_updates, turns
from games.services.match_updates import MatchUpdate, commit_events
from games.services.moves import seated
from games.services.seating import require_few_tables

HOLDS = 2
"""So often a seat is held; instead of once more it is forfeited."""
WAIT = timedelta(seconds=60)
"""So long they wait for the person instead, once."""
GONE = timedelta(seconds=30)
"""Whoever has no connection for so long during a turn is absent, unless there are days for it."""
CHOICE = timedelta(seconds=15)
"""So long the others choose, before the bot goes on by itself."""
CHARGED: dict[str, str] = {SeatState.LATE: ConductKind.LATE, SeatState.HELD: ConductKind.HELD}
"""What an absence is in the ledger of conduct, by what it led to; any other is out for good."""


def out_of_time(row: MatchRow, now: datetime) -> None:
    """Do what follows from a missed deadline (``Due.TIMEOUT``)."""
    seat = row.to_move
    if seat is None:
        return
    if row.absence == Absence.FORFEIT:
        _note(row, "timeout", "", now)
        end(row, seat, "timeout", now)
    elif row.holders[seat].state == SeatState.LATE:
        hold(row, seat, "timeout", now)
    else:
        _note(row, "timeout", SeatState.LATE, now)
        row = _changed(row, seat, state=SeatState.LATE)
        commit_events(row, lambda state: stand_in.turn(rules_for(row.variant), state), now)


def hold(row: MatchRow, seat: int, reason: str, now: datetime) -> None:
    """Let a bot play for the person in the seat to move, as soon as the others agree.

    ``reason`` as in ``SeatHeld``.
    """
    led_to = SeatState.FORFEITED if row.holders[seat].holds >= HOLDS else SeatState.HELD
    _note(row, reason, led_to, now)
    if led_to == SeatState.FORFEITED:
        forfeit(row, seat, "held", now)
        return
    Seat.objects.filter(match_id=row.match_id).exclude(vote="").update(vote="")
    row = _changed(row, seat, state=SeatState.HELD, bot=USUAL_LEVEL, holds=row.holders[seat].holds + 1)
    state = record.state_of(row.match_id, row.version)
    due = (now + CHOICE, Match.Due.HOLD) if row.people else None
    match_updates.commit([MatchUpdate.of(row, state, decide.hold(state, seat, reason), due=due)], now)


def go_on(row: MatchRow, now: datetime) -> None:
    """Let the bot move now (``Due.HOLD``)."""
    state = record.state_of(row.match_id, row.version)
    due = turns.next_due(row, state, now)
    match_updates.commit([MatchUpdate(row, state, due=due)], now)


def take_back(row: MatchRow, seat: int, now: datetime) -> MatchRow:
    """Let the person play on. Raises Refused ``forfeited``, ``suspended``, ``too_many_tables``."""
    user_id = row.holders[seat].user_id or 0
    require_not_suspended(user_id)
    if row.holders[seat].state == SeatState.FORFEITED:
        raise Refused("forfeited")
    row = _changed(row, seat, state=SeatState.ACTIVE, bot="")
    require_few_tables(user_id, row.clock)
    state = record.state_of(row.match_id, row.version)
    (row,) = match_updates.commit([MatchUpdate.of(row, state, decide.return_seat(state, seat))], now)
    return row


def leave(row: MatchRow, seat: int, now: datetime, *, charged: bool = True) -> None:
    """Take a person out of the match for good, which ends it where that is agreed.

    It is not ``charged`` to those who do not leave by themselves.
    """
    if row.holders[seat].state == SeatState.FORFEITED:
        return
    if charged:
        charge(row, seat, ConductKind.LEFT, now)
    if row.absence == Absence.FORFEIT:
        end(row, seat, "left", now)
    else:
        forfeit(row, seat, "left", now)


def charge(row: MatchRow, seat: int, kind: str, now: datetime) -> None:
    """Write into the person's ledger of conduct what others had to bear, if somebody else plays or may come back."""
    others = [other for index, other in enumerate(row.holders) if index != seat]
    if any(other.user_id and other.state != SeatState.FORFEITED for other in others):
        ledger.charge(row.holders[seat].user_id or 0, kind, now, match_id=row.match_id)


def forfeit(row: MatchRow, seat: int, reason: str, now: datetime) -> None:
    """Give a seat to a bot for good. A match to which nobody can come back is stopped instead."""
    row = _changed(row, seat, state=SeatState.FORFEITED, bot=USUAL_LEVEL)
    if any(holder.user_id and holder.state != SeatState.FORFEITED for holder in row.holders):
        commit_events(row, lambda state: decide.forfeit(state, seat, reason), now)
    else:
        why = "stopped" if reason == "left" else "deserted"
        commit_events(row, lambda state: decide.stop(state, why, seat), now)


def hold_gone(*, now: datetime) -> int:
    """Hold the seats of people who had a connection and lost every one during their turn. Return how many.

    A page without scripts has no connection to lose (``Seat.left_at`` is never written for it). Where there is no
    clock, or nobody else plays, nobody is kept waiting.
    """
    match_ids = Match.objects.filter(_gone(now)).values_list("pk", flat=True)
    return sum(_hold_if_gone(match_id, now) for match_id in list(match_ids))


@transaction.atomic
def _hold_if_gone(match_id: int, now: datetime) -> bool:
    row = match_rows.lock([match_id], skip_locked=True).get(match_id)
    if row is None or row.to_move is None or row.people == (row.to_move,):
        return False
    if row.absence == Absence.FORFEIT or not Match.objects.filter(_gone(now), pk=match_id).exists():
        return False
    hold(row, row.to_move, "gone", now)
    return True


@transaction.atomic
def vote(*, match_id: int, user_id: int, choice: str) -> None:
    """Say how to go on: ``BOT`` and ``STOP`` need everybody who plays, ``WAIT`` one; "" takes it back.

    Raises Refused ``bad_request``, ``replaced``, ``not_seated``, ``not_running``, ``finished``.
    """
    row, seat = seated(match_id, user_id)
    state, now = record.state_of(row.match_id, row.version), timezone.now()
    if row.holders[seat].bot:
        raise Refused("replaced")
    if choice not in ("", *Vote.values) or (choice == Vote.STOP and not may_stop(state)):
        raise Refused("bad_request")
    if choice in (Vote.BOT, Vote.WAIT) and row.due_kind != Match.Due.HOLD:
        return
    Seat.objects.filter(match_id=match_id, index=seat).update(vote=choice)
    others = Seat.objects.filter(match_id=match_id, index__in=row.people).exclude(vote=choice)
    if choice in (Vote.BOT, Vote.STOP) and not others.exists():
        (go_on if choice == Vote.BOT else _stop)(row, now)
    else:
        waits = choice == Vote.WAIT and row.turn_started_at is not None
        due = (row.turn_started_at + WAIT, Match.Due.HOLD) if waits and row.turn_started_at else None
        match_updates.commit([MatchUpdate(row, state, due=due)], now)


def may_stop(state: State) -> bool:
    """Return whether all may agree to stop: in the first round, and while somebody is absent."""
    return not state.rounds or bool(state.absent)


def _stop(row: MatchRow, now: datetime) -> None:
    """Stop a match as all wanted: without a result, but a rated one after its first round by the rules."""
    state = record.state_of(row.match_id, row.version)
    if row.rated and state.rounds:
        seat = next(iter((*state.forfeited, *state.absent)))
        end(row, seat, "left" if seat in state.forfeited else "timeout", now)
    else:
        commit_events(row, lambda state: decide.stop(state, "agreed"), now)


def end(row: MatchRow, seat: int, reason: str, now: datetime) -> None:
    """End the match because ``seat`` left (``left``) or ran out of time (``timeout``)."""
    commit_events(row, lambda state: decide.leave(rules_for(row.variant), state, seat, reason), now)


def _note(row: MatchRow, reason: str, led_to: str, now: datetime) -> None:
    """Keep for the person to move what the site knows as it takes the turn away, and charge what is their fault."""
    user_id = None if row.to_move is None else row.holders[row.to_move].user_id
    for seat in Seat.objects.filter(match_id=row.match_id, user_id=user_id or 0):
        if reason != "gone" or seat.left_at is None or not downtime.may_explain(seat.left_at):
            charge(row, seat.index, CHARGED.get(led_to, ConductKind.FORFEITED), now)
        Evidence.objects.create(
            match_id=row.match_id,
            user_id=user_id or 0,
            at=now,
            reason=reason,
            led_to=led_to,
            turn_started_at=row.turn_started_at,
            deadline=row.due_at,
            last_seen=seat.last_seen,
            left_at=seat.left_at,
        )


def _changed(row: MatchRow, seat: int, **changes: Any) -> MatchRow:
    """Write what changes at a seat."""
    Seat.objects.filter(match_id=row.match_id, index=seat).update(vote="", ready=False, **changes)
    return row.with_seat(seat, ready=False, **changes)


def _gone(now: datetime) -> Q:
    return ~Q(clock__in=DAILY) & Q(
        due_at__isnull=False,
        due_kind=Match.Due.TIMEOUT,
        turn_started_at__lte=now - GONE,
        seats__index=F("to_move"),
        seats__bot="",
        seats__left_at__lte=now - GONE,
    )
