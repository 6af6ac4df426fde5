"""The sample cases are real cases, and each is decided without leaving its page."""

from __future__ import annotations

import html
from collections import Counter

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import ModerationAct, User
from accounts.sanctions.measures import Kind
from accounts.sanctions.reasons import NO_ACTION, REASONS
from games.enums import CaseArea, Verdict, VerdictOnly
from games.management.commands.sample_cases import make_cases
from games.models import Case
from games.moderation.cases.urgency import REASON_KINDS
from games.moderation.samples import SampleCase, read_sample_cases, sample_case_of
from games.review import steps
from tests.games.tables import browser_of, person

MOST_CLICKS = 6
BUTTONS = 1


def decision_of(sample: SampleCase) -> dict[str, str]:
    """Return what a moderator presses on the page of the case: each is one click, for nothing has to be opened."""
    about = NO_ACTION if sample.measure == VerdictOnly.DISMISS else REASON_KINDS[sample.reason].area
    chosen: dict[str, str] = {"measure": sample.measure, "preset": REASONS[about][0]}
    if sample.measure in (Kind.MUTE, Kind.PAUSE, Kind.SUSPENSION):
        chosen["length"] = "week"
    if sample.reported_line_index is not None and sample.measure != VerdictOnly.DISMISS:
        chosen["hide"] = "on"
    return chosen


def is_offered(page: str, name: str, value: str) -> bool:
    kind = '"checkbox"' if value == "on" else '"radio"'
    choice = "" if value == "on" else f' value="{value}"'
    return f'<input type={kind} name="{name}"{choice}' in page


def test_twenty_cases_of_every_area_and_measure_are_decided_one_after_the_other(moderator: User) -> None:
    samples = read_sample_cases()
    cases = make_cases(samples)
    assert len(cases) == 20
    assert {case.area for case in cases} == set(CaseArea.values)
    assert {sample.measure for sample in samples} == {*VerdictOnly.values, *Kind.values}
    of = dict(zip((case.pk for case in cases), samples, strict=True))
    client = browser_of(moderator)
    page = client.post(reverse("admin:games_case_next")).headers["Location"]
    for _ in cases:
        sample = of[Case.objects.get(holder=moderator).pk]
        text, decision = client.get(page).text, decision_of(sample)
        assert [press for press in decision.items() if not is_offered(text, *press)] == []
        assert len(decision) + BUTTONS <= MOST_CLICKS
        answer = client.post(page, {"length": "day"} | decision)
        if sample.measure == Kind.CLOSURE:
            assert is_offered(answer.text, "sure", "on"), "a closure is confirmed once"
            answer = client.post(page, {"length": "day", "sure": "on"} | decision)
        page = answer.headers["Location"]
    assert page == reverse("admin:games_case_changelist")
    assert not Case.objects.filter(closed_at=None).exists()
    dismissed = [sample for sample in samples if sample.measure == VerdictOnly.DISMISS]
    assert Case.objects.filter(verdict=Verdict.DISMISSED).count() == len(dismissed)
    acts = Counter(ModerationAct.objects.values_list("act", flat=True))
    expected = Counter(sample.measure for sample in samples)
    measures = set(Kind)
    assert {act: acts[act] for act in measures} == {measure: expected[measure] for measure in measures}


def test_reports_concern_the_suspect_and_have_realistic_times(moderator: User) -> None:
    chosen = [sample for sample in read_sample_cases() if sample.step or sample.reported_line_index is not None]
    for case in make_cases(chosen):
        (report, *_others) = case.reports.select_related("match", "message__user")
        match_steps = steps.load_match_steps(report.match.pk, report.match.version)
        moments = [step.at for step in match_steps.steps if step.at]
        assert (moments[-1] - moments[0]).total_seconds() >= 8 * (len(moments) - 1) > 0
        if report.step:
            seat = report.match.seats.get(user=case.suspect).index
            assert getattr(match_steps.step(report.step).events[0], "seat", None) == seat
        if report.message:
            assert report.message.user == case.suspect
            assert moments[0] < report.message.at < moments[-1]


def test_page_shows_the_advice_after_each_decision_of_a_sample_case(moderator: User) -> None:
    samples = read_sample_cases()[:2]
    cases, client = make_cases(samples), browser_of(moderator)
    for sample, case in zip(samples, cases, strict=True):
        page = reverse("admin:games_case_change", args=[case.pk])
        assert sample.advice not in client.get(page).text, "not before the decision"
        answer = client.post(page, {"length": "day", "sure": "on"} | decision_of(sample), follow=True)
        assert sample.advice in html.unescape(answer.text)


def test_real_cases_have_no_advice(ann: User) -> None:
    namesake = person(read_sample_cases()[0].suspect)
    for suspect in (ann, namesake):
        assert sample_case_of(Case.objects.create(suspect=suspect, area="chat")) is None


def test_production_needs_a_second_confirmation() -> None:
    with pytest.raises(CommandError, match="--anyway"):
        call_command("sample_cases")
    assert not Case.objects.exists()
