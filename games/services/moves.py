"""Makes moves: one, or moves of several matches in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from django.db import transaction
from django.utils import timezone

from games.engine import decide
from games.engine.refusal import Refusal
from games.engine.variants import rules_for
from games.enums import SeatState
from games.errors import Refused
from games.match import match_rows, record
from games.match.match_rows import MatchRow
from games.models import Match, Seat
from games.services import match_updates
from games.services.match_updates import MatchUpdate


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move by a user, or (``user_id`` None) by the bot in ``seat``. ``version`` is the one that the player saw."""

    match_id: int
    version: int
    move: str
    user_id: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The version and the revision of the table after a move."""

    version: int
    revision: int

    @classmethod
    def from_row(cls, row: MatchRow) -> Self:
        return cls(row.version, row.revision)


MoveAnswer = MoveResult | Refusal | Refused
MATCH_LOCKED = Refused("unavailable")  # one of several moves, while another transaction holds its match


def make_move(*, match_id: int, user_id: int, move: str, version: int) -> MoveResult:
    """Make one move. Raises ``Refusal`` (the rules) or ``Refused`` (``stale``, ``not_seated``, ``finished``, ...)."""
    (answer,) = make_moves([MoveRequest(match_id, version, move, user_id)])
    if isinstance(answer, MoveResult):
        return answer
    raise answer


@transaction.atomic
def make_moves(requests: Sequence[MoveRequest]) -> list[MoveAnswer]:
    """Make moves in one transaction and return their answers in order. A refused move changes nothing.

    Moves of several matches do not wait for a match that another transaction holds: its answer is ``MATCH_LOCKED``.
    """
    now = timezone.now()
    match_ids = {request.match_id for request in requests}
    rows = match_rows.lock_rows(match_ids, skip_locked=len(match_ids) > 1)
    outcomes: list[MatchUpdate | Refusal | Refused] = []
    moved_ids: set[int] = set()
    for request in requests:
        is_locked = len(match_ids) > 1 and request.match_id not in rows
        outcome = MATCH_LOCKED if is_locked else _update_for_move(request, rows.get(request.match_id), moved_ids)
        if isinstance(outcome, MatchUpdate):
            moved_ids.add(request.match_id)
        outcomes.append(outcome)
    new_rows = iter(
        match_updates.commit_updates([outcome for outcome in outcomes if isinstance(outcome, MatchUpdate)], now)
    )
    return [
        MoveResult.from_row(next(new_rows)) if isinstance(outcome, MatchUpdate) else outcome for outcome in outcomes
    ]


def _update_for_move(
    request: MoveRequest, row: MatchRow | None, moved_ids: Collection[int]
) -> MatchUpdate | Refusal | Refused:
    """Return the update for a move, or its refusal. ``moved_ids`` are the matches with a move in this transaction."""
    try:
        row = require_running(row, request.user_id)
        seat = _seat_of_request(request, row)
        if request.version != row.version or row.match_id in moved_ids:
            raise Refused("stale")
        rules, state = rules_for(row.variant), record.state_of(row.match_id, row.version)
        events, after = decide.apply_move(rules, state, seat, rules.parse_move(state, request.move))
        return MatchUpdate.from_state_after(_activate_late_seat(row, seat), after, events)
    except (Refusal, Refused) as refusal:
        return refusal


def _activate_late_seat(row: MatchRow, seat: int) -> MatchRow:
    """Return the row with a late seat active again: its player has moved."""
    if row.holders[seat].state != SeatState.LATE:
        return row
    Seat.objects.filter(match_id=row.match_id, index=seat).update(state=SeatState.ACTIVE)
    return row.with_seat(seat, state=SeatState.ACTIVE)


def _seat_of_request(request: MoveRequest, row: MatchRow) -> int:
    seat = request.seat if request.user_id is None else row.seat_of(request.user_id)
    if seat is None:
        raise Refused("not_seated")
    if bool(row.holders[seat].bot) != (request.user_id is None):
        raise Refused("replaced")
    return seat


def lock_seat(match_id: int, user_id: int) -> tuple[MatchRow, int]:
    """Lock a running match and return its row and the user's seat. Raises Refused as ``require_running``."""
    row = require_running(match_rows.lock_rows([match_id]).get(match_id), user_id)
    seat = row.seat_of(user_id)
    if seat is None:
        raise Refused("not_seated")
    return row, seat


def require_running(row: MatchRow | None, user_id: int | None = None) -> MatchRow:
    """Return the row of a running match. Raises Refused ``not_seated``, ``not_running``, ``finished``.

    The seat is checked first: spectators of a match with a delay must not learn from the refusal how far it is.
    """
    if row is not None and user_id is not None and row.seat_of(user_id) is None:
        raise Refused("not_seated")
    if row is None or row.status == Match.Status.OPEN:
        raise Refused("not_running")
    if row.status != Match.Status.RUNNING:
        raise Refused("finished")
    return row
