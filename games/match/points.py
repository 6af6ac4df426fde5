"""Whether a rated match counts for rating points, and for whom.

The record says what each seat gains by the rulebook, which knows neither guests nor second accounts. How much of it
the site adds to ratings is decided here, outside the record, so that the record replays by the rules alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from django.conf import settings

from games.engine.events import Drew, Event, Passed, Played, RoundDealt, RoundEnded
from games.enums import NoPointsReason
from games.models import Seat

MOVE_EVENTS = (Played, Drew, Passed)
ONE_DAY = timedelta(days=1)
SeatPair = tuple[Seat, Seat]


@dataclass(frozen=True, slots=True)
class GainDecision:
    """The seats that gain no rating points, whatever the rulebook says, and the reason to show."""

    seats_without_gain: frozenset[int]
    reason: NoPointsReason


def decide_gains_after_match(
    seats: Sequence[Seat], events: Iterable[Event], sides: Sequence[int], now: datetime
) -> GainDecision:
    """Decide who gains rating points in a finished rated match. ``sides`` has the side of each seat."""
    if not whole_round_played(events, sides):
        return GainDecision(frozenset(seat.index for seat in seats), NoPointsReason.NO_WHOLE_ROUND)
    return decide_gains(seats, now)


def decide_gains(seats: Sequence[Seat], now: datetime) -> GainDecision:
    """Decide who in these seats can gain rating points. This is also known before the match."""
    people = [seat for seat in seats if seat.user]
    accounts = [seat for seat in people if seat.user and not seat.user.is_guest]
    pairs = list(combinations(accounts, 2))
    pairs_apart = [pair for pair in pairs if not _share_an_address(*pair)]
    meetings = _meetings(accounts, now) if pairs_apart else Counter()
    gaining_pairs = [pair for pair in pairs_apart if not _met_too_often(pair, meetings)]
    gaining = {seat.index for pair in gaining_pairs for seat in pair}
    seats_without_gain = frozenset(seat.index for seat in seats) - gaining
    if len(accounts) < 2:
        has_room = any(not seat.user_id and not seat.bot for seat in seats)
        few = NoPointsReason.GUESTS if len(people) > len(accounts) else NoPointsReason.NONE
        return GainDecision(seats_without_gain, few if has_room else NoPointsReason.TOO_FEW_PEOPLE)
    if len(gaining) < len(accounts):
        return GainDecision(
            seats_without_gain,
            NoPointsReason.SAME_ADDRESS if len(pairs_apart) < len(pairs) else NoPointsReason.TOO_OFTEN,
        )
    return GainDecision(
        seats_without_gain, NoPointsReason.GUESTS if len(people) > len(accounts) else NoPointsReason.NONE
    )


def whole_round_played(events: Iterable[Event], sides: Sequence[int]) -> bool:
    """Return whether a round was finished in which each side had a turn."""
    moved: set[int] = set()
    for event in events:
        if isinstance(event, RoundDealt):
            moved = set()
        elif isinstance(event, MOVE_EVENTS):
            moved.add(sides[event.seat])
        elif isinstance(event, RoundEnded) and moved == set(sides):
            return True
    return False


def _share_an_address(one: Seat, other: Seat) -> bool:
    return bool(one.address) and one.address == other.address


def _met_too_often(pair: SeatPair, met: Counter[frozenset[int | None]]) -> bool:
    return met[frozenset(seat.user_id for seat in pair)] >= settings.RATED_MATCHES_OF_A_PAIR_A_DAY


def _meetings(accounts: Sequence[Seat], now: datetime) -> Counter[frozenset[int | None]]:
    """Count the matches of the last 24 hours in which two of these people gained points."""
    ids = [seat.user_id for seat in accounts if seat.user_id]
    rows = Seat.objects.filter(user_id__in=ids, points_gain__isnull=False, finished_at__gt=now - ONE_DAY)
    user_ids_by_match: dict[int, list[int]] = {}
    for match_id, user_id in rows.values_list("match_id", "user_id"):
        user_ids_by_match.setdefault(match_id, []).append(user_id)
    return Counter(frozenset(pair) for user_ids in user_ids_by_match.values() for pair in combinations(user_ids, 2))
