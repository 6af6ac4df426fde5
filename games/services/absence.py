"""Absent players: the clock moves for them, then a bot, and their opponents choose how to continue.

A seat goes from ``ACTIVE`` to ``LATE`` when its player misses a deadline, and the clock makes a careful move. After a
second one, or without any connection during a turn, it is ``HELD``: a bot plays until the player takes it back. It is
``FORFEITED`` when the player leaves, or instead of a third hold. A match with ``Absence.FORFEIT`` ends instead.
Functions with a ``row`` expect the caller to have locked it.
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
from games.enums import DAILY_CLOCKS, DEFAULT_BOT_LEVEL, AbsencePolicy, ConductKind, SeatState, Vote
from games.errors import Refused
from games.match import match_rows, record
from games.match.match_rows import MatchRow
from games.models import Absence as AbsenceEvidence
from games.models import Match, Seat
from games.services import downtime, match_updates, turns
from games.services.match_updates import MatchUpdate, commit_events
from games.services.moves import lock_seat
from games.services.seating import require_table_limit

MAX_HOLDS = 2  # a third absence forfeits the seat
VOTE_PERIOD = timedelta(seconds=15)  # opponents vote on how to continue; then the bot plays on
EXTRA_WAIT = timedelta(seconds=60)  # opponents may grant this once
DISCONNECT_GRACE = timedelta(seconds=30)  # without any connection during one's own turn
# The entry in the conduct ledger by the state that an absence led to; for other states it is ``FORFEITED``.
CONDUCT_KINDS: dict[str, str] = {SeatState.LATE: ConductKind.LATE, SeatState.HELD: ConductKind.HELD}


def handle_timeout(row: MatchRow, now: datetime) -> None:
    """Handle a missed deadline (``Due.TIMEOUT``)."""
    seat = row.to_move
    if seat is None:
        return
    if row.absence == AbsencePolicy.FORFEIT:
        _record_absence(row, "timeout", "", now)
        end_match_against(row, seat, "timeout", now)
    elif row.holders[seat].state == SeatState.LATE:
        hold_seat(row, seat, "timeout", now)
    else:
        _record_absence(row, "timeout", SeatState.LATE, now)
        row = _update_seat(row, seat, state=SeatState.LATE)
        commit_events(row, lambda state: stand_in.play_turn(rules_for(row.variant), state), now)


def hold_seat(row: MatchRow, seat: int, reason: str, now: datetime) -> None:
    """Let a bot play for the seat to move until its owner returns.

    After ``MAX_HOLDS`` holds the seat is forfeited instead. ``reason`` is one of ``SeatHeld``.
    """
    led_to = SeatState.FORFEITED if row.holders[seat].holds >= MAX_HOLDS else SeatState.HELD
    _record_absence(row, reason, led_to, now)
    if led_to == SeatState.FORFEITED:
        forfeit_seat(row, seat, "held", now)
        return
    Seat.objects.filter(match_id=row.match_id).exclude(vote="").update(vote="")
    row = _update_seat(row, seat, state=SeatState.HELD, bot=DEFAULT_BOT_LEVEL, holds=row.holders[seat].holds + 1)
    state = record.state_of(row.match_id, row.version)
    due = (now + VOTE_PERIOD, Match.Due.HOLD) if row.seats_of_people else None
    match_updates.commit_updates(
        [MatchUpdate.from_events(row, state, decide.hold_seat(state, seat, reason), due=due)], now
    )


def continue_with_bot(row: MatchRow, now: datetime) -> None:
    """Let the bot of a held seat move now (``Due.HOLD``)."""
    state = record.state_of(row.match_id, row.version)
    match_updates.commit_updates([MatchUpdate(row, state, due=turns.next_due(row, state, now))], now)


def take_back_seat(row: MatchRow, seat: int, now: datetime) -> MatchRow:
    """Return a held seat to its owner. Raises Refused ``forfeited``, ``suspended``, ``too_many_tables``."""
    user_id = row.holders[seat].user_id or 0
    require_not_suspended(user_id)
    if row.holders[seat].state == SeatState.FORFEITED:
        raise Refused("forfeited")
    row = _update_seat(row, seat, state=SeatState.ACTIVE, bot="")
    require_table_limit(user_id, row.clock)
    state = record.state_of(row.match_id, row.version)
    (row,) = match_updates.commit_updates(
        [MatchUpdate.from_events(row, state, decide.give_back_seat(state, seat))], now
    )
    return row


def leave_match(row: MatchRow, seat: int, now: datetime, *, charge: bool = True) -> None:
    """Take a person out of the match for good; with ``Absence.FORFEIT`` this ends it.

    ``charge`` is False for people who did not choose to leave.
    """
    if row.holders[seat].state == SeatState.FORFEITED:
        return
    if charge:
        charge_conduct_points(row, seat, ConductKind.LEFT, now)
    if row.absence == AbsencePolicy.FORFEIT:
        end_match_against(row, seat, "left", now)
    else:
        forfeit_seat(row, seat, "left", now)


def charge_conduct_points(row: MatchRow, seat: int, kind: str, now: datetime) -> None:
    """Charge conduct points for an absence, if another person plays or may come back."""
    opponents = [holder for index, holder in enumerate(row.holders) if index != seat]
    if any(holder.user_id and holder.state != SeatState.FORFEITED for holder in opponents):
        ledger.charge_points(row.holders[seat].user_id or 0, kind, now, match_id=row.match_id)


def forfeit_seat(row: MatchRow, seat: int, reason: str, now: datetime) -> None:
    """Give a seat to a bot for good. If no person is left who may come back, stop the match instead."""
    row = _update_seat(row, seat, state=SeatState.FORFEITED, bot=DEFAULT_BOT_LEVEL)
    if any(holder.user_id and holder.state != SeatState.FORFEITED for holder in row.holders):
        commit_events(row, lambda state: decide.forfeit_seat(state, seat, reason), now)
    else:
        stop_reason = "stopped" if reason == "left" else "deserted"
        commit_events(row, lambda state: decide.stop_match(state, stop_reason, seat), now)


def hold_disconnected_seats(*, now: datetime) -> int:
    """Hold the seats of people who lost their last connection during their turn. Return how many.

    Pages without scripts have no connection to lose: ``Seat.left_at`` is never written for them. Matches without a
    clock or without a second person are left alone, because nobody is kept waiting.
    """
    match_ids = Match.objects.filter(_disconnected_filter(now)).values_list("pk", flat=True)
    return sum(_hold_if_disconnected(match_id, now) for match_id in list(match_ids))


@transaction.atomic
def _hold_if_disconnected(match_id: int, now: datetime) -> bool:
    row = match_rows.lock_rows([match_id], skip_locked=True).get(match_id)
    if row is None or row.to_move is None or row.seats_of_people == (row.to_move,):
        return False
    if (
        row.absence == AbsencePolicy.FORFEIT
        or not Match.objects.filter(_disconnected_filter(now), pk=match_id).exists()
    ):
        return False
    hold_seat(row, row.to_move, "gone", now)
    return True


@transaction.atomic
def cast_vote(*, match_id: int, user_id: int, choice: str) -> None:
    """Vote on how to continue: ``BOT`` and ``STOP`` need all people who play, ``WAIT`` one. "" withdraws a vote.

    Raises Refused ``bad_request``, ``replaced``, ``not_seated``, ``not_running``, ``finished``.
    """
    row, seat = lock_seat(match_id, user_id)
    state, now = record.state_of(row.match_id, row.version), timezone.now()
    if row.holders[seat].bot:
        raise Refused("replaced")
    if choice not in ("", *Vote.values) or (choice == Vote.STOP and not may_vote_to_stop(state)):
        raise Refused("bad_request")
    if choice in (Vote.BOT, Vote.WAIT) and row.due_kind != Match.Due.HOLD:
        return
    Seat.objects.filter(match_id=match_id, index=seat).update(vote=choice)
    seats_with_other_vote = Seat.objects.filter(match_id=match_id, index__in=row.seats_of_people).exclude(vote=choice)
    if choice in (Vote.BOT, Vote.STOP) and not seats_with_other_vote.exists():
        (continue_with_bot if choice == Vote.BOT else _stop_by_vote)(row, now)
    else:
        has_extra_wait = choice == Vote.WAIT and row.turn_started_at
        due = (row.turn_started_at + EXTRA_WAIT, Match.Due.HOLD) if has_extra_wait and row.turn_started_at else None
        match_updates.commit_updates([MatchUpdate(row, state, due=due)], now)


def may_vote_to_stop(state: State) -> bool:
    """Return whether a vote to stop is open: in the first round, and while somebody is absent."""
    return not state.rounds or bool(state.absent)


def _stop_by_vote(row: MatchRow, now: datetime) -> None:
    """Stop a match by vote: without a result, unless it is rated and past its first round."""
    state = record.state_of(row.match_id, row.version)
    if row.rated and state.rounds:
        seat = next(iter((*state.forfeited, *state.absent)))
        end_match_against(row, seat, "left" if seat in state.forfeited else "timeout", now)
    else:
        commit_events(row, lambda state: decide.stop_match(state, "agreed"), now)


def end_match_against(row: MatchRow, seat: int, reason: str, now: datetime) -> None:
    """End the match because ``seat`` left (``left``) or ran out of time (``timeout``)."""
    commit_events(row, lambda state: decide.leave_match(rules_for(row.variant), state, seat, reason), now)


def _record_absence(row: MatchRow, reason: str, led_to: str, now: datetime) -> None:
    """Store why the player to move loses the turn. Charge conduct points unless it is the site's fault."""
    user_id = None if row.to_move is None else row.holders[row.to_move].user_id
    for seat in Seat.objects.filter(match_id=row.match_id, user_id=user_id or 0):
        if reason != "gone" or seat.left_at is None or not downtime.may_explain_lost_connection(seat.left_at):
            charge_conduct_points(row, seat.index, CONDUCT_KINDS.get(led_to, ConductKind.FORFEITED), now)
        AbsenceEvidence.objects.create(
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


def _update_seat(row: MatchRow, seat: int, **changes: Any) -> MatchRow:
    """Change a seat, clear its vote and ready mark, and return the row with it."""
    Seat.objects.filter(match_id=row.match_id, index=seat).update(vote="", ready=False, **changes)
    return row.with_seat(seat, ready=False, **changes)


def _disconnected_filter(now: datetime) -> Q:
    return ~Q(clock__in=DAILY_CLOCKS) & Q(
        due_at__isnull=False,
        due_kind=Match.Due.TIMEOUT,
        turn_started_at__lte=now - DISCONNECT_GRACE,
        seats__index=F("to_move"),
        seats__bot="",
        seats__left_at__lte=now - DISCONNECT_GRACE,
    )
