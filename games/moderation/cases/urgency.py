"""How urgent a case is: how grave what is reported, and how often its reporters were right before. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.enums import CaseArea, ReportReason, Verdict


class Kind(NamedTuple):
    """The area of a reason, and how grave it is: 3 hurts people or decides matches, 1 annoys."""

    area: CaseArea
    gravity: int


KINDS: Mapping[str, Kind] = {
    ReportReason.STALLS: Kind(CaseArea.CONDUCT, 2),
    ReportReason.INSULTS: Kind(CaseArea.CHAT, 3),
    ReportReason.SPAMS: Kind(CaseArea.CHAT, 1),
    ReportReason.THROWS: Kind(CaseArea.FAIR_PLAY, 2),
    ReportReason.COLLUDES: Kind(CaseArea.FAIR_PLAY, 3),
    ReportReason.ASSISTED: Kind(CaseArea.FAIR_PLAY, 3),
    ReportReason.NAME: Kind(CaseArea.ACCOUNTS, 2),
    ReportReason.SEVERAL: Kind(CaseArea.ACCOUNTS, 2),
}

GRAVITY_BY_HAND = 2


def gravity(reason: str) -> int:
    return KINDS[reason].gravity if reason in KINDS else GRAVITY_BY_HAND


def accuracy(verdicts: Iterable[str]) -> float:
    """Return how likely a reporter is right, by what came of earlier reports: 1/2 where nothing is known."""
    decided = list(verdicts)
    return (decided.count(Verdict.UPHELD) + 1) / (len(decided) + 2)


def score(reports: Iterable[tuple[str, float]]) -> float:
    """Return how urgent a case is, from the reason of each report and the accuracy of its reporter."""
    return sum(gravity(reason) * accurate for reason, accurate in reports)
