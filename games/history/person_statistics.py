"""A person's opponents, best rounds and costs of choices, from the matches that the viewer may find.

Only the latest matches count, so that the cost of a page does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Case, Count, F, FilteredRelation, Max, Q, QuerySet, Value, When

from accounts.blocks import ids_with_block_between
from games.engine.events import Event, RoundEnded, SeatForfeited, SeatHeld, SeatReturned
from games.engine.variants import rules_for
from games.history.queries import findable_seats_condition
from games.match import record
from games.match_reports import reports
from games.match_reports.luck import relative_to_average
from games.match_reports.report import PlayerReport
from games.models import Seat

if TYPE_CHECKING:
    from games.access import Viewer

MAX_OPPONENTS = 10
MATCHES_FOR_OPPONENTS = 500  # matches that are searched for opponents
MAX_BEST_ROUNDS = 2  # for each game
MATCHES_FOR_BEST_ROUNDS = 40  # matches whose records are read for the best rounds
MATCHES_FOR_CHOICES = 60  # matches whose reports are read for the choices
SEAT_COLUMNS = (
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


class BestRound(NamedTuple):
    """A round in which a person gained ``gain`` points more than the average of the table."""

    variant: str
    slug: str
    seat: int
    round: int
    gain: float
    at: datetime


class MatchChoices(NamedTuple):
    """The cost of a person's own choices in a match (``player_report``)."""

    variant: str
    slug: str
    seat: int
    player_report: PlayerReport
    at: datetime

    @property
    def chance_percent(self) -> int:
        """The lost part of the chance to win as a whole percentage."""
        return round(100 * self.player_report.chance_lost)


def frequent_opponents(person_id: int, viewer: Viewer) -> list[Opponent]:
    """Return a person's most frequent opponents, the viewer first.

    Deleted and closed accounts, and people blocked by the viewer or blocking the viewer, are left out.
    """
    own = FilteredRelation("match__seats", condition=Q(match__seats__user=person_id))
    hidden = ids_with_block_between(viewer.pk) if viewer.pk else ()
    opponent_seats = Seat.objects.annotate(own=own).filter(
        own__in=_latest_seats(person_id, viewer).filter(place__isnull=False)[:MATCHES_FOR_OPPONENTS].values("pk"),
        place__isnull=False,
        user__is_active=True,
        user__is_closed=False,
    )
    rows = (
        opponent_seats.exclude(user__in=(person_id, *hidden))
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


def best_rounds(person_id: int, viewer: Viewer) -> list[BestRound]:
    """Return the best rounds of a person in each game. A round in which a bot played for the person does not count."""
    seats = list(_latest_seats(person_id, viewer)[:MATCHES_FOR_BEST_ROUNDS].values_list(*SEAT_COLUMNS, named=True))
    lasting_events = record.lasting_events([seat.match_id for seat in seats])
    by_variant: dict[str, list[BestRound]] = {}
    for seat in seats:
        by_variant.setdefault(seat.variant, []).extend(
            _find_rounds_with_gain(seat, lasting_events.get(seat.match_id, ()))
        )
    return [
        best
        for rounds in by_variant.values()
        for best in sorted(rounds, key=attrgetter("gain"), reverse=True)[:MAX_BEST_ROUNDS]
    ]


def move_choices_of_latest_matches(person_id: int, viewer: Viewer) -> list[MatchChoices]:
    """Return the cost of the person's choices in the latest matches with a report, the newest first.

    Moves that a bot or the clock made for the person do not count.
    """
    seats = list(_latest_seats(person_id, viewer)[:MATCHES_FOR_CHOICES].values_list(*SEAT_COLUMNS, named=True))
    by_match = reports.reports_of([seat.match_id for seat in seats])
    rows = []
    for seat in seats:
        report = by_match.get(seat.match_id)
        player_report = report and report.player_report(seat.index)
        if player_report and player_report.choices:
            rows.append(MatchChoices(seat.variant, seat.match__slug, seat.index, player_report, seat.finished_at))
    return rows


def _latest_seats(person_id: int, viewer: Viewer) -> QuerySet[Seat]:
    """Return the person's seats in matches that count, the newest first."""
    seats = Seat.objects.filter(findable_seats_condition(person_id, viewer), user=person_id).exclude(outcome="")
    return seats.order_by("-finished_at", "-match_id")


def _find_rounds_with_gain(seat: Any, events: Iterable[Event]) -> Iterator[BestRound]:
    """Yield the rounds in which the seat gained more than the average. ``seat`` is a row of ``SEAT_COLUMNS``."""
    sides = rules_for(seat.variant).sides(seat.match__seat_count, seat.match__options)
    for round_end in _completed_rounds(seat.index, events):
        gain = round_gains(seat.variant, sides, round_end)[seat.index]
        if gain > 0:
            yield BestRound(seat.variant, seat.match__slug, seat.index, round_end.round, gain, seat.finished_at)


def _completed_rounds(seat: int, events: Iterable[Event]) -> Iterator[RoundEnded]:
    """Yield the rounds that the person in a seat played from beginning to end."""
    is_absent = has_missed_moves = False
    for event in events:
        if isinstance(event, RoundEnded):
            if not has_missed_moves:
                yield event
            has_missed_moves = is_absent
        elif isinstance(event, SeatHeld | SeatForfeited | SeatReturned) and event.seat == seat:
            is_absent = not isinstance(event, SeatReturned)
            has_missed_moves = True


def round_gains(variant: str, sides: Sequence[int], round_end: RoundEnded) -> list[float]:
    """Return the points of each seat in a round, by moves and at its end, minus the average of all seats.

    In games where points are bad, fewer points than the average are a gain.
    """
    moves = [points.total for points in round_end.made] or [0] * len(round_end.points)
    totals = [number + points.total for number, points in zip(moves, round_end.points, strict=True)]
    return relative_to_average(variant, sides, totals)
