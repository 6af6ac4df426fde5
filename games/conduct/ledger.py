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
from games.conduct.balance import (
    ConductStanding,
    LedgerEntry,
    standing_after_entries,
    standing_at,
    standing_with_entry,
)
from games.conduct.texts import pause_text, price_text
from games.enums import ConductKind
from games.errors import Refused
from games.models import ConductMark

FREE_WINDOW = timedelta(hours=1)
CHRONOLOGICAL = ("at", "pk")


class Price(NamedTuple):
    """The points for a kind of conduct.

    The first ``free_per_hour`` acts within an hour cost nothing. Acts within ``merge_window`` count as one.
    """

    points: int
    free_per_hour: int = 0
    merge_window: timedelta = timedelta()


class LedgerLine(NamedTuple):
    """A mark, and the standing after it."""

    mark: ConductMark
    standing_after: ConductStanding


class Ledger(NamedTuple):
    """A person's standing, and the lines that led to it, newest first."""

    standing: ConductStanding
    lines: list[LedgerLine]


class PriceQuote(NamedTuple):
    """The price of an act in points and in words, 0 and "" if it is free."""

    points: int
    text: str


PRICES: Mapping[str, Price] = {
    ConductKind.LATE: Price(1),
    ConductKind.HELD: Price(2),
    ConductKind.FORFEITED: Price(3),
    ConductKind.LEFT: Price(3),
    ConductKind.STOOD_UP: Price(1, free_per_hour=2),
    ConductKind.FLOOD: Price(1, free_per_hour=1, merge_window=timedelta(minutes=1)),
    ConductKind.CLEAN: Price(-1),
}


def charge_points(user_id: int, kind: str, now: datetime, *, match_id: int | None = None) -> int:
    """Add a line to the ledger of an account. Return its points."""
    since = now - PRICES[kind].merge_window
    if not has_ledger(user_id) or ConductMark.objects.filter(user=user_id, kind=kind, at__gt=since).exists():
        return 0
    points = current_price(user_id, kind, now)
    ConductMark.objects.create(user_id=user_id, kind=kind, points=points, at=now, match_id=match_id)
    return points


def has_ledger(user_id: int) -> bool:
    return User.objects.filter(pk=user_id, is_guest=False).exists()


def current_price(user_id: int, kind: str, now: datetime) -> int:
    """Return the points that an act would cost an account now."""
    price = PRICES[kind]
    recent = ConductMark.objects.filter(user=user_id, kind=kind, at__gt=now - FREE_WINDOW)
    return 0 if price.free_per_hour and recent.count() < price.free_per_hour else price.points


def reward_finishers(user_ids: Collection[int], now: datetime, *, match_id: int) -> None:
    """Remove a point from accounts that finished a match, unless it cost them any."""
    entries = _entries_by_user(user_ids)
    charged_marks = ConductMark.objects.filter(match=match_id, points__gt=0) if entries else ConductMark.objects.none()
    charged_user_ids = set(charged_marks.values_list("user_id", flat=True))
    ConductMark.objects.bulk_create(
        ConductMark(
            user_id=user_id, kind=ConductKind.CLEAN, points=PRICES[ConductKind.CLEAN].points, at=now, match_id=match_id
        )
        for user_id, lines in entries.items()
        if user_id not in charged_user_ids and standing_after_entries(lines, now).points
    )


def exclude_match_marks(match_id: int) -> None:
    """Exclude the lines of a void match."""
    ConductMark.objects.filter(match=match_id).update(taken_back=True)


def include_match_marks(match_id: int) -> None:
    """Include the lines of a match again that was void."""
    ConductMark.all_objects.filter(match=match_id).update(taken_back=False)


def delete_settled_marks(user_id: int, moment: datetime) -> int:
    """Delete a person's lines up to a time if the standing was clear then, so that no later standing changes.

    Lines of void matches are always deleted. Return the number of deleted lines.
    """
    deleted_void_marks = ConductMark.all_objects.filter(user=user_id, at__lte=moment, taken_back=True).delete()[0]
    marks = ConductMark.objects.filter(user=user_id, at__lte=moment).order_by(*CHRONOLOGICAL)
    standing = standing_after_entries(
        (LedgerEntry(*line) for line in marks.values_list("at", "points", "kind")), moment
    )
    if standing.points or standing.paused_until is not None:
        return deleted_void_marks
    return deleted_void_marks + marks.delete()[0]


def current_standing(user_id: int, now: datetime) -> ConductStanding:
    return standing_after_entries(_entries_by_user([user_id]).get(user_id, ()), now)


def quote_price(user_id: int, kind: str, now: datetime) -> PriceQuote:
    """Return what an act would cost a person now, to show it in advance."""
    points = current_price(user_id, kind, now) if has_ledger(user_id) else 0
    return PriceQuote(points, price_text(current_standing(user_id, now), points, now) if points else "")


def load_ledger(user_id: int, now: datetime) -> Ledger:
    """Return a person's ledger with the standing now."""
    lines: list[LedgerLine] = []
    current = ConductStanding()
    marks = ConductMark.objects.filter(user=user_id).select_related("match").defer("match__secret")
    for mark in marks.order_by(*CHRONOLOGICAL):
        current = standing_with_entry(current, LedgerEntry(mark.at, mark.points, mark.kind))
        lines.append(LedgerLine(mark, current))
    return Ledger(standing_at(current, now), lines[::-1])


def require_no_pause(user_id: int) -> None:
    """Raises Refused ``paused``, with the reason and the end, for a person whose rated play is paused."""
    if sanction := active_sanction(user_id=user_id, kind=Sanction.Kind.PAUSE):
        raise Refused("paused", lazy_sanction_text(sanction))
    current = current_standing(user_id, timezone.now())
    if current.paused_until is not None:
        raise Refused("paused", lazy(pause_text, str)(current))


def pause_reason(user_id: int | None) -> str:
    """Return until when and why rated play is paused for a person, "" if it is not."""
    try:
        require_no_pause(user_id or 0)
    except Refused as refusal:
        return str(refusal.text)
    return ""


def _entries_by_user(user_ids: Collection[int]) -> dict[int, list[LedgerEntry]]:
    rows = ConductMark.objects.filter(user__in=user_ids).order_by(*CHRONOLOGICAL)
    entries: dict[int, list[LedgerEntry]] = defaultdict(list)
    for user_id, at, points, kind in rows.values_list("user_id", "at", "points", "kind"):
        entries[user_id].append(LedgerEntry(at, points, kind))
    return entries
