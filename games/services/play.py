"""Starting a match, being ready for its rounds and leaving it; also stopping it from outside. Moves: ``moves``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
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
from games.engine.state import State
from games.engine.variants import rules_for
from games.errors import Refused
from games.match import match_rows, record
from games.match.match_rows import MatchRow, SeatHolder
from games.match.time_control import CONTROLS
from games.models import Match, Seat
from games.services import dealing, match_updates
from games.services.match_updates import MatchUpdate
from games.services.moves import require_running
from games.services.seating import BOT, require_few_tables

PEOPLE_OF_A_RATED_MATCH = 2


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
    if pause and not Seat.objects.filter(match_id=match_id, index__in=row.people, ready=False).exists():
        next_round(row, now)
    elif kept:
        announcements.touch(match_id)
    else:
        match_updates.commit_ready(row, seat)


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
    row = require_running(match_rows.lock([match_id]).get(match_id))
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
    row = require_running(match_rows.lock([match_id]).get(match_id), user_id)
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
