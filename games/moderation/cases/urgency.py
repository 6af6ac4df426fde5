"""The urgency of a case, from the gravity of its reports and the accuracy of its reporters. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.enums import CaseArea, Detector, ReportReason, Verdict


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
GRAVITY_OF_RAID = 3


class TrackRecord(NamedTuple):
    """The decided cases in which a source of reports was heard, and how many of them were upheld."""

    upheld: int
    decided: int

    @property
    def accuracy(self) -> float:
        """Return the probability that the source is right: 1/2 before anything is decided."""
        return (self.upheld + 1) / (self.decided + 2)


def track_record(verdicts: Iterable[str]) -> TrackRecord:
    decided = list(verdicts)
    return TrackRecord(decided.count(Verdict.UPHELD), len(decided))


def gravity(reason: str, detector: str = "") -> int:
    """Return the gravity of a report: of its reason, or of a raid."""
    if detector == Detector.RAID:
        return GRAVITY_OF_RAID
    return REASON_KINDS[reason].gravity if reason in REASON_KINDS else GRAVITY_BY_HAND


def urgency_score(voices: Iterable[float]) -> float:
    """Return the urgency of a case. Each further voice counts half as much, so that no campaign outweighs the gravity.

    >>> [urgency_score([1.0] * voices) for voices in (1, 2, 3)]
    [1.0, 1.5, 1.75]
    """
    return sum(voice / (1 << rank) for rank, voice in enumerate(sorted(voices, reverse=True)))
