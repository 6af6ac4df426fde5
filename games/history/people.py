"""A person's opponents, best rounds and costs of choices, from the matches that the viewer may find.

Only the latest matches count, so that the cost of a page does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Case, Count, F, FilteredRelation, Max, Q, QuerySet, Value, When

from accounts.blocks import apart_from
from games.engine.events import Event, RoundEnded, SeatForfeited, SeatHeld, SeatReturned
from games.engine.variants import rules_for
from games.history.queries import findable
from games.match import record
from games.match_reports import reports
from games.match_reports.luck import against_average
from games.match_reports.report import Player
from games.models import Seat

if TYPE_CHECKING:
    from games.access import Viewer

MAX_OPPONENTS = 10
OPPONENTS_MATCHES = 500  # matches in which opponents are looked for
MAX_BEST_ROUNDS = 2  # for each game
BEST_ROUNDS_MATCHES = 40  # matches whose records are read for the best rounds
CHOICES_MATCHES = 60  # matches whose reports are read for the choices
OF_SEATS = (
    *("match_id", "match__slug", "match__options", "match__seat_count"),
    *("index", "variant", "finished_at"),
)


class Opponent(NamedTuple):
    """An opponent of a person, with the number of common matches with a result.

    ``ahead`` counts the matches in which the person had the better place, ``behind`` those of the opponent. Partners
    and people with equal places count for neither.
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
    """A round in which a person gained ``gain`` points more than the average of the table."""

    variant: str
    slug: str
    seat: int
    round: int
    gain: float
    at: datetime


class MatchChoices(NamedTuple):
    """The cost of a person's own choices in a match (``player``)."""

    variant: str
    slug: str
    seat: int
    player: Player
    at: datetime


def opponents(person_id: int, viewer: Viewer) -> list[Opponent]:
    """Return a person's most frequent opponents, the viewer first.

    Deleted and closed accounts, and people blocked by the viewer or blocking the viewer, are left out.
    """
    own = FilteredRelation("match__seats", condition=Q(match__seats__user=person_id))
    hidden = apart_from(viewer.pk) if viewer.pk else ()
    met = Seat.objects.annotate(own=own).filter(
        own__in=_latest(person_id, viewer).filter(place__isnull=False)[:OPPONENTS_MATCHES].values("pk"),
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
    return [Opponent(user_id, name or username, *rest) for user_id, name, username, *rest in rows[:MAX_OPPONENTS]]


def best_rounds(person_id: int, viewer: Viewer) -> list[Best]:
    """Return the best rounds of a person in each game. A round in which a bot played for the person does not count."""
    seats = list(_latest(person_id, viewer)[:BEST_ROUNDS_MATCHES].values_list(*OF_SEATS, named=True))
    lasting = record.lasting_events([seat.match_id for seat in seats])
    by_variant: dict[str, list[Best]] = {}
    for seat in seats:
        by_variant.setdefault(seat.variant, []).extend(_rounds(seat, lasting.get(seat.match_id, ())))
    return [
        best
        for rounds in by_variant.values()
        for best in sorted(rounds, key=attrgetter("gain"), reverse=True)[:MAX_BEST_ROUNDS]
    ]


def choices(person_id: int, viewer: Viewer) -> list[MatchChoices]:
    """Return the cost of the person's choices in the latest matches with a report, the newest first.

    Moves that a bot or the clock made for the person do not count.
    """
    seats = list(_latest(person_id, viewer)[:CHOICES_MATCHES].values_list(*OF_SEATS, named=True))
    by_match = reports.of_matches([seat.match_id for seat in seats])
    played = [(seat, by_match[seat.match_id].player(seat.index)) for seat in seats if seat.match_id in by_match]
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
    """Yield the rounds of a match that gained the seat more than the average. ``seat`` is a row of ``OF_SEATS``."""
    sides = rules_for(seat.variant).sides(seat.match__seat_count, seat.match__options)
    for ended in _played(seat.index, events):
        gain = gains(seat.variant, sides, ended)[seat.index]
        if gain > 0:
            yield Best(seat.variant, seat.match__slug, seat.index, ended.round, gain, seat.finished_at)


def _played(seat: int, events: Iterable[Event]) -> Iterator[RoundEnded]:
    """Yield the rounds that the person in a seat played from beginning to end."""
    is_absent = missed = False
    for event in events:
        if isinstance(event, RoundEnded):
            if not missed:
                yield event
            missed = is_absent
        elif isinstance(event, SeatHeld | SeatForfeited | SeatReturned) and event.seat == seat:
            is_absent = not isinstance(event, SeatReturned)
            missed = True


def gains(variant: str, sides: Sequence[int], ended: RoundEnded) -> list[float]:
    """Return the points of each seat in a round, by moves and at its end, minus the average of all seats.

    In games where points are bad, fewer points than the average are a gain.
    """
    moves = [points.total for points in ended.made] or [0] * len(ended.points)
    totals = [number + points.total for number, points in zip(moves, ended.points, strict=True)]
    return against_average(variant, sides, totals)
