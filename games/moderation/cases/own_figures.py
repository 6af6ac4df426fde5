"""A moderator's own figures, and what became of their proposals and of their sanctions on appeal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.db.models import QuerySet

from accounts.models import Appeal, ModerationAct, Sanction, User
from accounts.sanctions.measures import FORM_CHOICES
from games.enums import VerdictOnly
from games.models import Case
from games.moderation.cases.queue import cases_visible_to

PERIOD = timedelta(days=90)
MAX_LESSONS = 10  # proposals, and sanctions that were lifted on appeal
Act = ModerationAct.Act
MEASURE_OF_VERDICT = {Act.DISMISS.value: VerdictOnly.DISMISS.value, Act.UPHOLD.value: VerdictOnly.UPHOLD.value}
DECISION_LABELS = dict([*VerdictOnly.choices, *FORM_CHOICES])


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """The decided cases, the sanctions lifted on appeal, and the median time from opening a case to its decision."""

    decided: int
    reversed: int
    median_time: timedelta | None


@dataclass(frozen=True, slots=True)
class ProposalOutcome:
    """A proposal, and the decision of another moderator with its reason; None while it waits."""

    case: Case
    proposed: str
    decided: str | None
    reason: str

    @property
    def was_followed(self) -> bool:
        return self.proposed == self.decided

    @property
    def labels(self) -> tuple[str, str]:
        """Return the proposed and the decided measure in words."""
        return str(DECISION_LABELS.get(self.proposed, "")), str(DECISION_LABELS.get(self.decided or "", ""))


def own_figures(moderator: User, now: datetime) -> OwnFigures:
    """Return the figures of the last ``PERIOD``."""
    since = now - PERIOD
    acts = ModerationAct.objects.filter(moderator=moderator, at__gt=since, target__startswith="case:")
    rows = acts.filter(act__in=(Act.LOOK, *MEASURE_OF_VERDICT)).order_by("pk").values_list("act", "target", "at")
    opened: dict[str, datetime] = {}
    seconds: list[float] = []
    for act, target, at in rows:
        if act == Act.LOOK:
            opened[target] = at
        elif target in opened:
            seconds.append((at - opened[target]).total_seconds())
    decided = sum(act in MEASURE_OF_VERDICT for act, _target, _at in rows)
    lifted = lifted_on_appeal(moderator).filter(decided_at__gt=since).count()
    return OwnFigures(decided, lifted, timedelta(seconds=median(seconds)) if seconds else None)


def lifted_on_appeal(moderator: User) -> QuerySet[Appeal]:
    """Return the granted appeals against sanctions that this moderator imposed, newest first."""
    appeals = Appeal.objects.filter(sanction__moderator=moderator, verdict=Appeal.Verdict.GRANTED)
    return appeals.select_related("sanction__user").order_by("-decided_at")


def proposal_outcomes(moderator: User) -> Sequence[ProposalOutcome]:
    """Return what became of the newest proposals of this moderator."""
    cases = Case.objects.filter(cases_visible_to(moderator.pk), proposed_by=moderator).select_related("suspect")
    newest = list(cases.order_by("-pk")[:MAX_LESSONS])
    decisions = _decisions(newest)
    return [
        ProposalOutcome(case, (case.proposal or {}).get("measure", ""), *decisions.get(case.pk, (None, "")))
        for case in newest
    ]


def _decisions(cases: Sequence[Case]) -> Mapping[int, tuple[str, str]]:
    """Return the measure or verdict of decided cases, and its reason, by case."""
    case_of = {f"case:{case.pk}": case.pk for case in cases}
    decisions: dict[int, tuple[str, str]] = {}
    verdicts = ModerationAct.objects.filter(act__in=MEASURE_OF_VERDICT, target__in=case_of)
    for act, target, reason in verdicts.values_list("act", "target", "reason"):
        decisions[case_of[target]] = MEASURE_OF_VERDICT[act], reason
    measures = ModerationAct.objects.filter(act__in=Sanction.Kind.values, evidence__in=case_of)
    for act, evidence, reason in measures.values_list("act", "evidence", "reason"):
        decisions[case_of[evidence]] = act, reason
    return decisions
