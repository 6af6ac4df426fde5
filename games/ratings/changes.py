"""What matches do to ratings: when they end, when one is made void, and all of a game from the first on.

All three go through ``_rate``, so ratings that are worked out again equal those that were stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    """The result of a match for a person who is rated. ``place`` is that of the match."""

    user_id: int
    seat: int
    side: int
    place: int


@transaction.atomic
def settle(match_id: int, variant: str, results: Sequence[Result], now: datetime) -> None:
    """Rate the people of a match that is over, if two sides of it can be."""
    if len({result.side for result in results}) < 2:
        return
    people = [result.user_id for result in results]
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk").values_list("pk"))
    rows = [
        RatingChange(match_id=match_id, variant=variant, at=now, **{"user_id": result.user_id} | _where(result))
        for result in results
    ]
    _rate(rows, current(variant, people), _meetings_of(variant, people, now))
    RatingChange.objects.bulk_create(rows)


@transaction.atomic
def take_back(match_id: int) -> list[RatingChange]:
    """Count no more what a match did to ratings, and return what it had done. Later ones that depend on it change."""
    return _count(RatingChange.objects.filter(match=match_id).order_by("pk"), taken_back=True)


@transaction.atomic
def give_back(match_id: int) -> list[RatingChange]:
    """Count again what was taken back of a match, where it was among the others, and return it."""
    return _count(RatingChange.every.filter(match=match_id, taken_back=True).order_by("pk"), taken_back=False)


def _count(rows: QuerySet[RatingChange], *, taken_back: bool) -> list[RatingChange]:
    changed = list(rows)
    if changed:
        RatingChange.every.filter(pk__in=[row.pk for row in changed]).update(taken_back=taken_back)
        _recompute_since(changed)
    return changed


def _recompute_since(changed: Sequence[RatingChange]) -> None:
    """Rate the matches again that depend on a match which counts no longer, or counts again.

    ``reached`` are the people whose ratings now differ from the stored ones. A match without any of them stays as it
    is. The people of the changed match stay reached for as long as their meetings there count.
    """
    first, people = changed[0], {row.user_id for row in changed if row.user_id}
    before = current(first.variant, people, before=first.pk)
    reached = {user_id: before.get(user_id, Skill()) for user_id in people}
    meetings = _meetings_before(first)
    different: list[RatingChange] = []
    for rows in _matches(RatingChange.objects.filter(variant=first.variant, pk__gte=first.pk)):
        if any(row.user_id in reached for row in rows):
            stored = {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
            usual = {row.user_id: Skill(row.mu_before, row.sigma_before) for row in rows if row.user_id}
            different += _rate_again(rows, usual | reached, meetings)
            reached |= {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
            if rows[0].at > first.at + FAMILIAR:
                people.clear()
            for user_id in stored.keys() - people:
                if reached[user_id] == stored[user_id]:
                    del reached[user_id]
        meetings.add([row.user_id for row in rows], rows[0].at)
    batches.store(different, RESULT)


@transaction.atomic
def recompute(variant: str, places: Mapping[int, Sequence[int]] | None = None) -> int:
    """Work out all ratings of a game from its first match on. Return how many stored rows were different.

    ``places`` are those of each seat of a match, as its record has them; where there are none the stored ones count.
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
    """Yield the rows of each match, in the order in which matches ended."""
    for _match, group in groupby(rows.order_by("pk").iterator(), key=attrgetter("match_id")):
        yield list(group)


def _rate_again(
    rows: Sequence[RatingChange],
    ratings: Mapping[int, Skill],
    meetings: Meetings,
    places: Sequence[int] | None = None,
) -> list[RatingChange]:
    """Rate a match from these ratings and return the rows that differ from what was stored."""
    before = [_result(row) for row in rows]
    for row in rows:
        row.place = places[row.seat] if places else row.place
    _rate(rows, ratings, meetings)
    return [row for row, result in zip(rows, before, strict=True) if _result(row) != result]


def current(variant: str, people: Iterable[int], *, before: int | None = None) -> dict[int, Skill]:
    """Return the ratings of people in a game, or those that they had ``before`` this row; newcomers are not in it."""
    earlier = RatingChange.objects.filter(user__in=people, variant=variant)
    if before is not None:
        earlier = earlier.filter(pk__lt=before)
    latest = earlier.values("user").annotate(last=Max("pk"))
    rows = RatingChange.objects.filter(pk__in=[row["last"] for row in latest])
    return {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}


def _rate(rows: Sequence[RatingChange], ratings: Mapping[int, Skill], meetings: Meetings) -> None:
    """Write the result into the rows of a match: ratings before and after, what was expected, how much it counts."""
    sides = [list(group) for _side, group in groupby(sorted(rows, key=attrgetter("side", "seat")), attrgetter("side"))]
    places = [min(row.place for row in side) for side in sides]
    before = [[_before(row, ratings) for row in side] for side in sides]
    weights = [[_weight(row, rows, meetings) for row in side] for side in sides]
    after, hoped = skill.rated(before, places, weights), skill.expected(before)
    for number, side in enumerate(sides):
        place = 1 + sum(other < places[number] for other in places)
        for row, old, new, weight in zip(side, before[number], after[number], weights[number], strict=True):
            row.place, row.of, row.expected, row.weight = place, len(sides), hoped[number], weight
            (row.mu_before, row.sigma_before), (row.mu, row.sigma) = old, new


def _before(row: RatingChange, ratings: Mapping[int, Skill]) -> Skill:
    if row.user_id is None:
        return Skill(row.mu_before, row.sigma_before)
    return ratings.get(row.user_id, Skill())


def _weight(row: RatingChange, rows: Sequence[RatingChange], meetings: Meetings) -> float:
    """Return how much a match counts for a person: the less, the oftener the least familiar opponent was met.

    Meetings with people whose accounts were deleted are unknown, so such a weight stays as it was.
    """
    others = [other.user_id for other in rows if other.side != row.side]
    if row.user_id is None or None in others:
        return row.weight
    return 1 / (1 + min(meetings.number(row.user_id, other, row.at) for other in others if other is not None))


def _meetings_of(variant: str, people: Sequence[int], now: datetime) -> Meetings:
    """Return when these people met each other before a match that ends now."""
    return _meetings(RatingChange.objects.filter(variant=variant, user__in=people, at__gt=now - FAMILIAR))


def _meetings_before(row: RatingChange) -> Meetings:
    """Return when all people met before this match."""
    since = row.at - FAMILIAR - DISORDER
    return _meetings(RatingChange.objects.filter(variant=row.variant, at__gt=since, pk__lt=row.pk))


def _meetings(rows: QuerySet[RatingChange]) -> Meetings:
    meetings = Meetings()
    columns = rows.order_by("pk").values_list("match", "at", "user")
    for (_match, at), group in groupby(columns.iterator(), key=itemgetter(0, 1)):
        meetings.add([user_id for _match, _at, user_id in group], at)
    return meetings


def _where(result: Result) -> dict[str, int]:
    return {"seat": result.seat, "side": result.side, "place": result.place}


def _result(row: RatingChange) -> tuple[float, ...]:
    return tuple(getattr(row, name) for name in RESULT)
