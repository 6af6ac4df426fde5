"""How well a person chose in the matches of a case, next to their own average: evidence for fair play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.match import disclosure
from games.match_reports import reports
from games.match_reports.report import REPORT_VERSION, PlayerReport, Report
from games.models import Match, MatchReport, Seat

MAX_OWN_MATCHES = 20  # recent matches of the same game with a report, for the person's average


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """A person's choices in one match, or in several."""

    matches: int
    choices: int
    best_percent: int
    average_loss: float


@dataclass(frozen=True, slots=True)
class PlayComparison:
    """The figures of a person in a match, and in their other recent matches of the game (None without any)."""

    here: PlayFigures
    usual: PlayFigures | None


def public_reports(matches: Sequence[Match], now: datetime) -> Mapping[int, Report]:
    """Return the match reports of matches whose end is public, by match."""
    over = [
        match.pk
        for match in matches
        if match.status not in Match.UNFINISHED and disclosure.are_all_events_public(match, now)
    ]
    return reports.reports_of(over)


def compare_play(
    matches: Sequence[Match], match_reports: Mapping[int, Report], user_id: int
) -> Mapping[int, PlayComparison]:
    """Return how a person chose in the matches that have a report, by match."""
    seats = dict(Seat.objects.filter(match__in=match_reports, user=user_id).values_list("match", "index"))
    variants = {match.pk: match.variant for match in matches}
    usual = {
        variant: _usual_figures(user_id, variant, excluded=match_reports)
        for variant in {variants[match_id] for match_id in seats}
    }
    return {
        match_id: PlayComparison(
            play_figures([match_reports[match_id].player_report(seat)]), usual[variants[match_id]]
        )
        for match_id, seat in seats.items()
    }


def play_figures(players: Iterable[PlayerReport]) -> PlayFigures:
    """Return the figures of one or several matches together."""
    rows = list(players)
    total = PlayerReport(
        sum(row.lost for row in rows),
        sum(row.choices for row in rows),
        sum(row.best for row in rows),
        sum(row.chance_lost for row in rows),
    )
    return PlayFigures(len(rows), total.choices, round(100 * total.best_share), total.average_loss)


def _usual_figures(user_id: int, variant: str, *, excluded: Iterable[int]) -> PlayFigures | None:
    with_report = MatchReport.objects.filter(version=REPORT_VERSION, data__isnull=False).values("match")
    seats = Seat.objects.filter(user=user_id, variant=variant, match__in=with_report).exclude(match__in=[*excluded])
    recent = dict(seats.order_by("-finished_at", "-match").values_list("match", "index")[:MAX_OWN_MATCHES])
    own_reports = reports.reports_of(recent)
    players = [report.player_report(recent[match_id]) for match_id, report in own_reports.items()]
    return play_figures(players) if players else None
