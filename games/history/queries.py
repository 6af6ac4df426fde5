"""Queries of the history: finished matches, newest first, a page at a time.

Every page begins where the previous one ended (``Cursor``), so late pages are as fast as the first. Filters by player
or result query the seats, which store all that is needed; others query the matches.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, NamedTuple, Self

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.names.rules import search_key
from games.access import listed_matches, listed_seats
from games.match.disclosure import withheld_match_ids
from games.match.moments import EPOCH, MICROSECOND
from games.models import Match, Seat

if TYPE_CHECKING:
    from games.access import Viewer

PAGE = 25
MAX_NAMES = 20  # that match a part of a name
# Sixteen digits of microseconds reach to the year 2286, eighteen are less than any database's largest number.
CURSOR = re.compile(r"([0-9]{1,16})-([0-9]{1,18})", re.ASCII)


class Cursor(NamedTuple):
    """The last match of a page: when it ended, and its key."""

    finished_at: datetime
    match_id: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a cursor from an address. Raises ValueError."""
        match = CURSOR.fullmatch(text)
        if match is None:
            raise ValueError(text)
        return cls(EPOCH + int(match[1]) * MICROSECOND, int(match[2]))

    def __str__(self) -> str:
        return f"{(self.finished_at - EPOCH) // MICROSECOND}-{self.match_id}"


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The filters of a list; empty ones do not apply."""

    variant: str = ""
    name: str = ""  # of a player, or a part of it
    person_id: int | None = None
    outcome: str = ""  # of that player, or of anybody
    since: date | None = None
    until: date | None = None
    exhibitions: bool = False  # with matches of bots alone


class Page(NamedTuple):
    """The matches of a page."""

    match_ids: tuple[int, ...]
    after: Cursor | None  # of the next page, None after the last
    more_names: bool  # the name matches more players than were searched


class Names(NamedTuple):
    """The search keys of names, and whether more names match."""

    keys: tuple[str, ...]
    more: bool


NOBODY = Names((), False)


class Tally(NamedTuple):
    """A person's matches of a variant by outcome."""

    matches: int
    won: int
    lost: int
    left: int
    timeout: int
    stopped: int


def page(filters: MatchFilter, viewer: Viewer, after: Cursor | None = None) -> Page:
    """Return a page of the matches that pass the filters and that the viewer may find."""
    of_seats = bool(filters.name or filters.person_id or filters.outcome)
    names = names_with(filters.name) if filters.name else NOBODY
    matches = _seats(filters, viewer, names.keys) if of_seats else _matches(filters, viewer)
    number = "match_id" if of_seats else "pk"
    if after is not None:
        # The range bounds the index scan; the key decides among matches that ended at the same moment.
        behind = Q(finished_at__lt=after.finished_at) | Q(**{f"{number}__lt": after.match_id})
        matches = matches.filter(behind, finished_at__lte=after.finished_at)
    rows = list(matches.order_by("-finished_at", f"-{number}").values_list("finished_at", number)[: PAGE + 1])
    more = len(rows) > PAGE
    following = Cursor(*rows[PAGE - 1]) if more else None
    return Page(tuple(match_id for _moment, match_id in rows[:PAGE]), following, names.more)


def tallies(person_id: int, viewer: Viewer) -> dict[str, Tally]:
    """Count a person's matches, except void ones, by variant and outcome. Others see only public ones counted."""
    seats = Seat.objects.filter(user=person_id).exclude(outcome="")
    counted = seats if viewer.pk == person_id else seats.filter(listed=True).exclude(match__in=withheld_match_ids())
    counts: dict[str, dict[str, int]] = {}
    for variant, outcome, number in counted.values_list("variant", "outcome").annotate(Count("match")):
        counts.setdefault(variant, dict.fromkeys(Seat.Outcome.values, 0))[outcome] = number
    return {variant: Tally(sum(numbers.values()), **numbers) for variant, numbers in counts.items()}


def names_with(part: str) -> Names:
    """Return up to ``MAX_NAMES`` names that contain a part: first an equal name, then in alphabetical order."""
    key = search_key(part)
    seats = Seat.objects.filter(name_key__gt="", name_key__contains=key).exclude(name_key=key)
    keys = list(seats.order_by("name_key").values_list("name_key", flat=True).distinct()[:MAX_NAMES])
    return Names((key, *keys[: MAX_NAMES - 1]), len(keys) == MAX_NAMES)


def findable(person_id: int | None, viewer: Viewer) -> Q:
    """Return the condition for seats, of one person or of all, in matches that the viewer may find.

    Players find all their own matches, so no other condition is needed.
    """
    own = person_id is not None and person_id == viewer.pk
    return Q(finished_at__isnull=False) if own else listed_seats(viewer)


def _matches(filters: MatchFilter, viewer: Viewer) -> QuerySet[Match]:
    matches = Match.objects.filter(listed_matches(viewer), _common(filters))
    if filters.exhibitions:
        return matches
    # Most matches with people have a host, so few seats have to be read.
    person = Q(user__isnull=False) | Q(bot="")
    return matches.filter(Q(host__isnull=False) | Q(Exists(Seat.objects.filter(person, match=OuterRef("pk")))))


def _seats(filters: MatchFilter, viewer: Viewer, keys: Sequence[str]) -> QuerySet[Seat]:
    """Return the seats that pass the filters, of players with these names if there is a name."""
    seats = Seat.objects.filter(findable(filters.person_id, viewer), _common(filters))
    if filters.name:
        seats = seats.filter(name_key__in=keys)
    if filters.person_id:
        seats = seats.filter(user=filters.person_id)
    if filters.outcome:
        seats = seats.filter(outcome=filters.outcome)
    # Two players of one match may have the same name, or both have left.
    return seats if filters.person_id else seats.distinct()


def _common(filters: MatchFilter) -> Q:
    """Return the condition for the fields that matches and seats share."""
    condition = Q(variant=filters.variant) if filters.variant else Q()
    if filters.since:
        condition &= Q(finished_at__gte=timezone.make_aware(datetime.combine(filters.since, time.min)))
    if filters.until:
        condition &= Q(finished_at__lte=timezone.make_aware(datetime.combine(filters.until, time.max)))
    return condition
