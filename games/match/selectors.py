"""Plain reads of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.enums import Clock, Occupant
from games.match import points, series
from games.match.disclosure import disclosed_rating_changes
from games.match.match_rows import MatchRow
from games.match.table import (
    AgreedTerms,
    ChatLine,
    Person,
    RatedSeat,
    SideStep,
    Table,
    Timer,
    TournamentPlace,
)
from games.match.time_control import TIME_CONTROLS
from games.models import Match, Message, RatingChange, Seat, Tournament

MAX_LINES_OF_ROUND = 200  # in the review of a round
MAX_CHAT_LINES = 30  # in the chat of a table


def read_table(match_id: int) -> Table:
    """Read the public side of a match. Raises Match.DoesNotExist."""
    rows = Match.objects.select_related("rematch", "tournament_table__tournament")
    match = rows.defer("secret", "tournament_table__tournament__secret").get(pk=match_id)
    seats = list(match.seats.select_related("user").order_by("index"))
    earlier = series.earlier_match_ids(match.pk, match.series_id)
    return _table(
        match,
        seats,
        rematch=match.rematch.slug if match.rematch and match.rematch.status != Match.Status.VOID else "",
        messages=chat_lines(match.pk, earlier=earlier),
        no_points=no_points_reason(match, seats) if match.rated else "",
        earlier=earlier,
        wins=series.count_wins(earlier, seats),
        tournament=tournament_place(match),
    )


def read_open_tables(rows: QuerySet[Match]) -> list[Table]:
    """Read open casual tables with their seats for a list, in two queries. They have no chat and no series."""
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("index"))
    return [_table(match, list(match.seats.all())) for match in rows.defer("secret").prefetch_related(seats)]


def _table(match: Match, seats: Sequence[Seat], **details: Any) -> Table:
    return Table(
        match_id=match.pk,
        slug=match.slug,
        agreed=agreed_terms(match),
        people=_people(match, seats, match.banks or [0] * match.seat_count),
        status=match.status,
        commitment=match.commitment,
        host_id=match.host_id,
        version=match.version,
        revision=match.revision,
        round=match.round,
        timer=timer_of(match),
        public_at=match.public_at,
        void_reason=match.void_reason,
        source=match.source,
        board=match.board,
        **details,
    )


def tournament_place(match: Match) -> TournamentPlace | None:
    """Return the tournament of a match, which was read with it, None for other matches."""
    row = getattr(match, "tournament_table", None)
    if row is None:
        return None
    steps = row.next_steps or ()
    if not steps and row.tournament.stage not in Tournament.UNFINISHED:
        steps = ({},) * len(row.parties)
    return TournamentPlace(row.tournament.slug, tuple(SideStep(**step) for step in steps))


def rated_seats(match_id: int) -> tuple[RatedSeat, ...]:
    """Read the rating changes of a finished match."""
    rows = RatingChange.objects.filter(match=match_id).order_by("seat")
    return tuple(map(RatedSeat._make, rows.values_list(*RatedSeat._fields)))


def _people(match: Match, seats: Sequence[Seat], banks: Sequence[int]) -> tuple[Person, ...]:
    """Return the players, those of a rated match with their ratings."""
    user_ids = [seat.user_id for seat in seats if seat.user_id is not None]
    skills = disclosed_skills(match.variant, user_ids) if match.rated else {}
    has_started = match.started_at is not None
    people = [person_in_seat(seat, banks[seat.index], started=has_started) for seat in seats]
    return tuple(replace(person, skill=skills.get(person.user_id)) for person in people)


def disclosed_skills(variant: str, user_ids: Sequence[int]) -> dict[int | None, tuple[float, float]]:
    """Read the ``mu`` and ``sigma`` of the public ratings of people in a game, without newcomers."""
    changes = disclosed_rating_changes().filter(variant=variant, user__in=user_ids)
    latest = changes.values("user").annotate(last=Max("pk")).values("last")
    rows = RatingChange.objects.filter(pk__in=latest).values_list("user", "mu", "sigma")
    return {user_id: (mu, sigma) for user_id, mu, sigma in rows}


def agreed_terms(match: Match) -> AgreedTerms:
    return AgreedTerms(
        variant=match.variant,
        options=tuple(sorted(match.options.items())),
        rated=match.rated,
        visibility=match.visibility,
        clock=match.clock,
        delay=match.delay,
        absence=match.absence,
        chat_policy=match.talk,
    )


def timer_of(match: Match | MatchRow) -> Timer:
    """Return the clock of a match."""
    return Timer(
        move_ms=TIME_CONTROLS[Clock(match.clock)].move_ms,
        turn_started_ms=epoch_ms(match.turn_started_at),
        deadline_ms=epoch_ms(match.due_at),
        due_kind=match.due_kind,
    )


def no_points_reason(match: Match, seats: Sequence[Seat]) -> str:
    """Return why a player gains, or will gain, no points in a rated match, "" if all do."""
    if match.status == Match.Status.OPEN:
        return points.decide_gains(seats, timezone.now()).reason
    return match.status if match.status == Match.Status.VOID else match.no_points


def person_in_seat(seat: Seat, bank_ms: int, *, started: bool) -> Person:
    """Return the player in a seat, without the nonce until the match has started."""
    # The seat of a deleted person has a placeholder for a name.
    kind = Occupant.BOT if seat.bot else Occupant.HUMAN if seat.user_id or seat.name else Occupant.EMPTY
    return Person(
        seat=seat.index,
        name=seat.name,
        colour=seat.colour,
        kind=kind,
        user_id=seat.user_id,
        away=seat.away and kind == Occupant.HUMAN,
        ready=seat.ready,
        bank_ms=bank_ms,
        guest=seat.user is not None and seat.user.is_guest,
        nonce_commitment=seat.nonce_commitment,
        nonce=seat.nonce if started else "",
        gains=seat.points_gain is not None or seat.finished_at is None,
        rematch=seat.rematch,
        state=seat.state,
        vote=seat.vote,
        lag_ms=seat.lag_ms,
        removed=seat.removed,
        bot=seat.bot,
    )


def chat_lines(
    match_id: int,
    until: datetime | None = None,
    *,
    room: str = Message.Room.TABLE,
    earlier: Sequence[int] = (),
) -> tuple[ChatLine, ...]:
    """Read the last visible lines of a room's chat up to a time, oldest first.

    Lines of ``earlier`` matches come first.
    """
    lines = Message.objects.filter(match_id__in=(match_id, *earlier), room=room, hidden=False)
    tail = (lines if until is None else lines.filter(at__lte=until)).order_by("-at", "-pk")[:MAX_CHAT_LINES]
    own = tail.annotate(is_earlier=~Q(match_id=match_id))
    rows = own.values_list("pk", "name", "text", "user_id", "user__is_guest", "is_earlier", "phrase", "match__slug")
    return tuple(sorted((ChatLine(*row) for row in reversed(rows)), key=lambda line: not line.earlier))


def dated_lines(match_id: int, since: datetime | None, until: datetime | None) -> list[tuple[datetime, ChatLine]]:
    """Read the last lines of a table's chat between two times (None: open), with the time of each."""
    rows = Message.objects.filter(match_id=match_id, room=Message.Room.TABLE, hidden=False)
    rows = rows if since is None else rows.filter(at__gte=since)
    rows = rows if until is None else rows.filter(at__lte=until)
    columns = ("at", "pk", "name", "text", "user_id", "user__is_guest", "phrase", "match__slug")
    lines = rows.order_by("-at", "-pk").values_list(*columns)[:MAX_LINES_OF_ROUND]
    return [
        (at, ChatLine(pk, name, text, user_id, guest, phrase=phrase, slug=slug))
        for at, pk, name, text, user_id, guest, phrase, slug in reversed(lines)
    ]


def count_chat_changes(match_id: int, until: datetime) -> int:
    """Count the lines of a table's chat up to a time, and the times moderators hid or restored one."""
    lines = Message.objects.filter(match_id=match_id, room=Message.Room.TABLE, at__lte=until)
    return sum(lines.aggregate(lines=Count("pk"), changes=Coalesce(Sum("changes"), 0)).values())


def next_line_at(match_id: int, moment: datetime) -> datetime | None:
    """Return the time of the first line of a table's chat after a time."""
    lines = Message.objects.filter(match_id=match_id, room=Message.Room.TABLE, at__gt=moment)
    first: datetime | None = lines.aggregate(first=Min("at"))["first"]
    return first


def epoch_ms(moment: datetime | None) -> int | None:
    """Return a time as milliseconds since 1970."""
    return None if moment is None else round(moment.timestamp() * 1000)
