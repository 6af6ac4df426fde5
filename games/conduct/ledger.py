"""Writing and reading the ledger. What a line costs stands in one table, ``PRICES``.

Guests have no ledger: a name costs them nothing, so points would only keep those who are honest. They gain nothing
from rated play either. Only what others had to bear is charged: who calls this says that somebody else was there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.functional import lazy

from accounts.models import Sanction, User
from accounts.sanctions.wording import sanction_text_late
from accounts.selectors import active_sanction
from games.conduct.balance import Entry, Standing, after, later, standing
from games.conduct.texts import pause_text, price_text
from games.enums import ConductKind
from games.errors import Refused
from games.models import ConductMark

AN_HOUR = timedelta(hours=1)
AT_ONCE = timedelta(0)
ORDER = ("at", "pk")


class Price(NamedTuple):
    """The points of a line, how many of its kind are free within an hour, and within what time they count as one."""

    points: int
    free: int = 0
    once_in: timedelta = AT_ONCE


class Line(NamedTuple):
    """A line as its owner sees it, with the standing that it led to."""

    mark: ConductMark
    then: Standing


class Ledger(NamedTuple):
    """A person's standing, and the lines that led to it, the newest first."""

    standing: Standing
    lines: list[Line]


class Announced(NamedTuple):
    """The price of an act in points and in words, 0 and "" if it costs nothing."""

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
    """Write a line into the ledger of an account. Return its points."""
    since = now - PRICES[kind].once_in
    if not has_ledger(user_id) or ConductMark.objects.filter(user=user_id, kind=kind, at__gt=since).exists():
        return 0
    points = price_of(user_id, kind, now)
    ConductMark.objects.create(user_id=user_id, kind=kind, points=points, at=now, match_id=match_id)
    return points


def has_ledger(user_id: int) -> bool:
    return User.objects.filter(pk=user_id, is_guest=False).exists()


def price_of(user_id: int, kind: str, now: datetime) -> int:
    """Return the points that a line would bring an account now."""
    price = PRICES[kind]
    lately = ConductMark.objects.filter(user=user_id, kind=kind, at__gt=now - AN_HOUR)
    return 0 if price.free and lately.count() < price.free else price.points


def reward(user_ids: Collection[int], now: datetime, *, match_id: int) -> None:
    """Take a point off for a match that these accounts played to its end, if it brought them none."""
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
    """Count no more what a match brought anybody: it is void."""
    ConductMark.objects.filter(match=match_id).update(taken_back=True)


def give_back(match_id: int) -> None:
    """Count again what was taken back: the match is void no more."""
    ConductMark.every.filter(match=match_id).update(taken_back=False)


def forget_settled(user_id: int, moment: datetime) -> int:
    """Erase a person's lines up to a moment at which they had come to nothing, so that no later standing changes.

    Those that are taken back count for nothing anyhow. Return how many.
    """
    void = ConductMark.every.filter(user=user_id, at__lte=moment, taken_back=True).delete()[0]
    until = ConductMark.objects.filter(user=user_id, at__lte=moment).order_by(*ORDER)
    then = standing((Entry(*line) for line in until.values_list("at", "points", "kind")), moment)
    if then.points or then.paused_until is not None:
        return void
    return void + until.delete()[0]


def standing_of(user_id: int, now: datetime) -> Standing:
    """Return the standing of a person."""
    return standing(_entries([user_id]).get(user_id, ()), now)


def announced(user_id: int, kind: str, now: datetime) -> Announced:
    """Return what a line would cost a person now, and how to say so: before the button that brings it is pressed."""
    points = price_of(user_id, kind, now) if has_ledger(user_id) else 0
    return Announced(points, price_text(standing_of(user_id, now), points, now) if points else "")


def ledger_of(user_id: int, now: datetime) -> Ledger:
    """Read a person's ledger with what it comes to now."""
    lines: list[Line] = []
    found = Standing()
    marks = ConductMark.objects.filter(user=user_id).select_related("match").defer("match__secret")
    for mark in marks.order_by(*ORDER):
        found = after(found, Entry(mark.at, mark.points, mark.kind))
        lines.append(Line(mark, found))
    return Ledger(later(found, now), lines[::-1])


def require_no_pause(user_id: int) -> None:
    """Raises Refused ``paused`` with the reason and the end."""
    if sanction := active_sanction(user_id=user_id, kind=Sanction.Kind.PAUSE):
        raise Refused("paused", sanction_text_late(sanction))
    found = standing_of(user_id, timezone.now())
    if found.paused_until is not None:
        raise Refused("paused", lazy(pause_text, str)(found))


def why_paused(user_id: int) -> str:
    """Return until when and why rated play is paused for a person, "" if it is not."""
    try:
        require_no_pause(user_id)
    except Refused as refused:
        return str(refused.text)
    return ""


def _entries(user_ids: Collection[int]) -> dict[int, list[Entry]]:
    rows = ConductMark.objects.filter(user__in=user_ids).order_by(*ORDER)
    entries: dict[int, list[Entry]] = defaultdict(list)
    for user_id, at, points, kind in rows.values_list("user_id", "at", "points", "kind"):
        entries[user_id].append(Entry(at, points, kind))
    return entries
