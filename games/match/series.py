"""The matches that the same people played one after the other, by rematches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db.models import Q

from games.match import disclosure
from games.models import Match, Seat


def earlier_match_ids(match_id: int, series_id: int | None) -> tuple[int, ...]:
    """Return the earlier matches of a series whose end is public."""
    if series_id is None:
        return ()
    series = Match.objects.filter(
        disclosure.disclosed_matches(), Q(pk=series_id) | Q(series=series_id), pk__lt=match_id
    )
    return tuple(series.order_by("pk").values_list("pk", flat=True))


def later_match_ids(match: Match) -> tuple[int, ...]:
    """Return the later matches of a series."""
    series = Match.objects.filter(series=match.series_id or match.pk, pk__gt=match.pk)
    return tuple(series.values_list("pk", flat=True))


def count_wins(match_ids: Sequence[int], seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return by seat how many of these matches its player won; players change seats between matches."""
    if not match_ids:
        return ()
    winners = Seat.objects.filter(match__in=match_ids, outcome=Seat.Outcome.WON).only("user_id", "name")
    wins_by_player = Counter(map(_player, winners))
    return tuple(wins_by_player[_player(seat)] for seat in seats)


def _player(seat: Seat) -> tuple[int | None, str]:
    """Return the key of a player in a series: bots have no user."""
    return seat.user_id, "" if seat.user_id else seat.name
