"""The charts on a person's page: matches, wins, results and luck by month, by game and by opponent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from datetime import UTC, date
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import formats
from django.utils.safestring import SafeString

from accounts.blocks import ids_with_block_between
from accounts.models import User
from games.history.match_figures import MatchFigures, match_figures
from games.history.plot import balance_bar, share_bar
from games.history.queries import MatchFilter, seats_of_person
from games.history.texts import CHART_TITLES, ONLY_BOTS
from games.words import offered_variants, words_of
from games.words.lookup import number_text

if TYPE_CHECKING:
    from games.access import Viewer

MAX_MATCHES = 500  # of the charts, the latest ones
MAX_ROWS = 6  # shown at once; later ones unfold
MAX_OPPONENTS = 10

Key = TypeVar("Key", bound=Hashable)


class ChartRow(NamedTuple):
    """A group of matches. Averages are None if no match of the group has the number."""

    label: str
    address: str
    matches: int
    won: int
    beaten_opponents_share: float | None
    luck: float | None
    play: float | None

    @property
    def percent(self) -> int | None:
        return None if self.beaten_opponents_share is None else round(100 * self.beaten_opponents_share)


class Chart(NamedTuple):
    """A chart with one row for each month, game or opponent."""

    key: str
    title: str
    rows: Sequence[ChartRow]


class PersonCharts(NamedTuple):
    """The charts of a person. ``of_one_game``: all matches are of one game, so luck can be compared everywhere."""

    charts: Sequence[Chart]
    matches: int
    of_one_game: bool

    @property
    def is_limited(self) -> bool:
        """Return whether there may be more matches than the charts count."""
        return self.matches == MAX_MATCHES


class ChartLine(NamedTuple):
    """A row as the page shows it, with its bars. ``balance``, ``luck`` and ``play`` are "" without luck."""

    row: ChartRow
    bar: SafeString
    balance: SafeString
    luck: str
    play: str


def person_charts(filters: MatchFilter, viewer: Viewer) -> PersonCharts | None:
    """Return the charts of a person's latest matches that pass the filters, None if there are no such matches."""
    person_id = filters.person_id or 0
    seats = seats_of_person(filters, viewer).exclude(outcome="").reverse()
    match_ids = list(seats.values_list("match_id", flat=True)[:MAX_MATCHES])
    all_figures = match_figures(match_ids, person_id)
    if not all_figures:
        return None
    of_one_game = len({figures.match.variant for figures in all_figures}) == 1
    rows_by_key = {
        "months": _by_month(all_figures, with_luck=of_one_game),
        "games": _by_game(all_figures),
        "opponents": _by_opponent(all_figures, viewer, with_luck=of_one_game),
    }
    charts = [Chart(key, str(CHART_TITLES[key]), rows) for key, rows in rows_by_key.items() if rows]
    return PersonCharts(charts, len(all_figures), of_one_game)


def chart_row(label: str, address: str, all_figures: Sequence[MatchFigures], *, with_luck: bool) -> ChartRow:
    """Return the row of a group of matches, ``with_luck`` if they are of one game."""
    shares = [figures.beaten_opponents_share for figures in all_figures if figures.beaten_opponents_share is not None]
    evaluations = [figures.evaluation for figures in all_figures if figures.evaluation and with_luck]
    luck = [evaluation.luck for evaluation in evaluations if evaluation.luck is not None]
    play = [evaluation.play for evaluation in evaluations if evaluation.play is not None]
    return ChartRow(
        label,
        address,
        len(all_figures),
        sum(figures.is_won for figures in all_figures),
        fmean(shares) if shares else None,
        fmean(luck) if luck else None,
        fmean(play) if play else None,
    )


def chart_context(charts: PersonCharts) -> dict[str, Any]:
    """Return the context of ``history/charts.html``."""
    rows = [
        {"key": chart.key, "title": chart.title, "lines": lines[:MAX_ROWS], "later_lines": lines[MAX_ROWS:]}
        for chart in charts.charts
        if (lines := chart_lines(chart.rows))
    ]
    return {"charts": rows, "charts_of": charts}


def chart_lines(rows: Sequence[ChartRow]) -> list[ChartLine]:
    """Return the rows of a chart with bars on a common scale."""
    most = max(row.matches for row in rows)
    all_points = [abs(points) for row in rows for points in (row.luck, row.play) if points is not None]
    most_points = max(all_points, default=0.0)
    return [_chart_line(row, most, most_points) for row in rows]


def _chart_line(row: ChartRow, most: int, most_points: float) -> ChartLine:
    bar = SafeString(share_bar(row.matches, row.won, most))
    if row.luck is None or row.play is None:
        return ChartLine(row, bar, SafeString(""), "", "")
    balance = SafeString(balance_bar(row.luck, row.play, most_points))
    return ChartLine(row, bar, balance, _signed_text(row.luck), _signed_text(row.play))


def _signed_text(points: float) -> str:
    rounded = round(points, 1) or 0.0
    return f"{'+' if rounded > 0 else ''}{number_text(rounded)}"


def _by_month(all_figures: Iterable[MatchFigures], *, with_luck: bool) -> list[ChartRow]:
    """Return the months (UTC) with matches, the newest first."""
    groups = _groups((_month(figures), figures) for figures in all_figures)
    return [
        chart_row(formats.date_format(month, "YEAR_MONTH_FORMAT"), "", groups[month], with_luck=with_luck)
        for month in sorted(groups, reverse=True)
    ]


def _month(figures: MatchFigures) -> date:
    return figures.match.finished_at.astimezone(UTC).date().replace(day=1)


def _by_game(all_figures: Iterable[MatchFigures]) -> list[ChartRow]:
    groups = _groups((figures.match.variant, figures) for figures in all_figures)
    return [
        chart_row(str(words_of(key).name), f"?{urlencode({'game': key})}", groups[key], with_luck=True)
        for key in offered_variants()
        if key in groups
    ]


def _by_opponent(all_figures: Sequence[MatchFigures], viewer: Viewer, *, with_luck: bool) -> list[ChartRow]:
    """Return the most frequent opponents, and the matches against bots alone.

    Deleted and closed accounts, and people blocked by the viewer or blocking the viewer, are left out.
    """
    groups = _groups((user_id, figures) for figures in all_figures for user_id in _opponent_ids(figures))
    hidden = ids_with_block_between(viewer.pk) if viewer.pk else ()
    people = User.objects.filter(pk__in=list(groups), is_active=True, is_closed=False).exclude(pk__in=hidden)
    names = {user_id: name or username for user_id, name, username in people.values_list("pk", "name", "username")}
    frequent = sorted(names, key=lambda user_id: (-len(groups[user_id]), user_id))[:MAX_OPPONENTS]
    rows = [chart_row(names[key], reverse("person", args=[key]), groups[key], with_luck=with_luck) for key in frequent]
    against_bots = [
        figures
        for figures in all_figures
        if all(player.is_bot for side in figures.opponents for player in side.players)
    ]
    if against_bots:
        rows.append(chart_row(str(ONLY_BOTS), "", against_bots, with_luck=with_luck))
    return rows


def _opponent_ids(figures: MatchFigures) -> list[int]:
    return [player.user_id for side in figures.opponents for player in side.players if player.user_id]


def _groups(pairs: Iterable[tuple[Key, MatchFigures]]) -> dict[Key, list[MatchFigures]]:
    groups: dict[Key, list[MatchFigures]] = defaultdict(list)
    for key, figures in pairs:
        groups[key].append(figures)
    return groups
