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

from games.access import listed_matches, listed_seats
from games.history.names import NOBODY, names_with
from games.match.disclosure import withheld_keys
from games.match.moments import EPOCH, MICROSECOND
from games.models import Match, Seat

if TYPE_CHECKING:
    from games.access import Viewer

PAGE = 25
# Sixteen digits of microseconds reach to the year 2286, eighteen are less than any database's largest number.
CURSOR = re.compile(r"([0-9]{1,16})-([0-9]{1,18})", re.ASCII)


class Cursor(NamedTuple):
    """The last match of a page: when it ended, and its key."""

    finished_at: datetime
    match_id: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a cursor from an address. Raises ValueError."""
        found = CURSOR.fullmatch(text)
        if found is None:
            raise ValueError(text)
        return cls(EPOCH + int(found[1]) * MICROSECOND, int(found[2]))

    def __str__(self) -> str:
        return f"{(self.finished_at - EPOCH) // MICROSECOND}-{self.match_id}"


@dataclass(frozen=True, slots=True)
class Question:
    """The filters; empty ones do not apply. ``outcome`` is that of the player, if one is named, by a part of the name.

    ``exhibitions``: matches in which only bots played are wanted, too.
    """

    variant: str = ""
    name: str = ""
    person_id: int | None = None
    outcome: str = ""
    since: date | None = None
    until: date | None = None
    exhibitions: bool = False


class Page(NamedTuple):
    """The matches of a page, and the cursor of the next page, None after the last.

    ``more_names``: more players have the part of a name that was asked for than those whose matches were looked for.
    """

    match_ids: tuple[int, ...]
    after: Cursor | None
    more_names: bool


class Tally(NamedTuple):
    """How a person's matches of a variant ended."""

    matches: int
    won: int
    lost: int
    left: int
    timeout: int
    stopped: int


def page(question: Question, viewer: Viewer, after: Cursor | None = None) -> Page:
    """Read a page of the matches that answer the question and that the viewer may find."""
    of_seats = bool(question.name or question.person_id or question.outcome)
    names = names_with(question.name) if question.name else NOBODY
    found = _seats(question, viewer, names.keys) if of_seats else _matches(question, viewer)
    number = "match_id" if of_seats else "pk"
    if after is not None:
        # The first half bounds the walk through the index, the second puts off what ended at the same moment.
        behind = Q(finished_at__lt=after.finished_at) | Q(**{f"{number}__lt": after.match_id})
        found = found.filter(behind, finished_at__lte=after.finished_at)
    rows = list(found.order_by("-finished_at", f"-{number}").values_list("finished_at", number)[: PAGE + 1])
    more = len(rows) > PAGE
    following = Cursor(*rows[PAGE - 1]) if more else None
    return Page(tuple(match_id for _moment, match_id in rows[:PAGE]), following, names.more)


def tallies(person_id: int, viewer: Viewer) -> dict[str, Tally]:
    """Count a person's public matches by variant and outcome; for the person also those by link, but no void ones."""
    seats = Seat.objects.filter(user=person_id).exclude(outcome="")
    counted = seats if viewer.pk == person_id else seats.filter(listed=True).exclude(match__in=withheld_keys())
    counts: dict[str, dict[str, int]] = {}
    for variant, outcome, number in counted.values_list("variant", "outcome").annotate(Count("match")):
        counts.setdefault(variant, dict.fromkeys(Seat.Outcome.values, 0))[outcome] = number
    return {variant: Tally(sum(found.values()), **found) for variant, found in counts.items()}


def findable(person_id: int | None, viewer: Viewer) -> Q:
    """Return the seats, of one person or of all, in matches that the viewer may find.

    Everybody finds all of their own, so these are not looked for among the listed ones.
    """
    own = person_id is not None and person_id == viewer.pk
    return Q(finished_at__isnull=False) if own else listed_seats(viewer)


def _matches(question: Question, viewer: Viewer) -> QuerySet[Match]:
    found = Match.objects.filter(listed_matches(viewer), _shared(question))
    return found if question.exhibitions else found.filter(_with_people())


def _with_people() -> Q:
    """Return the matches in which a person played; most have a host, so that few seats have to be looked at."""
    person = Q(user__isnull=False) | Q(bot="")
    return Q(host__isnull=False) | Q(Exists(Seat.objects.filter(person, match=OuterRef("pk"))))


def _seats(question: Question, viewer: Viewer, keys: Sequence[str]) -> QuerySet[Seat]:
    """Return the seats that are asked for, of players with these names if the question has one."""
    seats = Seat.objects.filter(findable(question.person_id, viewer), _shared(question))
    if question.name:
        seats = seats.filter(name_key__in=keys)
    if question.person_id:
        seats = seats.filter(user=question.person_id)
    if question.outcome:
        seats = seats.filter(outcome=question.outcome)
    # Two players of one match may have the same name, or both have left.
    return seats if question.person_id else seats.distinct()


def _shared(question: Question) -> Q:
    """Return what matches and seats are asked in the same words."""
    asked = Q(variant=question.variant) if question.variant else Q()
    if question.since:
        asked &= Q(finished_at__gte=timezone.make_aware(datetime.combine(question.since, time.min)))
    if question.until:
        asked &= Q(finished_at__lte=timezone.make_aware(datetime.combine(question.until, time.max)))
    return asked
