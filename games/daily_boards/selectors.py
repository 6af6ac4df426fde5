"""Daily boards as their pages show them: one's own boards of an open day, and the results of closed ones.

Of an open day a page shows only which boards its reader has played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING

from accounts.models import User
from games.daily_boards.content import (
    BoardComparison,
    BoardResult,
    DayResults,
    MonthResults,
    OwnBoard,
    OwnDay,
    StandingLine,
)
from games.daily_boards.losses import load_losses
from games.models import BoardDay, Match, Seat
from games.services import board_days
from games.services.board_days import DayOutcome
from games.tournaments.core.daily import BoardField, Line, next_board
from games.tournaments.core.duplicate import DAILY_BOARDS
from games.tournaments.core.matchpoints import day_result
from games.tournaments.core.shares import SIXTHS

if TYPE_CHECKING:
    from games.access import Viewer

MAX_LISTED = 20  # people of a standing


def find_day(variant: str, day: date) -> BoardDay | None:
    return BoardDay.objects.filter(variant=variant, date=day).first()


def load_days(variants: Collection[str], dates: Collection[date]) -> dict[tuple[str, date], BoardDay]:
    """Return days by game and date, without their long lists."""
    rows = BoardDay.objects.filter(variant__in=variants, date__in=dates).defer("levels", "nonces", "ranked")
    return {(row.variant, row.date): row for row in rows}


def load_own_day(variant: str, day: BoardDay | None, viewer: Viewer, now: datetime) -> OwnDay:
    return load_own_days({variant: day}, viewer, now)[variant]


def load_own_days(days: Mapping[str, BoardDay | None], viewer: Viewer, now: datetime) -> dict[str, OwnDay]:
    """Read the viewer's boards of a day of each game. A day that could not be opened yet has none."""
    matches = _own_matches([day for day in days.values() if day is not None], viewer)
    return {variant: _own_day(variant, day, matches.get(variant, {}), now) for variant, day in days.items()}


def _own_day(variant: str, day: BoardDay | None, matches: Mapping[int, Match], now: datetime) -> OwnDay:
    numbers = range(1, DAILY_BOARDS + 1)
    boards = tuple(_own_board(number, matches.get(number)) for number in numbers)
    is_open = day is not None and board_days.is_playable(day, now)
    is_playing = any(board.stage == "playing" for board in boards)
    next_number = next_board(set(matches)) if is_open and not is_playing else None
    return OwnDay(variant, boards, next_number, is_open)


def _own_board(number: int, match: Match | None) -> OwnBoard:
    if match is None:
        return OwnBoard(number, "waiting")
    return OwnBoard(number, "playing" if match.status in Match.UNFINISHED else "played", match.slug)


def _own_matches(days: Collection[BoardDay], viewer: Viewer) -> Mapping[str, Mapping[int, Match]]:
    """Return the viewer's matches by game and number of the board."""
    matches: dict[str, dict[int, Match]] = defaultdict(dict)
    if viewer.pk is not None:
        sources = [source for day in days for source in board_days.sources_of(day)]
        for match in Match.objects.filter(source__in=sources, seats__user=viewer.pk).defer("secret"):
            matches[match.variant][match.board] = match
    return matches


# Closed days


def latest_closed_day(variant: str, before: date) -> BoardDay | None:
    return board_days.closed_days(variant).filter(date__lt=before).order_by("-date").first()


def next_closed_day(variant: str, after: date) -> BoardDay | None:
    return board_days.closed_days(variant).filter(date__gt=after).order_by("date").first()


def load_results(day: BoardDay, viewer: Viewer, now: datetime) -> DayResults:
    """Read the results of a closed day. Raises ValueError while it is open."""
    outcome = board_days.outcome_of_day(day, now)
    standing = board_days.standing_of_day(day, now)
    lines, own_line = _standing_lines(standing, viewer)
    own_seats = {seat.match.board: seat for seat in _seats(day, [viewer.pk])} if viewer.pk is not None else {}
    source = next((seat.match.source for seat in own_seats.values()), board_days.sources_of(day)[0])
    boards = tuple(_comparisons(day, outcome, source, own_seats, viewer))
    shares = [board.own.share for board in boards if board.own is not None]
    is_unranked = own_line is None and bool(shares)
    own_share = day_result(shares, DAILY_BOARDS) if is_unranked else None
    return DayResults(day.variant, day.date, day.commitment, lines, len(standing), own_line, own_share, boards)


def compare_board(match: Match, viewer: Viewer, now: datetime) -> BoardComparison | None:
    """Return the results of the board of a match in its player's seat, None unless it is a closed daily board."""
    day = board_days.day_of_source(match.source)
    if day is None or day.closed_at is None:
        return None
    player = match.seats.filter(user__isnull=False).select_related("match", "user").first()
    own_seats = {match.board: player} if player is not None else {}
    comparisons = _comparisons(day, board_days.outcome_of_day(day, now), match.source, own_seats, viewer)
    return next((board for board in comparisons if board.number == match.board), None)


def _comparisons(
    day: BoardDay, outcome: DayOutcome, source: str, own_seats: Mapping[int, Seat], viewer: Viewer
) -> Iterator[BoardComparison]:
    """Yield the comparisons of the boards of a set."""
    fields = {number: field for (name, number), field in sorted(outcome.fields.items()) if name == source}
    best_people = {number: best_person(field) for number, field in fields.items()}
    best_seats = {
        (seat.match.board, str(seat.user_id)): seat
        for seat in _seats(day, [int(person) for person in best_people.values() if person], source)
    }
    for number, field in fields.items():
        best, own = best_seats.get((number, best_people[number])), own_seats.get(number)
        yield BoardComparison(
            number,
            field.mean / SIXTHS,
            tuple((level, Fraction(raw, SIXTHS)) for level, raw in field.levels.items()),
            own=_board_result(own, field, viewer) if own is not None else None,
            best=_board_result(best, field, viewer) if best is not None else None,
        )


def best_person(field: BoardField) -> str:
    """Return the person with the best result on a board, "" if there is none."""
    raws = {person: raw for person, raw in field.people.items() if raw is not None}
    return max(sorted(raws), key=raws.__getitem__, default="")


def _board_result(seat: Seat, field: BoardField, viewer: Viewer) -> BoardResult:
    raw = board_days.raw_result_of(seat) if seat.match.status == Match.Status.FINISHED else None
    share = field.matchpoints(raw, is_ranked=str(seat.user_id) in field.people)
    points = None if raw is None else Fraction(raw, SIXTHS)
    return BoardResult(str(seat.user), seat.match.slug, seat.index, points, share, seat.user_id == viewer.pk)


def _seats(day: BoardDay, user_ids: Collection[int], source: str = "") -> list[Seat]:
    """Return the seats of people on the boards of a day, or of one set."""
    sources = [source] if source else board_days.sources_of(day)
    people = User.objects.filter(pk__in=user_ids, is_active=True, is_closed=False)
    seats = Seat.objects.filter(match__source__in=sources, user__in=people)
    return list(seats.exclude(match__status=Match.Status.VOID).select_related("match", "user"))


def load_month(variant: str, month: date, viewer: Viewer, now: datetime) -> MonthResults | None:
    """Read the standing of the closed days of a month, None before the first."""
    days = board_days.closed_days_of_month(variant, month)
    if not days:
        return None
    lines, own_line = _standing_lines(board_days.standing_of_month(days, now), viewer, days, now)
    return MonthResults(days[0].date.replace(day=1), lines, own_line)


def _standing_lines(
    standing: Sequence[Line], viewer: Viewer, days: Sequence[BoardDay] = (), now: datetime | None = None
) -> tuple[tuple[StandingLine, ...], StandingLine | None]:
    """Return the first lines and that of the viewer. Closed accounts are not listed."""
    own = next((line for line in standing if line.person == str(viewer.pk)), None)
    listed = [*standing[:MAX_LISTED], *([own] if own is not None else [])]
    user_ids = [int(line.person) for line in listed]
    people = User.objects.filter(is_active=True, is_closed=False).in_bulk(user_ids)
    losses = load_losses(days, user_ids, now) if now is not None else {}
    lines = {
        line.person: StandingLine(
            str(people[int(line.person)]),
            line.rank,
            line.result,
            line.played,
            line is own,
            not days and line.played < DAILY_BOARDS,
            losses.get(int(line.person)),
        )
        for line in listed
        if int(line.person) in people
    }
    first = tuple(lines[line.person] for line in standing[:MAX_LISTED] if line.person in lines)
    return first, lines.get(own.person) if own is not None else None
