"""What matches do to ratings: when they end, when they are made void, and from the first on.

All three go through ``_rate``, so ratings that are worked out anew equal those that were stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.db import transaction
from django.db.models import Max, QuerySet

from accounts.models import User
from games.models import RatingChange
from games.ratings import skill
from games.ratings.skill import Skill

FAMILIAR = timedelta(days=7)
"""For so long meetings of two people are remembered: the second counts half, the third a third, and so on."""
RESULT = ("of", "place", "expected", "weight", "mu_before", "sigma_before", "mu", "sigma")
Meetings = Sequence[tuple[datetime, frozenset[int | None]]]


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
    list(User.objects.select_for_update().filter(pk__in=people).order_by("pk").values_list("pk"))
    rows = [
        RatingChange(match_id=match_id, variant=variant, at=now, **{"user_id": result.user_id} | _where(result))
        for result in results
    ]
    _rate(rows, current(variant, people), _meetings(variant, people, now))
    RatingChange.objects.bulk_create(rows)


@transaction.atomic
def take_back(match_id: int) -> list[RatingChange]:
    """Count no more what a match did to ratings, and return what it had done. All later matches are rated anew."""
    return _count(RatingChange.objects.filter(match=match_id).order_by("pk"), taken_back=True)


@transaction.atomic
def give_back(match_id: int) -> list[RatingChange]:
    """Count again what was taken back of a match, where it was among the others, and return it."""
    return _count(RatingChange.every.filter(match=match_id, taken_back=True).order_by("pk"), taken_back=False)


def _count(rows: QuerySet[RatingChange], *, taken_back: bool) -> list[RatingChange]:
    changed = list(rows)
    if changed:
        RatingChange.every.filter(pk__in=[row.pk for row in changed]).update(taken_back=taken_back)
        recompute(changed[0].variant)
    return changed


@transaction.atomic
def recompute(variant: str, places: Mapping[int, Sequence[int]] | None = None) -> int:
    """Work out all ratings of a game from its first match on. Return how many stored rows were different.

    ``places`` are those of each seat of a match, as its record has them; where there are none the stored ones count.
    """
    ratings: dict[int, Skill] = {}
    met: list[tuple[datetime, frozenset[int | None]]] = []
    different: list[RatingChange] = []
    # The order in which matches ended is that of their rows.
    stored = RatingChange.objects.filter(variant=variant).order_by("pk")
    for _match, group in groupby(stored, key=attrgetter("match_id")):
        rows = list(group)
        people = frozenset(row.user_id for row in rows)
        before = {row.pk: _result(row) for row in rows}
        for row in rows:
            row.place = (places or {}).get(row.match_id, {row.seat: row.place})[row.seat]
        _rate(rows, ratings, [(at, who) for at, who in met if at > rows[0].at - FAMILIAR])
        ratings |= {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}
        different += [row for row in rows if _result(row) != before[row.pk]]
        met.append((rows[0].at, people))
    RatingChange.objects.bulk_update(different, RESULT, batch_size=500)
    return len(different)


def current(variant: str, people: Iterable[int]) -> dict[int, Skill]:
    """Return the ratings of people in a game; newcomers are not in it."""
    latest = RatingChange.objects.filter(user__in=people, variant=variant).values("user").annotate(last=Max("pk"))
    rows = RatingChange.objects.filter(pk__in=[row["last"] for row in latest])
    return {row.user_id: Skill(row.mu, row.sigma) for row in rows if row.user_id}


def _rate(rows: Sequence[RatingChange], ratings: Mapping[int, Skill], met: Meetings) -> None:
    """Write the result into the rows of a match: ratings before and after, what was expected, how much it counts."""
    sides = [list(group) for _side, group in groupby(sorted(rows, key=attrgetter("side", "seat")), attrgetter("side"))]
    places = [min(row.place for row in side) for side in sides]
    before = [[_before(row, ratings) for row in side] for side in sides]
    weights = [[_weight(row, rows, met) for row in side] for side in sides]
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


def _weight(row: RatingChange, rows: Sequence[RatingChange], met: Meetings) -> float:
    """Return how much a match counts for a person: the less, the oftener the least familiar opponent was met."""
    if row.user_id is None:
        return row.weight
    others = [other.user_id for other in rows if other.side != row.side]
    return 1 / (1 + min(sum({row.user_id, other} <= people for _at, people in met) for other in others))


def _meetings(variant: str, people: Sequence[int], now: datetime) -> Meetings:
    rows = RatingChange.objects.filter(variant=variant, user__in=people, at__gt=now - FAMILIAR)
    together: dict[tuple[int, datetime], set[int | None]] = defaultdict(set)
    for match_id, at, user_id in rows.values_list("match", "at", "user"):
        together[match_id, at].add(user_id)
    return [(at, frozenset(who)) for (_match, at), who in together.items()]


def _where(result: Result) -> dict[str, int]:
    return {"seat": result.seat, "side": result.side, "place": result.place}


def _result(row: RatingChange) -> tuple[float, ...]:
    return tuple(getattr(row, name) for name in RESULT)
