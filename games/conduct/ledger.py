"""Writing and reading the conduct ledger. ``PRICES`` has the points of each kind of conduct.

Guests have no ledger: they gain nothing from rated play, and could avoid points with a new name. Callers charge only
for conduct that affected other people.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.functional import lazy

from accounts.models import Sanction, User
from accounts.sanctions.wording import lazy_sanction_text
from accounts.selectors import active_sanction
from games.conduct.balance import Entry, Standing, after, later, standing
from games.conduct.texts import pause_text, price_text
from games.enums import ConductKind
from games.errors import Refused
from games.models import ConductMark

AN_HOUR = timedelta(hours=1)
ORDER = ("at", "pk")


class Price(NamedTuple):
    """The points for a kind of conduct. ``free`` an hour cost nothing, and those within ``once_in`` count as one."""

    points: int
    free: int = 0
    once_in: timedelta = timedelta()


class Line(NamedTuple):
    """A mark, and the standing after it."""

    mark: ConductMark
    then: Standing


class Ledger(NamedTuple):
    """A person's standing, and the lines that led to it, newest first."""

    standing: Standing
    lines: list[Line]


class Quote(NamedTuple):
    """The price of an act in points and in words, 0 and "" if it is free."""

    points: int
    text: str


PRICES: Mapping[str, Price] = {
    ConductKind.LATE: Price(1),
    ConductKind.HELD: Price(2),
    ConductKind.FORFEITED: Price(3),
    ConductKind.LEFT: Price(3),
    ConductKind.STOOD_UP: Price(1, free=2),
    ConductKind.FLOOD: Price(1, free=1, once_in=timedelta(minutes=1)),
    ConductKind.CLEAN: Price(-1),
}


def charge(user_id: int, kind: str, now: datetime, *, match_id: int | None = None) -> int:
    """Add a line to the ledger of an account. Return its points."""
    since = now - PRICES[kind].once_in
    if not has_ledger(user_id) or ConductMark.objects.filter(user=user_id, kind=kind, at__gt=since).exists():
        return 0
    points = price_of(user_id, kind, now)
    ConductMark.objects.create(user_id=user_id, kind=kind, points=points, at=now, match_id=match_id)
    return points


def has_ledger(user_id: int) -> bool:
    return User.objects.filter(pk=user_id, is_guest=False).exists()


def price_of(user_id: int, kind: str, now: datetime) -> int:
    """Return the points that an act would cost an account now."""
    price = PRICES[kind]
    recent = ConductMark.objects.filter(user=user_id, kind=kind, at__gt=now - AN_HOUR)
    return 0 if price.free and recent.count() < price.free else price.points


def reward(user_ids: Collection[int], now: datetime, *, match_id: int) -> None:
    """Remove a point from accounts that finished a match, unless it cost them any."""
    entries = _entries(user_ids)
    marked = ConductMark.objects.filter(match=match_id, points__gt=0) if entries else ConductMark.objects.none()
    unclean = set(marked.values_list("user_id", flat=True))
    ConductMark.objects.bulk_create(
        ConductMark(
            user_id=user_id, kind=ConductKind.CLEAN, points=PRICES[ConductKind.CLEAN].points, at=now, match_id=match_id
        )
        for user_id, lines in entries.items()
        if user_id not in unclean and standing(lines, now).points
    )


def take_back(match_id: int) -> None:
    """Exclude the lines of a void match."""
    ConductMark.objects.filter(match=match_id).update(taken_back=True)


def give_back(match_id: int) -> None:
    """Include the lines of a match again that was void."""
    ConductMark.all_objects.filter(match=match_id).update(taken_back=False)


def forget_settled(user_id: int, moment: datetime) -> int:
    """Delete a person's lines up to a time if the standing was clear then, so that no later standing changes.

    Lines of void matches are always deleted. Return the number of deleted lines.
    """
    void = ConductMark.all_objects.filter(user=user_id, at__lte=moment, taken_back=True).delete()[0]
    until = ConductMark.objects.filter(user=user_id, at__lte=moment).order_by(*ORDER)
    then = standing((Entry(*line) for line in until.values_list("at", "points", "kind")), moment)
    if then.points or then.paused_until is not None:
        return void
    return void + until.delete()[0]


def standing_of(user_id: int, now: datetime) -> Standing:
    return standing(_entries([user_id]).get(user_id, ()), now)


def quote(user_id: int, kind: str, now: datetime) -> Quote:
    """Return what an act would cost a person now, to show it in advance."""
    points = price_of(user_id, kind, now) if has_ledger(user_id) else 0
    return Quote(points, price_text(standing_of(user_id, now), points, now) if points else "")


def ledger_of(user_id: int, now: datetime) -> Ledger:
    """Return a person's ledger with the standing now."""
    lines: list[Line] = []
    current = Standing()
    marks = ConductMark.objects.filter(user=user_id).select_related("match").defer("match__secret")
    for mark in marks.order_by(*ORDER):
        current = after(current, Entry(mark.at, mark.points, mark.kind))
        lines.append(Line(mark, current))
    return Ledger(later(current, now), lines[::-1])


def require_no_pause(user_id: int) -> None:
    """Raises Refused ``paused``, with the reason and the end, for a person whose rated play is paused."""
    if sanction := active_sanction(user_id=user_id, kind=Sanction.Kind.PAUSE):
        raise Refused("paused", lazy_sanction_text(sanction))
    current = standing_of(user_id, timezone.now())
    if current.paused_until is not None:
        raise Refused("paused", lazy(pause_text, str)(current))


def why_paused(user_id: int | None) -> str:
    """Return until when and why rated play is paused for a person, "" if it is not."""
    try:
        require_no_pause(user_id or 0)
    except Refused as refused:
        return str(refused.text)
    return ""


def _entries(user_ids: Collection[int]) -> dict[int, list[Entry]]:
    rows = ConductMark.objects.filter(user__in=user_ids).order_by(*ORDER)
    entries: dict[int, list[Entry]] = defaultdict(list)
    for user_id, at, points, kind in rows.values_list("user_id", "at", "points", "kind"):
        entries[user_id].append(Entry(at, points, kind))
    return entries
