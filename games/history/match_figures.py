"""The figures of a person's matches: results, points, and what the reports say about choices and luck."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from games.enums import Outcome
from games.history.matches import finished_matches
from games.match.listed import FinishedMatch, FinishedPlayer, FinishedSide
from games.match_reports import reports
from games.match_reports.report import Report


class Evaluation(NamedTuple):
    """What the report of a match says about a player.

    ``chance_lost`` and ``lost`` are what the choices cost, of the chance to win and in points. ``luck`` and ``play``,
    which add up to the player's result, are None if no round was finished.
    """

    choices: int
    chance_lost: float
    lost: float
    luck: float | None
    play: float | None


class MatchFigures(NamedTuple):
    """A match from the point of view of a player in it.

    ``opponents`` are the sides of the others. A side with a partner who left is in it twice. ``evaluation`` is None
    without a report.
    """

    match: FinishedMatch
    own: FinishedPlayer
    own_side: FinishedSide
    opponents: tuple[FinishedSide, ...]
    evaluation: Evaluation | None

    @property
    def counts(self) -> bool:
        """Return True unless the match is void."""
        return bool(self.own.outcome)

    @property
    def is_won(self) -> bool:
        return self.own.outcome == Outcome.WON

    @property
    def partners(self) -> tuple[FinishedPlayer, ...]:
        sides = (side for side in self.match.sides if side.number == self.own_side.number)
        return tuple(player for side in sides for player in side.players if player is not self.own)

    @property
    def place(self) -> int | None:
        """Return the place of the player's side, None in a match without a result."""
        return self.own_side.place if self.counts else None

    @property
    def beaten_opponents_share(self) -> float | None:
        """Return the share of opponents behind the player, a tie counting half; None in a match without a result."""
        own_place = self.place
        if own_place is None:
            return None
        places = [side.place for side in self.opponents for _player in side.players if side.place]
        return fmean((place > own_place) + (place == own_place) / 2 for place in places) if places else None


def match_figures(match_ids: Sequence[int], person_id: int) -> list[MatchFigures]:
    """Return the figures of these matches of a person, in this order."""
    report_by_match = reports.reports_of(match_ids)
    return [
        _figures(match, match.own, report_by_match.get(match.match_id))
        for match in finished_matches(match_ids, person_id)
        if match.own is not None
    ]


def _figures(match: FinishedMatch, own: FinishedPlayer, report: Report | None) -> MatchFigures:
    own_side = next(side for side in match.sides if own in side.players)
    opponents = tuple(side for side in match.sides if side.number != own_side.number)
    return MatchFigures(match, own, own_side, opponents, report and _evaluation(report, own.seat))


def _evaluation(report: Report, seat: int) -> Evaluation:
    player, total = report.player_report(seat), report.match_total
    luck, play = (total.luck[seat], total.play[seat]) if total else (None, None)
    return Evaluation(player.choices, player.chance_lost, player.lost, luck, play)
