"""The urgency of a case, from the gravity of its reports and the accuracy of its reporters. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.enums import CaseArea, ReportReason, Verdict


class ReasonKind(NamedTuple):
    """The area of a reason, and its gravity: 3 hurts people or decides matches, 1 annoys."""

    area: CaseArea
    gravity: int


REASON_KINDS: Mapping[str, ReasonKind] = {
    ReportReason.STALLS: ReasonKind(CaseArea.CONDUCT, 2),
    ReportReason.INSULTS: ReasonKind(CaseArea.CHAT, 3),
    ReportReason.SPAMS: ReasonKind(CaseArea.CHAT, 1),
    ReportReason.THROWS: ReasonKind(CaseArea.FAIR_PLAY, 2),
    ReportReason.COLLUDES: ReasonKind(CaseArea.FAIR_PLAY, 3),
    ReportReason.ASSISTED: ReasonKind(CaseArea.FAIR_PLAY, 3),
    ReportReason.NAME: ReasonKind(CaseArea.ACCOUNTS, 2),
    ReportReason.SEVERAL: ReasonKind(CaseArea.ACCOUNTS, 2),
}
GRAVITY_BY_HAND = 2


def accuracy(verdicts: Iterable[str]) -> float:
    """Return the probability that a reporter is right, from earlier verdicts: 1/2 without any."""
    decided = list(verdicts)
    return (decided.count(Verdict.UPHELD) + 1) / (len(decided) + 2)


def urgency_score(reports: Iterable[tuple[str, float]]) -> float:
    """Return the urgency of a case from the reasons of its reports and the accuracy of their reporters."""
    return sum(
        (REASON_KINDS[reason].gravity if reason in REASON_KINDS else GRAVITY_BY_HAND) * weight
        for reason, weight in reports
    )
