"""Daily boards: eight deals of a game, the same for all people of a set, each played against three bots.

A day is announced a day before, with the commitment to its secret. It opens at midnight (UTC), when the nonces of the
day before are known, and closes a little after the next midnight: then all results, keys and the secret are public.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet

from accounts import traces
from accounts.models import Trace, User
from games import caches
from games.bots.boards import BOTS_VERSION
from games.caches import ProcessCache
from games.engine.deal import nonce_commitment
from games.engine.decide import new_match
from games.engine.events import MatchStarted
from games.engine.notation import standing_from_json
from games.engine.variants import rules_for
from games.errors import Refused
from games.fair_dealing import dealing
from games.models import BoardDay, Match, Seat
from games.services import boards, seating
from games.services.boards import Board, board_terms
from games.tournaments.core.daily import (
    BoardField,
    Line,
    day_of_set,
    day_results,
    month_standing,
    next_board,
    set_name,
    set_number,
    standing,
)
from games.tournaments.core.duplicate import DAILY_BOARDS, entropy, seat_of_board, set_count
from games.tournaments.core.shares import raw_results

ONE_DAY = timedelta(days=1)
SECONDS_PER_HOUR = 3600


class LevelsTask(NamedTuple):
    """A board on which a worker lets the bots of each level play. ``start`` is the first event of its matches."""

    day: int
    start: MatchStarted
    secret: str
    seat: int


class DayOutcome(NamedTuple):
    """A closed day: the field of each board by set and number, the result and number of boards of each person."""

    fields: Mapping[tuple[str, int], BoardField]
    results: Mapping[str, tuple[Fraction, int]]


_outcomes: ProcessCache[DayOutcome] = caches.board_days
_months: ProcessCache[tuple[Line, ...]] = caches.board_months


def announce_day(variant: str, day: date) -> BoardDay:
    """Commit to the secret of a day, unless that was done."""
    secret = dealing.new_secret()
    commitment, due_at = dealing.commitment(secret), start_of_day(day)
    new_day = BoardDay(variant=variant, date=day, secret=secret, commitment=commitment, due_at=due_at)
    BoardDay.objects.bulk_create([new_day], ignore_conflicts=True)  # without an error in the log of PostgreSQL
    return BoardDay.objects.get(variant=variant, date=day)


def open_day(variant: str, now: datetime) -> BoardDay:
    """Open the day of ``now`` with the nonces of the entrants of the day before, unless that was done."""
    announce_day(variant, now.date())
    with transaction.atomic():
        day = BoardDay.objects.select_for_update().get(variant=variant, date=now.date())
        if day.opened_at is None:
            previous = BoardDay.objects.filter(variant=variant, date=day.date - ONE_DAY).first()
            if previous is not None:
                day.nonces, day.ranked_entrants = entrants_nonces(previous), len(ranked_people(previous))
            day.entropy, day.sets = entropy(day.nonces), set_count(day.ranked_entrants)
            day.bots_version, day.opened_at = BOTS_VERSION, now
            day.due_at = day.next_step_at
            day.save()
    return day


def entrants_nonces(day: BoardDay) -> list[str]:
    """Return the nonces of the entrants of a day in order of entry, "" for a person who gave none."""
    nonces: dict[int | None, str] = {}
    seats = _seats(day).order_by("match_id").values_list("user_id", "nonce")
    for user_id, nonce in seats:
        nonces.setdefault(user_id, nonce)
    return list(nonces.values())


def play_next_board(*, user: User, variant: str, now: datetime, nonce: str = "") -> Match:
    """Return the board that the person is playing, or begin the next one of the day.

    ``nonce`` counts with the first board, for the deals of tomorrow.

    Raises Refused ``no_boards`` if no day is open, ``all_boards``, ``suspended``, ``too_many_tables``,
    ``matches_paused``.
    """
    with transaction.atomic():
        seating.lock_person(user)  # so that two requests do not begin two boards
        day = playable_day(variant, now)
        if day is None:
            raise Refused("no_boards")
        begun = Match.objects.filter(source__in=sources_of(day), seats__user=user)
        running = begun.filter(status__in=Match.UNFINISHED).first()
        if running is not None:
            return running
        number = next_board(set(begun.values_list("board", flat=True)))
        if number is None:
            raise Refused("all_boards")
        terms = board_terms(variant)
        board = Board(source_for(day, user), number, day.secret, day.entropy)
        match = boards.play_board(user=user, terms=terms, board=board, seat=seat_of_board(number, terms.seats))
        match.seats.filter(user=user).update(nonce=nonce, nonce_commitment=nonce_commitment(nonce))
        return match


def playable_day(variant: str, now: datetime) -> BoardDay | None:
    """Return the day whose boards people can begin now."""
    day = BoardDay.objects.filter(variant=variant, date=now.date()).first()
    return day if day is not None and is_playable(day, now) else None


def is_playable(day: BoardDay, now: datetime) -> bool:
    """Return whether people can begin the boards of a day now."""
    is_open = day.opened_at is not None and day.closed_at is None
    return is_open and day.date == now.date() and day.bots_version == BOTS_VERSION


def source_for(day: BoardDay, user: User) -> str:
    """Return the name of the set of a person."""
    return set_name(day.variant, str(day.date), set_number_for(day, user.pk))


def set_number_for(day: BoardDay, user_id: int) -> int:
    """Return the number of the set of a person. While the day is open, only its boards may show it."""
    return set_number(day.secret, str(user_id), day.sets)


def day_of_source(source: str) -> BoardDay | None:
    """Return the day of a set, None for matches that are no daily boards."""
    parts = day_of_set(source)
    return BoardDay.objects.filter(variant=parts[0], date=parts[1]).first() if parts else None


def sources_of(day: BoardDay) -> list[str]:
    """Return the names of the sets of a day."""
    return [set_name(day.variant, str(day.date), number) for number in range(1, day.sets + 1)]


def start_of_day(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def end_of_day(day: date) -> datetime:
    """Return the midnight (UTC) after which nobody begins a board of a day."""
    return start_of_day(day + ONE_DAY)


# The close


def next_levels_task(day: BoardDay) -> LevelsTask | None:
    """Return the first board on which the results of bots are missing."""
    terms, rules = board_terms(day.variant), rules_for(day.variant)
    for source in sources_of(day):
        for number in range(1, DAILY_BOARDS + 1):
            if str(number) not in day.levels.get(source, {}):
                start = new_match(rules, terms.seats, terms.options, source=source, first=number, entropy=day.entropy)
                return LevelsTask(day.pk, start, day.secret, seat_of_board(number, terms.seats))
    return None


@transaction.atomic
def store_levels(task: LevelsTask, scores: Mapping[str, Sequence[int]], now: datetime) -> None:
    """Store the scores of all sides for each level in the person's seat. The day goes on at once."""
    day = BoardDay.objects.select_for_update().get(pk=task.day)
    day.levels.setdefault(task.start.source, {})[str(task.start.first)] = dict(scores)
    day.due_at = now
    day.save(update_fields=["levels", "due_at"])


def close_next_boards(day: BoardDay, now: datetime) -> None:
    """Stop and reveal some boards of a day, or end it after the last. The day goes on at once."""
    if boards.close_boards(sources=sources_of(day), with_secret=True, now=now):
        BoardDay.objects.filter(pk=day.pk).update(closed_at=now, due_at=None, ranked=sorted(ranked_people(day)))
    else:
        BoardDay.objects.filter(pk=day.pk).update(due_at=now)


# Results


def fields_of_day(day: BoardDay) -> dict[tuple[str, int], BoardField]:
    """Return the field of each board of a closed day, by set and number. Raises ValueError while it is open."""
    if day.closed_at is None:
        raise ValueError("The results of open boards are secret.")
    rules, ranked = rules_for(day.variant), day.ranked
    people: dict[tuple[str, int], dict[str, int | None]] = defaultdict(dict)
    rows = _seats(day).filter(match__status=Match.Status.FINISHED, user__in=ranked)
    for seat in rows.select_related("match"):
        people[seat.match.source, seat.match.board][str(seat.user_id)] = raw_result_of(seat)
    fields = {}
    for source, levels_of_boards in day.levels.items():
        for number, scores_of_level in levels_of_boards.items():
            seat_index = seat_of_board(int(number), len(next(iter(scores_of_level.values()))))
            levels = {
                level: raw_results(scores, is_low_better=rules.are_points_bad)[seat_index]
                for level, scores in scores_of_level.items()
            }
            fields[source, int(number)] = BoardField(people[source, int(number)], levels)
    return fields


def raw_result_of(seat: Seat) -> int | None:
    """Return the result of a person on a finished board, None if a bot finished it."""
    if seat.bot:
        return None
    scores = [side.points for side in standing_from_json(seat.match.standing)]
    return raw_results(scores, is_low_better=rules_for(seat.match.variant).are_points_bad)[seat.index]


def ranked_people(day: BoardDay) -> set[int]:
    """Return the people with a confirmed address, of those on one device only the first, who may be a guest.

    Others on the device may have seen the deals. It is decided at the close, because traces expire.
    """
    entrants = list(dict.fromkeys(_seats(day).order_by("match_id").values_list("user_id", flat=True)))
    people = [user_id for user_id in entrants if user_id is not None]
    first_people = {min(group, key=people.index) for group in traces.group_people(people, [Trace.Kind.DEVICE])}
    accounts = EmailAddress.objects.filter(user__in=first_people, user__is_guest=False, verified=True)
    return set(accounts.values_list("user_id", flat=True))


def outcome_of_day(day: BoardDay, now: datetime) -> DayOutcome:
    """Return the fields and results of a closed day, which are read again after an hour. Raises ValueError."""
    return _outcomes().get_or_renew(day.pk, _hour(now), lambda: _read_outcome(day))


def _read_outcome(day: BoardDay) -> DayOutcome:
    fields = fields_of_day(day)
    return DayOutcome(fields, day_results(fields.values()))


def _hour(now: datetime) -> int:
    return int(now.timestamp() // SECONDS_PER_HOUR)


def standing_of_day(day: BoardDay, now: datetime) -> tuple[Line, ...]:
    """Return the standing of a closed day, by the ids of people. Raises ValueError while it is open."""
    return standing(outcome_of_day(day, now).results)


def standing_of_month(days: Collection[BoardDay], now: datetime) -> tuple[Line, ...]:
    """Return the standing of the closed days of a month, by the ids of people. It is computed again after an hour."""
    key = tuple(day.pk for day in days)
    return _months().get_or_renew(key, _hour(now), lambda: _compute_month(days, now))


def _compute_month(days: Collection[BoardDay], now: datetime) -> tuple[Line, ...]:
    results: dict[str, list[Fraction]] = defaultdict(list)
    for day in days:
        for person, (result, _played) in outcome_of_day(day, now).results.items():
            results[person].append(result)
    return month_standing(results, len(days))


def closed_days_of_month(variant: str, month: date) -> list[BoardDay]:
    days = closed_days(variant).filter(date__year=month.year, date__month=month.month)
    return list(days.order_by("date"))


def closed_days(variant: str) -> QuerySet[BoardDay]:
    """Return the closed days of a game without their long lists: pages take the results from the cache."""
    return BoardDay.objects.filter(variant=variant, closed_at__isnull=False).defer("levels", "nonces", "ranked")


def _seats(day: BoardDay) -> QuerySet[Seat]:
    """Return the seats of people on the boards of a day."""
    return Seat.objects.filter(match__source__in=sources_of(day), user__isnull=False)
