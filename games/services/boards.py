"""Boards: matches of one round with a deal that others play, too. They reveal nothing before they close.

Until then only its player sees a board (``access.can_see``), and it has no review, record or report.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.bots.boards import OPPONENT_LEVEL
from games.engine.events import Event
from games.engine.evolve import evolve
from games.engine.variants import rules_for
from games.errors import Refused
from games.fair_dealing import dealing
from games.match import match_rows, record
from games.models import Match, Seat
from games.services import match_updates, play, seating
from games.services.match_updates import MatchUpdate
from games.site_switches import require_new_matches
from games.terms.terms import Terms

CLOSED_PER_PASS = 20  # matches


class Board(NamedTuple):
    """A deal of a set. ``source`` is the name of the set, ``number`` that of the deal, from 1."""

    source: str
    number: int
    secret: str
    entropy: str

    @property
    def columns(self) -> dict[str, object]:
        """The fields of a match on this board."""
        return {
            "source": self.source,
            "board": self.number,
            "entropy": self.entropy,
            "secret": self.secret,
            "commitment": dealing.commitment(self.secret),
            "delay": Match.Delay.BOARD,
        }


def create_board_table(*, host: User | None, terms: Terms, board: Board) -> Match:
    """Create the empty table of a board. ``start_match`` deals once its seats are taken.

    Raises Refused ``matches_paused``.
    """
    require_new_matches()
    match = Match.objects.create(host=host, **terms.columns() | board.columns)
    Seat.objects.bulk_create(Seat(match=match, index=index) for index in range(terms.seats))
    return match


def board_terms(variant: str) -> Terms:
    """Return the terms of a board with the usual number of seats: one round, not listed, with phrases alone."""
    rules = rules_for(variant)
    return Terms(
        variant,
        max(rules.seat_counts),
        dict(rules.one_round),
        Match.Clock.NORMAL,
        Match.Visibility.LINK,
        absence=Match.Absence.HOLD,
        talk=Match.Talk.PRESET_PHRASES,
    )


@transaction.atomic
def play_board(*, user: User, terms: Terms, board: Board, seat: int) -> Match:
    """Seat a person among bots, and deal. The caller makes sure that they play each board once.

    Raises Refused ``suspended``, ``too_many_tables``, ``matches_paused``.
    """
    seating.lock_person(user)
    seating.require_table_limit(user.pk, terms.clock, new=1)
    match = create_board_table(host=user, terms=terms, board=board)
    seats = seating.seats_of(match)
    seating.take_seat(seats, user, index=seat, ready=True)
    seating.fill_with_bots(seats, OPPONENT_LEVEL)
    return play.start_match(match=match)


def close_boards(*, sources: Sequence[str], number: int | None = None, with_secret: bool, now: datetime) -> bool:
    """Reveal the keys of the boards of sets, and their secret. Return whether that is done; if not, call it again.

    Matches that are being played stop: everybody's time is over. Nothing is revealed before all have stopped. With
    the secret, all sets that have it must close together.
    """
    matches = Match.objects.filter(source__in=sources)
    if number is not None:
        matches = matches.filter(board=number)
    running = matches.filter(status=Match.Status.RUNNING).order_by("pk")
    for match_id in list(running.values_list("pk", flat=True)[:CLOSED_PER_PASS]):
        with suppress(Refused):  # it has ended meanwhile, or another process has stopped it
            play.stop_match(match_id=match_id)
    if running.exists():
        return False
    closed = record.matches_with_secret(matches) if with_secret else record.matches_with_key(matches)
    still_open = matches.exclude(pk__in=closed).order_by("pk")
    for match_id in list(still_open.values_list("pk", flat=True)[:CLOSED_PER_PASS]):
        _close_board(match_id, with_secret=with_secret, now=now)
    return not still_open.exists()


@transaction.atomic
def _close_board(match_id: int, *, with_secret: bool, now: datetime) -> None:
    row = match_rows.lock_rows([match_id])[match_id]
    state, events = record.state_of(match_id, row.version), list[Event]()
    if not state.round.key:
        events.append(dealing.board_key_event(row, state))
        state = evolve(state, events[-1])
    if with_secret and not state.secret:
        events.append(dealing.set_secret_event(row, state))
        state = evolve(state, events[-1])
    Match.objects.filter(pk=match_id).update(public_at=now)
    match_updates.commit_updates([MatchUpdate(row, state, tuple(events))], timezone.now())
