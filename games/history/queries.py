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

from accounts.names.rules import name_search_key
from games.access import listed_matches, listed_seats
from games.match.disclosure import open_board_ids, undisclosed_match_ids
from games.match.moments import EPOCH, MICROSECOND
from games.models import Match, Seat

if TYPE_CHECKING:
    from games.access import Viewer

PAGE_SIZE = 25
MAX_MATCHING_NAMES = 20  # that match a part of a name
# Sixteen digits of microseconds reach to the year 2286, eighteen are less than any database's largest number.
CURSOR_PATTERN = re.compile(r"([0-9]{1,16})-([0-9]{1,18})", re.ASCII)


class Cursor(NamedTuple):
    """The last match of a page: when it ended, and its key."""

    finished_at: datetime
    match_id: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a cursor from an address. Raises ValueError."""
        match = CURSOR_PATTERN.fullmatch(text)
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
    with_bot_matches: bool = False  # includes matches between bots


class MatchPage(NamedTuple):
    """The matches of a page."""

    match_ids: tuple[int, ...]
    next_cursor: Cursor | None  # None on the last page
    has_more_names: bool  # the name matches more players than were searched


class MatchingNames(NamedTuple):
    """The search keys of names, and whether more names match."""

    keys: tuple[str, ...]
    has_more: bool


NO_NAMES = MatchingNames((), False)


class Tally(NamedTuple):
    """A person's matches of a variant by outcome."""

    matches: int
    won: int
    lost: int
    left: int
    timeout: int
    stopped: int


def match_page(filters: MatchFilter, viewer: Viewer, after: Cursor | None = None) -> MatchPage:
    """Return a page of the matches that pass the filters and that the viewer may find."""
    by_seat = bool(filters.name or filters.person_id or filters.outcome)
    names = names_containing(filters.name) if filters.name else NO_NAMES
    matches = _filtered_seats(filters, viewer, names.keys) if by_seat else _filtered_matches(filters, viewer)
    id_column = "match_id" if by_seat else "pk"
    if after is not None:
        # The range bounds the index scan; the key decides among matches that ended at the same moment.
        earlier = Q(finished_at__lt=after.finished_at) | Q(**{f"{id_column}__lt": after.match_id})
        matches = matches.filter(earlier, finished_at__lte=after.finished_at)
    ordered = matches.order_by("-finished_at", f"-{id_column}")
    rows = list(ordered.values_list("finished_at", id_column)[: PAGE_SIZE + 1])
    has_more = len(rows) > PAGE_SIZE
    next_cursor = Cursor(*rows[PAGE_SIZE - 1]) if has_more else None
    return MatchPage(tuple(match_id for _moment, match_id in rows[:PAGE_SIZE]), next_cursor, names.has_more)


def seats_of_person(filters: MatchFilter, viewer: Viewer) -> QuerySet[Seat]:
    """Return the person's seats in the matches that pass the filters and that the viewer may find, oldest first."""
    return _filtered_seats(filters, viewer, ()).order_by("finished_at", "match_id")


def tally_by_variant(person_id: int, viewer: Viewer) -> dict[str, Tally]:
    """Count a person's matches, except void ones, by variant and outcome. For other viewers only public ones count."""
    seats = Seat.objects.filter(user=person_id).exclude(outcome="")
    if viewer.pk != person_id:
        seats = seats.filter(listed=True).exclude(match__in=undisclosed_match_ids())
    counts: dict[str, dict[str, int]] = {}
    for variant, outcome, count in seats.values_list("variant", "outcome").annotate(Count("match")):
        counts.setdefault(variant, dict.fromkeys(Seat.Outcome.values, 0))[outcome] = count
    return {variant: Tally(sum(by_outcome.values()), **by_outcome) for variant, by_outcome in counts.items()}


def names_containing(part: str) -> MatchingNames:
    """Return up to ``MAX_MATCHING_NAMES`` names that contain a part: an equal name first, then alphabetically."""
    key = name_search_key(part)
    seats = Seat.objects.filter(name_key__gt="", name_key__contains=key).exclude(name_key=key)
    keys = list(seats.order_by("name_key").values_list("name_key", flat=True).distinct()[:MAX_MATCHING_NAMES])
    return MatchingNames((key, *keys[: MAX_MATCHING_NAMES - 1]), len(keys) == MAX_MATCHING_NAMES)


def findable_seats_condition(person_id: int | None, viewer: Viewer) -> Q:
    """Return the condition for seats, of one person or of all, in matches that the viewer may find.

    Players find all their own matches but open boards, so no other condition is needed.
    """
    if person_id is None or person_id != viewer.pk:
        return listed_seats(viewer)
    return Q(finished_at__isnull=False) & ~Q(match__in=open_board_ids())


def _filtered_matches(filters: MatchFilter, viewer: Viewer) -> QuerySet[Match]:
    matches = Match.objects.filter(listed_matches(viewer), _shared_fields_condition(filters))
    if filters.with_bot_matches:
        return matches
    # Most matches with people have a host, so few seats have to be read.
    person = Q(user__isnull=False) | Q(bot="")
    return matches.filter(Q(host__isnull=False) | Q(Exists(Seat.objects.filter(person, match=OuterRef("pk")))))


def _filtered_seats(filters: MatchFilter, viewer: Viewer, keys: Sequence[str]) -> QuerySet[Seat]:
    """Return the seats that pass the filters, of players with these names if there is a name."""
    seats = Seat.objects.filter(findable_seats_condition(filters.person_id, viewer), _shared_fields_condition(filters))
    if filters.name:
        seats = seats.filter(name_key__in=keys)
    if filters.person_id:
        seats = seats.filter(user=filters.person_id)
    if filters.outcome:
        seats = seats.filter(outcome=filters.outcome)
    # Two players of one match may have the same name, or both have left.
    return seats if filters.person_id else seats.distinct()


def _shared_fields_condition(filters: MatchFilter) -> Q:
    """Return the condition for the fields that matches and seats share."""
    condition = Q(variant=filters.variant) if filters.variant else Q()
    if filters.since:
        condition &= Q(finished_at__gte=timezone.make_aware(datetime.combine(filters.since, time.min)))
    if filters.until:
        condition &= Q(finished_at__lte=timezone.make_aware(datetime.combine(filters.until, time.max)))
    return condition
