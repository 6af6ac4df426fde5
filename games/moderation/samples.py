"""Invented cases to train moderators, each with the decision of an experienced one and its reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from games.models import Case
from games.moderation.cases.own_figures import DECISION_LABELS

SAMPLE_CASES_FILE = Path(__file__).parent / "sample_cases.json"
USERNAME_PREFIX = "sample-"


@dataclass(frozen=True, slots=True)
class SampleCase:
    """A reported person, what happened, and the decision that an experienced moderator would make, with its reason."""

    suspect: str
    reason: str
    measure: str
    advice: str
    lines: Sequence[tuple[str, str]] = ()  # of chat: the writer, "suspect" or "reporter", and the text
    reported_line_index: int | None = None  # the index of the reported line
    words: str = ""  # of the reporter
    variant: str = "kozel"
    step: int | None = None  # the reported step; the suspect's nearest to it is taken
    marks: Sequence[str] = ()  # in the suspect's conduct ledger
    reports: int = 1

    @property
    def advice_text(self) -> str:
        """Return the decision of an experienced moderator, for the page after one's own."""
        fields = {"decision": DECISION_LABELS[self.measure], "advice": self.advice}
        return _("Sample case. An experienced moderator would choose: %(decision)s. %(advice)s") % fields


def read_sample_cases() -> list[SampleCase]:
    return [SampleCase(**fields) for fields in json.loads(SAMPLE_CASES_FILE.read_text())]


def sample_case_of(case: Case) -> SampleCase | None:
    """Return the sample from which a case was made, None for a real case."""
    suspect = case.suspect
    # Invented people have no password; a real account with such a name has one.
    if suspect is None or not suspect.username.startswith(USERNAME_PREFIX) or suspect.has_usable_password():
        return None
    return next((sample for sample in read_sample_cases() if sample.suspect == suspect.name), None)
