"""Whom a person has met, the rounds that brought most, and what the choices cost, as far as the viewer may find them.

All look at a person's latest matches only, so that a page costs the same however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Case, Count, F, FilteredRelation, Max, Q, QuerySet, Value, When

from accounts.blocks import apart_from
from games.engine.events import Event, RoundEnded, SeatForfeited, SeatHeld, SeatReturned
from games.engine.variants import rules_for
from games.history.queries import findable
from games.match import record
from games.match_reports import kept
from games.match_reports.luck import against_average
from games.match_reports.report import Player
from games.models import Seat

if TYPE_CHECKING:
    from games.access import Viewer

OPPONENTS, OPPONENTS_OF = 10, 500
"""So many people are listed, met in so many of the latest matches."""
BEST, BEST_OF = 2, 40
"""So many rounds of a game are listed, from so many of the latest matches; their records are read."""
REPORTED = 60
"""The choices of so many of the latest matches are told; their reports are read."""
OF_SEATS = (
    *("match_id", "match__slug", "match__options", "match__seat_count"),
    *("index", "variant", "finished_at"),
)


class Opponent(NamedTuple):
    """Somebody whom a person has met: in how many matches with a result, and who was ahead in how many of them.

    Partners, and people with equal places, are ahead of nobody.
    """

    user_id: int
    name: str
    is_guest: bool
    colour: str
    matches: int
    ahead: int
    behind: int
    last: datetime


class Best(NamedTuple):
    """A round that brought a person ``gain`` points more than the average of the table, and the seat in its match."""

    variant: str
    slug: str
    seat: int
    round: int
    gain: float
    at: datetime


class MatchChoices(NamedTuple):
    """What a person's own choices in a match cost (``player``), and the seat."""

    variant: str
    slug: str
    seat: int
    player: Player
    at: datetime


def opponents(person_id: int, viewer: Viewer) -> list[Opponent]:
    """Return the people whom a person has met most often, the viewer first.

    Nobody is among them who is gone, or whom the viewer has blocked or is blocked by.
    """
    own = FilteredRelation("match__seats", condition=Q(match__seats__user=person_id))
    hidden = apart_from(viewer.pk) if viewer.pk else ()
    met = Seat.objects.annotate(own=own).filter(
        own__in=_latest(person_id, viewer).filter(place__isnull=False)[:OPPONENTS_OF].values("pk"),
        place__isnull=False,
        user__is_active=True,
        user__is_closed=False,
    )
    rows = (
        met.exclude(user__in=(person_id, *hidden))
        .values_list("user", "user__name", "user__username", "user__is_guest", "user__colour")
        .annotate(
            matches=Count("pk"),
            ahead=Count("pk", filter=Q(own__place__lt=F("place"))),
            behind=Count("pk", filter=Q(own__place__gt=F("place"))),
            last=Max("finished_at"),
        )
        .order_by(Case(When(user=viewer.pk, then=Value(0)), default=Value(1)), "-matches", "-last", "user")
    )
    return [Opponent(user_id, name or username, *rest) for user_id, name, username, *rest in rows[:OPPONENTS]]


def best_rounds(person_id: int, viewer: Viewer) -> list[Best]:
    """Return the rounds that brought a person most, a few of each game; where points are bad, the fewest bring most.

    A round in which a bot played for the person is not among them.
    """
    seats = list(_latest(person_id, viewer)[:BEST_OF].values_list(*OF_SEATS, named=True))
    lasting = record.lasting([seat.match_id for seat in seats])
    found: dict[str, list[Best]] = {}
    for seat in seats:
        found.setdefault(seat.variant, []).extend(_rounds(seat, lasting.get(seat.match_id, ())))
    return [best for rounds in found.values() for best in sorted(rounds, key=lambda each: -each.gain)[:BEST]]


def choices(person_id: int, viewer: Viewer) -> list[MatchChoices]:
    """Return what the person's choices cost in the latest matches that have a report, the newest first.

    Moves that a bot or the clock made for the person are not among them.
    """
    seats = list(_latest(person_id, viewer)[:REPORTED].values_list(*OF_SEATS, named=True))
    reports = kept.of_matches([seat.match_id for seat in seats])
    played = [(seat, reports[seat.match_id].player(seat.index)) for seat in seats if seat.match_id in reports]
    return [
        MatchChoices(seat.variant, seat.match__slug, seat.index, player, seat.finished_at)
        for seat, player in played
        if player.choices
    ]


def _latest(person_id: int, viewer: Viewer) -> QuerySet[Seat]:
    """Return the person's seats in matches that count, the newest first."""
    seats = Seat.objects.filter(findable(person_id, viewer), user=person_id).exclude(outcome="")
    return seats.order_by("-finished_at", "-match_id")


def _rounds(seat: Any, events: Iterable[Event]) -> Iterator[Best]:
    """Yield the rounds of a match that brought the seat more than the average; ``seat`` is a row of ``OF_SEATS``."""
    sides = rules_for(seat.variant).sides(seat.match__seat_count, seat.match__options)
    for ended in _played(seat.index, events):
        gain = gains(seat.variant, sides, ended)[seat.index]
        if gain > 0:
            yield Best(seat.variant, seat.match__slug, seat.index, ended.round, gain, seat.finished_at)


def _played(seat: int, events: Iterable[Event]) -> Iterator[RoundEnded]:
    """Yield the rounds that the person in a seat has played from beginning to end."""
    held = missed = False
    for event in events:
        if isinstance(event, RoundEnded):
            if not missed:
                yield event
            missed = held
        elif isinstance(event, SeatHeld | SeatForfeited | SeatReturned) and event.seat == seat:
            held = not isinstance(event, SeatReturned)
            missed = True


def gains(variant: str, sides: Sequence[int], ended: RoundEnded) -> list[float]:
    """Return what a round brought each seat in points, by moves and at its end, less the average of all seats.

    Where points are bad, fewer than others are a gain.
    """
    made = [points.total for points in ended.made] or [0] * len(ended.points)
    return against_average(
        variant, sides, [one + points.total for one, points in zip(made, ended.points, strict=True)]
    )
