"""Rates matches: when they end, when one becomes void or valid again, and all matches of a game again.

All of these use ``_fill_in_ratings``, so recomputed ratings equal the stored ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter, itemgetter

from django.db import transaction
from django.db.models import Max, QuerySet

from accounts.models import User
from games.models import RatingChange
from games.ratings import skill
from games.ratings.meetings import FAMILIARITY_WINDOW, MAX_TIME_DISORDER, Meetings
from games.ratings.skill import Skill
from infrastructure import batches

RESULT_FIELDS = ("of", "place", "expected", "weight", "mu_before", "sigma_before", "mu", "sigma")


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The result of a match for a person who is rated. ``place`` counts all sides, rated or not."""

    user_id: int
    seat: int
    side: int
    place: int


@transaction.atomic
def rate_match(match_id: int, variant: str, results: Sequence[PlayerResult], now: datetime) -> None:
    """Rate the people of a match that is over, if they are on at least two sides."""
    if len({result.side for result in results}) < 2:
        return
    people = [result.user_id for result in results]
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk").values_list("pk"))
    rows = [RatingChange(match_id=match_id, variant=variant, at=now, **asdict(result)) for result in results]
    recent = RatingChange.objects.filter(variant=variant, user__in=people, at__gt=now - FAMILIARITY_WINDOW)
    _fill_in_ratings(rows, current_ratings(variant, people), _read_meetings(recent))
    RatingChange.objects.bulk_create(rows)


@transaction.atomic
def exclude_match(match_id: int) -> list[RatingChange]:
    """Exclude the rating changes of a match, update later ones that depend on them, and return the excluded ones."""
    return _set_taken_back(RatingChange.objects.filter(match=match_id).order_by("pk"), taken_back=True)


@transaction.atomic
def reinclude_match(match_id: int) -> list[RatingChange]:
    """Include the excluded rating changes of a match again, in their old order, and return them."""
    return _set_taken_back(
        RatingChange.all_objects.filter(match=match_id, taken_back=True).order_by("pk"), taken_back=False
    )


def _set_taken_back(rows: QuerySet[RatingChange], *, taken_back: bool) -> list[RatingChange]:
    """Exclude or include rating changes, and update the later ones that depend on them."""
    changed_rows = list(rows)
    if changed_rows:
        RatingChange.all_objects.filter(pk__in=[row.pk for row in changed_rows]).update(taken_back=taken_back)
        _recompute_since(changed_rows)
    return changed_rows


def _recompute_since(changed_rows: Sequence[RatingChange]) -> None:
    """Rerate the matches that depend on a match that was excluded or included again.

    ``affected`` are the people whose ratings now differ from the stored ones. A match without any of them stays as it
    is. The people of the changed match stay affected for as long as their meetings there count.
    """
    first, people = changed_rows[0], {row.user_id for row in changed_rows if row.user_id}
    before = current_ratings(first.variant, people, before=first.pk)
    affected = {user_id: before.get(user_id, Skill()) for user_id in people}
    since = first.at - FAMILIARITY_WINDOW - MAX_TIME_DISORDER
    meetings = _read_meetings(RatingChange.objects.filter(variant=first.variant, at__gt=since, pk__lt=first.pk))
    different_rows: list[RatingChange] = []
    for rows in _rows_by_match(RatingChange.objects.filter(variant=first.variant, pk__gte=first.pk)):
        if any(row.user_id in affected for row in rows):
            stored = {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
            unaffected = {row.user_id: Skill(row.mu_before, row.sigma_before) for row in rows if row.user_id}
            different_rows += _rate_match_again(rows, unaffected | affected, meetings)
            affected |= {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
            if rows[0].at > first.at + FAMILIARITY_WINDOW:
                people.clear()
            for user_id in stored.keys() - people:
                if affected[user_id] == stored[user_id]:
                    del affected[user_id]
        meetings.add_match([row.user_id for row in rows], rows[0].at)
    batches.update_rows(different_rows, RESULT_FIELDS)


@transaction.atomic
def recompute_ratings(variant: str, places: Mapping[int, Sequence[int]] | None = None) -> int:
    """Recompute all ratings of a game from its first match on. Return the number of stored rows that were different.

    ``places`` are the places of each seat by match, from the records; other matches use the stored ones.
    """
    ratings: dict[int, Skill] = {}
    meetings = Meetings()
    different_rows: list[RatingChange] = []
    for rows in _rows_by_match(RatingChange.objects.filter(variant=variant)):
        different_rows += _rate_match_again(rows, ratings, meetings, (places or {}).get(rows[0].match_id))
        ratings |= {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
        meetings.add_match([row.user_id for row in rows], rows[0].at)
    batches.update_rows(different_rows, RESULT_FIELDS)
    return len(different_rows)


def _rows_by_match(rows: QuerySet[RatingChange]) -> Iterator[list[RatingChange]]:
    """Yield the rows of each match, in the order in which the matches ended."""
    for _match, match_rows in groupby(rows.order_by("pk").iterator(), key=attrgetter("match_id")):
        yield list(match_rows)


def _rate_match_again(
    rows: Sequence[RatingChange],
    ratings: Mapping[int, Skill],
    meetings: Meetings,
    places: Sequence[int] | None = None,
) -> list[RatingChange]:
    """Rate a match from these ratings and return the rows that differ from the stored ones."""
    stored = [_result_field_values(row) for row in rows]
    for row in rows:
        row.place = places[row.seat] if places else row.place
    _fill_in_ratings(rows, ratings, meetings)
    return [row for row, result in zip(rows, stored, strict=True) if _result_field_values(row) != result]


def current_ratings(variant: str, people: Iterable[int], *, before: int | None = None) -> dict[int, Skill]:
    """Return the ratings of people in a game, now or ``before`` this row, without newcomers."""
    earlier = RatingChange.objects.filter(user__in=people, variant=variant)
    if before is not None:
        earlier = earlier.filter(pk__lt=before)
    latest = earlier.values("user").annotate(last=Max("pk"))
    rows = RatingChange.objects.filter(pk__in=[row["last"] for row in latest])
    return {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}


def _fill_in_ratings(rows: Sequence[RatingChange], ratings: Mapping[int, Skill], meetings: Meetings) -> None:
    """Write the result into the rows of a match: ratings before and after, expected places, and weights."""
    by_side = groupby(sorted(rows, key=attrgetter("side", "seat")), attrgetter("side"))
    sides = [list(side_rows) for _side, side_rows in by_side]
    places = [min(row.place for row in side) for side in sides]
    before = [[_skill_before(row, ratings) for row in side] for side in sides]
    weights = [[_match_weight(row, rows, meetings) for row in side] for side in sides]
    after, expected = skill.rate_sides(before, places, weights), skill.expected_places(before)
    for number, side in enumerate(sides):
        place = 1 + sum(other_place < places[number] for other_place in places)
        for row, old, new, weight in zip(side, before[number], after[number], weights[number], strict=True):
            row.place, row.of, row.expected, row.weight = place, len(sides), expected[number], weight
            (row.mu_before, row.sigma_before), (row.mu, row.sigma) = old, new


def _skill_before(row: RatingChange, ratings: Mapping[int, Skill]) -> Skill:
    if row.user_id is None:
        return Skill(row.mu_before, row.sigma_before)
    return ratings.get(row.user_id, Skill())


def _match_weight(row: RatingChange, rows: Sequence[RatingChange], meetings: Meetings) -> float:
    """Return the weight of a match for a person, which falls with the meetings with the least familiar opponent.

    Meetings with deleted accounts are unknown, so a weight that depends on one stays unchanged.
    """
    opponents = [other_row.user_id for other_row in rows if other_row.side != row.side]
    if row.user_id is None or None in opponents:
        return row.weight
    return 1 / (
        1 + min(meetings.count_meetings(row.user_id, user_id, row.at) for user_id in opponents if user_id is not None)
    )


def _read_meetings(rows: QuerySet[RatingChange]) -> Meetings:
    meetings, columns = Meetings(), rows.order_by("pk").values_list("match", "at", "user")
    for (_match, at), match_rows in groupby(columns.iterator(), key=itemgetter(0, 1)):
        meetings.add_match([user_id for _match, _at, user_id in match_rows], at)
    return meetings


def _result_field_values(row: RatingChange) -> tuple[float, ...]:
    return tuple(getattr(row, name) for name in RESULT_FIELDS)
