"""Starts matches, deals rounds when all are ready, and stops matches. See also ``moves`` and ``absence``."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import reduce

from django.db import transaction
from django.utils import timezone

from games.engine import decide
from games.engine.events import MatchStarted
from games.engine.evolve import evolve, start_state
from games.engine.moves import Pass
from games.engine.variants import rules_for
from games.errors import Refused
from games.fair_dealing import dealing
from games.match import match_rows
from games.match.match_rows import MatchRow
from games.match.time_control import TIME_CONTROLS
from games.models import Match
from games.services import absence, match_updates
from games.services.match_updates import MatchUpdate, commit_events
from games.services.moves import lock_seat, require_running

MIN_PEOPLE_FOR_RATED = 2


@transaction.atomic
def start_match(*, match: Match) -> Match:
    """Start an open table whose seats are all taken, and deal. Raises Refused ``not_open``, ``empty_seats``.

    A match is rated only with at least two people.
    """
    row = match_rows.lock_rows([match.pk])[match.pk]
    if row.status != Match.Status.OPEN:
        raise Refused("not_open")
    if any(not holder.user_id and not holder.bot for holder in row.holders):
        raise Refused("empty_seats")
    now = timezone.now()
    rated = row.rated and len(row.seats_of_people) >= MIN_PEOPLE_FOR_RATED
    Match.objects.filter(pk=match.pk).update(status=Match.Status.RUNNING, rated=rated, started_at=now)
    match.seats.update(ready=False)
    row = replace(row, rated=rated, banks=(TIME_CONTROLS[row.clock].bank_ms,) * len(row.holders))
    start_event = _match_started_event(row, match)
    state = start_state(start_event)
    deal = dealing.deal_round(row, state, start_event)
    match_updates.commit_updates([MatchUpdate(row, reduce(evolve, deal, state), (start_event, *deal))], now)
    match.refresh_from_db()
    return match


def _match_started_event(row: MatchRow, match: Match) -> MatchStarted:
    # A board has no nonces of its own, which would give its players another deal.
    seats = () if match.source else match.seats.order_by("index")
    return decide.new_match(
        rules_for(row.variant),
        len(row.holders),
        match.options,
        match=match.slug,
        commitment=match.commitment,
        nonces=[seat.nonce for seat in seats],
        nonce_commitments=[seat.nonce_commitment for seat in seats],
        bots=[seat for seat, holder in enumerate(row.holders) if holder.bot],
        source=match.source,
        first=match.board or 1,
        entropy=match.entropy,
    )


@transaction.atomic
def mark_ready(*, match_id: int, user_id: int) -> None:
    """Mark a player as ready for the next round, and return a held seat to its owner.

    Raises Refused ``not_seated``, ``not_running``, ``finished``, ``suspended``, ``too_many_tables``, ``forfeited``.
    """
    row, seat = lock_seat(match_id, user_id)
    now = timezone.now()
    if row.holders[seat].bot:
        row = absence.take_back_seat(row, seat, now)
    if row.due_kind != Match.Due.ROUND:
        return
    row = match_rows.save_ready(row, seat)
    if all(row.holders[person].ready for person in row.seats_of_people):
        start_next_round(row, now)
    else:
        match_updates.commit_readiness(row, seat)


@transaction.atomic
def leave_match(*, match_id: int, user_id: int, charge: bool = True) -> None:
    """Leave a running match for good. ``charge`` is False for people who did not choose to leave.

    Raises Refused ``not_seated``, ``not_running``, ``finished``.
    """
    row, seat = lock_seat(match_id, user_id)
    absence.leave_match(row, seat, timezone.now(), charge=charge)


@transaction.atomic
def stop_match(*, match_id: int, reason: str = "stopped", seat: int | None = None) -> None:
    """End a running match without a winner, for a reason of ``STOP_REASONS``. ``seat`` as in ``decide.stop_match``.

    Raises Refused ``not_running``, ``finished``.
    """
    row = require_running(match_rows.lock_rows([match_id]).get(match_id))
    commit_events(row, lambda state: decide.stop_match(state, reason, seat), timezone.now())


@transaction.atomic
def end_match_against(*, match_id: int, seat: int) -> None:
    """End a running match as if the player in a seat had left it.

    Raises Refused ``not_running``, ``finished``.
    """
    row = require_running(match_rows.lock_rows([match_id]).get(match_id))
    absence.end_match_against(row, seat, "left", timezone.now())


# Callers of the following functions have locked the row.


def start_next_round(row: MatchRow, now: datetime) -> None:
    match_rows.reset_readiness(row)
    commit_events(row, lambda state: dealing.deal_next_round(row, state), now)


def play_forced_pass(row: MatchRow, now: datetime) -> None:
    """Pass for the seat to move, which can do nothing else. Raises Refused ``not_running`` if there is none."""
    rules, seat = rules_for(row.variant), row.to_move
    if seat is None:
        raise Refused("not_running")
    commit_events(row, lambda state: decide.decide(rules, state, seat, Pass()), now)
