"""Applies matches to ratings: when they end, when one becomes void or valid again, and all matches of a game again.

All of these use ``_rate``, so recomputed ratings equal the stored ones.
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
from games.ratings.meetings import DISORDER, FAMILIAR, Meetings
from games.ratings.skill import Skill
from infrastructure import batches

RESULT = ("of", "place", "expected", "weight", "mu_before", "sigma_before", "mu", "sigma")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match for a person who is rated. ``place`` counts all sides, rated or not."""

    user_id: int
    seat: int
    side: int
    place: int


@transaction.atomic
def settle(match_id: int, variant: str, results: Sequence[Result], now: datetime) -> None:
    """Rate the people of a match that is over, if they are on at least two sides."""
    if len({result.side for result in results}) < 2:
        return
    people = [result.user_id for result in results]
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk").values_list("pk"))
    rows = [RatingChange(match_id=match_id, variant=variant, at=now, **asdict(result)) for result in results]
    recent = RatingChange.objects.filter(variant=variant, user__in=people, at__gt=now - FAMILIAR)
    _rate(rows, current(variant, people), _meetings(recent))
    RatingChange.objects.bulk_create(rows)


@transaction.atomic
def take_back(match_id: int) -> list[RatingChange]:
    """Exclude the rating changes of a match, update later ones that depend on them, and return the excluded ones."""
    return _count(RatingChange.objects.filter(match=match_id).order_by("pk"), taken_back=True)


@transaction.atomic
def give_back(match_id: int) -> list[RatingChange]:
    """Include the excluded rating changes of a match again, in their old order, and return them."""
    return _count(RatingChange.all_objects.filter(match=match_id, taken_back=True).order_by("pk"), taken_back=False)


def _count(rows: QuerySet[RatingChange], *, taken_back: bool) -> list[RatingChange]:
    changed = list(rows)
    if changed:
        RatingChange.all_objects.filter(pk__in=[row.pk for row in changed]).update(taken_back=taken_back)
        _recompute_since(changed)
    return changed


def _recompute_since(changed: Sequence[RatingChange]) -> None:
    """Rerate the matches that depend on a match that was excluded or included again.

    ``affected`` are the people whose ratings now differ from the stored ones. A match without any of them stays as it
    is. The people of the changed match stay affected for as long as their meetings there count.
    """
    first, people = changed[0], {row.user_id for row in changed if row.user_id}
    before = current(first.variant, people, before=first.pk)
    affected = {user_id: before.get(user_id, Skill()) for user_id in people}
    since = first.at - FAMILIAR - DISORDER
    meetings = _meetings(RatingChange.objects.filter(variant=first.variant, at__gt=since, pk__lt=first.pk))
    different: list[RatingChange] = []
    for rows in _matches(RatingChange.objects.filter(variant=first.variant, pk__gte=first.pk)):
        if any(row.user_id in affected for row in rows):
            stored = {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
            usual = {row.user_id: Skill(row.mu_before, row.sigma_before) for row in rows if row.user_id}
            different += _rate_again(rows, usual | affected, meetings)
            affected |= {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
            if rows[0].at > first.at + FAMILIAR:
                people.clear()
            for user_id in stored.keys() - people:
                if affected[user_id] == stored[user_id]:
                    del affected[user_id]
        meetings.add([row.user_id for row in rows], rows[0].at)
    batches.store(different, RESULT)


@transaction.atomic
def recompute(variant: str, places: Mapping[int, Sequence[int]] | None = None) -> int:
    """Recompute all ratings of a game from its first match on. Return the number of stored rows that were different.

    ``places`` are the places of each seat by match, from the records; other matches use the stored ones.
    """
    ratings: dict[int, Skill] = {}
    meetings = Meetings()
    different: list[RatingChange] = []
    for rows in _matches(RatingChange.objects.filter(variant=variant)):
        different += _rate_again(rows, ratings, meetings, (places or {}).get(rows[0].match_id))
        ratings |= {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
        meetings.add([row.user_id for row in rows], rows[0].at)
    batches.store(different, RESULT)
    return len(different)


def _matches(rows: QuerySet[RatingChange]) -> Iterator[list[RatingChange]]:
    """Yield the rows of each match, in the order in which the matches ended."""
    for _match, group in groupby(rows.order_by("pk").iterator(), key=attrgetter("match_id")):
        yield list(group)


def _rate_again(
    rows: Sequence[RatingChange],
    ratings: Mapping[int, Skill],
    meetings: Meetings,
    places: Sequence[int] | None = None,
) -> list[RatingChange]:
    """Rate a match from these ratings and return the rows that differ from the stored ones."""
    before = [_result(row) for row in rows]
    for row in rows:
        row.place = places[row.seat] if places else row.place
    _rate(rows, ratings, meetings)
    return [row for row, result in zip(rows, before, strict=True) if _result(row) != result]


def current(variant: str, people: Iterable[int], *, before: int | None = None) -> dict[int, Skill]:
    """Return the ratings of people in a game, now or ``before`` this row, without newcomers."""
    earlier = RatingChange.objects.filter(user__in=people, variant=variant)
    if before is not None:
        earlier = earlier.filter(pk__lt=before)
    latest = earlier.values("user").annotate(last=Max("pk"))
    rows = RatingChange.objects.filter(pk__in=[row["last"] for row in latest])
    return {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}


def _rate(rows: Sequence[RatingChange], ratings: Mapping[int, Skill], meetings: Meetings) -> None:
    """Write the result into the rows of a match: ratings before and after, expected places, and weights."""
    sides = [list(group) for _side, group in groupby(sorted(rows, key=attrgetter("side", "seat")), attrgetter("side"))]
    places = [min(row.place for row in side) for side in sides]
    before = [[_before(row, ratings) for row in side] for side in sides]
    weights = [[_weight(row, rows, meetings) for row in side] for side in sides]
    after, expected = skill.rate(before, places, weights), skill.expected(before)
    for number, side in enumerate(sides):
        place = 1 + sum(other < places[number] for other in places)
        for row, old, new, weight in zip(side, before[number], after[number], weights[number], strict=True):
            row.place, row.of, row.expected, row.weight = place, len(sides), expected[number], weight
            (row.mu_before, row.sigma_before), (row.mu, row.sigma) = old, new


def _before(row: RatingChange, ratings: Mapping[int, Skill]) -> Skill:
    if row.user_id is None:
        return Skill(row.mu_before, row.sigma_before)
    return ratings.get(row.user_id, Skill())


def _weight(row: RatingChange, rows: Sequence[RatingChange], meetings: Meetings) -> float:
    """Return the weight of a match for a person, which falls with the meetings with the least familiar opponent.

    Meetings with deleted accounts are unknown, so a weight that depends on one stays unchanged.
    """
    opponents = [other.user_id for other in rows if other.side != row.side]
    if row.user_id is None or None in opponents:
        return row.weight
    return 1 / (1 + min(meetings.number(row.user_id, user_id, row.at) for user_id in opponents if user_id is not None))


def _meetings(rows: QuerySet[RatingChange]) -> Meetings:
    meetings, columns = Meetings(), rows.order_by("pk").values_list("match", "at", "user")
    for (_match, at), group in groupby(columns.iterator(), key=itemgetter(0, 1)):
        meetings.add([user_id for _match, _at, user_id in group], at)
    return meetings


def _result(row: RatingChange) -> tuple[float, ...]:
    return tuple(getattr(row, name) for name in RESULT)
