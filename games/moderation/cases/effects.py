"""What matches did to the ratings and the rating points of the people in them, as far as it is public."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.match import disclosure
from games.models import Match, RatingChange, Seat
from games.ratings.skill import Skill


@dataclass(frozen=True, slots=True)
class Effect:
    """What a match did to somebody: the rating before and after, and rating points gained; None where none count."""

    name: str
    user_id: int | None
    outcome: str
    before: int | None
    after: int | None
    points: int | None

    @property
    def change(self) -> int | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class Total:
    """What the matches of a case together did to one person; None where nothing counted. ``matches`` are those."""

    change: int | None
    points: int | None
    matches: int


def effects_of(matches: Sequence[Match], now: datetime) -> dict[int, list[Effect]]:
    """Read what each match did to those who held its seats, bots left out; nothing of one whose end is not public."""
    over = [match.pk for match in matches if _is_over(match, now)]
    changes: dict[tuple[int, int], RatingChange] = {
        (row.match_id, row.seat): row for row in RatingChange.objects.filter(match__in=over)
    }
    found: dict[int, list[Effect]] = defaultdict(list)
    for seat in Seat.objects.filter(match__in=over, user__isnull=False).order_by("match", "index"):
        found[seat.match_id].append(_effect(seat, changes.get((seat.match_id, seat.index))))
    return dict(found)


def total_of(effects: Mapping[int, Sequence[Effect]], user_id: int) -> Total | None:
    """Return what they did to one person together, None if nothing that they did could count."""
    own = [effect for each in effects.values() for effect in each if effect.user_id == user_id]
    rated = [effect for effect in own if effect.change is not None or effect.points is not None]
    if not rated:
        return None
    return Total(_sum(each.change for each in rated), _sum(each.points for each in rated), len(rated))


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def _is_over(match: Match, now: datetime) -> bool:
    return match.status not in Match.UNFINISHED and disclosure.is_public(match, now)


def _effect(seat: Seat, change: RatingChange | None) -> Effect:
    before = None if change is None else Skill(change.mu_before, change.sigma_before).shown
    after = None if change is None else Skill(change.mu, change.sigma).shown
    return Effect(seat.name, seat.user_id, seat.get_outcome_display(), before, after, seat.points_gain)
