"""Weights of reports: shared addresses and devices count once, guests share their accuracy, new ones count less."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import traces
from accounts.models import Trace, User
from games.errors import Refused
from games.models import Case, Report
from games.moderation.cases.evidence import load_case_file
from games.moderation.cases.reporting import ReportedPlace, report_person
from infrastructure.limit_settings import parse_rate_limits
from infrastructure.limits import limits
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.games.tables import browser_of, person
from tests.moderating import decide_case, newest_act


def came_from(user: User, *marks: str) -> User:
    for mark in marks:
        kind = Trace.Kind.DEVICE if mark.startswith("device") else Trace.Kind.ADDRESS
        Trace.objects.create(user=user, kind=kind, mark=mark, seen_at=timezone.now())
    return user


def new_guest(*marks: str) -> User:
    return came_from(person("Guest", is_guest=True), *marks)


def guest(*marks: str) -> User:
    """Return a guest with a finished match."""
    guest = new_guest(*marks)
    create_finished_match([guest, person("Opponent")])
    return guest


def report_to_case(reporter: User, suspect: User, reason: str = "insults") -> Case:
    return report_person(reporter=reporter, suspect=suspect, reason=reason, place=ReportedPlace()).case


def decide(case: Case, verdict: str) -> None:
    Case.objects.filter(pk=case.pk).update(closed_at=timezone.now(), verdict=verdict)


class TestSharedTraces:
    def test_guests_of_one_address_count_once(self) -> None:
        one, many = person("One"), person("Many")
        report_to_case(guest("school"), one)
        for _ in range(25):
            report_to_case(guest("home"), many)
        scores = dict(Case.objects.values_list("suspect__name", "score"))
        assert scores == {"One": 1.5, "Many": 1.5}

    def test_accounts_of_one_device_count_as_the_most_accurate_one(self, ann: User) -> None:
        ben, cleo = (came_from(person(name), "device 1") for name in ("Ben", "Cleo"))
        decide(report_to_case(ben, person("X")), "upheld")
        report_to_case(cleo, ann)
        assert report_to_case(ben, ann).score == pytest.approx(3 * 2 / 3)

    def test_reporters_are_grouped_across_several_traces(self) -> None:
        first, second, third = guest("home"), guest("home", "device 1"), guest("school", "device 1")
        apart = guest("elsewhere")
        groups = traces.group_people([reporter.pk for reporter in (first, second, third, apart)])
        assert sorted(map(sorted, groups)) == [[first.pk, second.pk, third.pk], [apart.pk]]

    def test_people_without_a_common_trace_count_separately(self, ann: User) -> None:
        report_to_case(guest("school"), ann)
        # 3 * 1/2 from the first voice, and half of that from the second.
        assert report_to_case(guest("home"), ann).score == 2.25

    def test_case_page_has_the_number_of_reporters_from_one_place(self, ann: User, moderator: User) -> None:
        for _ in range(3):
            case = report_to_case(guest("home"), ann)
        report_to_case(guest("school"), ann)
        assert load_case_file(case, moderator.pk, timezone.now()).shared_group_sizes == [3]
        client = browser_of(moderator)
        page = client.get(reverse("admin:games_case_change", args=[case.pk])).text
        assert "3 reporters share one address or device" in page


class TestGuests:
    def test_new_guest_has_the_accuracy_of_all_guests_for_the_reason(self, ann: User) -> None:
        for name in ("X", "Y"):
            decide(report_to_case(guest(), person(name)), "dismissed")
        # Two of two were dismissed: (0 + 1) / (2 + 2) = 1/4.
        assert report_to_case(guest(), ann).score == pytest.approx(3 / 4)
        assert report_to_case(guest(), ann, "stalls").score == pytest.approx(2 / 2), "another reason"

    def test_guest_without_a_finished_match_weighs_a_quarter(self, ann: User) -> None:
        assert report_to_case(new_guest(), ann).score == pytest.approx(3 / 2 / 4)
        assert report_to_case(guest(), person("X")).score == pytest.approx(3 / 2)

    def test_new_guests_of_one_address_rank_below_a_threat_that_three_people_reported(self) -> None:
        victim, threatener = person("Victim"), person("Threatener")
        for reason in ("insults", "spams"):
            for _ in range(8):
                campaign = report_to_case(new_guest("home"), victim, reason)
        for name in ("Ben", "Cleo", "Dora"):
            threat = report_to_case(person(name), threatener)
        # One voice: 3 * 1/2 * 1/4. Three voices: 3 * 1/2 * (1 + 1/2 + 1/4).
        assert campaign.score == pytest.approx(0.375)
        assert threat.score == pytest.approx(2.625)

    def test_reports_of_deleted_guests_still_count(self, ann: User) -> None:
        flooder = guest()
        decide(report_to_case(flooder, person("X")), "dismissed")
        flooder.delete()
        assert report_to_case(guest(), ann).score == pytest.approx(3 / 3)

    def test_many_guests_in_one_case_count_once(self, ann: User) -> None:
        suspect = person("X")
        for _ in range(10):
            case = report_to_case(guest(), suspect)
        decide(case, "dismissed")
        assert report_to_case(guest(), ann).score == pytest.approx(3 / 3)

    def test_account_has_the_accuracy_of_its_own_reports(self, ann: User) -> None:
        decide(report_to_case(guest(), person("X")), "dismissed")
        assert report_to_case(person("Ben"), ann).score == pytest.approx(3 / 2)


class TestReportersOnTheCasePage:
    def page(self, case: Case, moderator: User) -> str:
        return browser_of(moderator).get(reverse("admin:games_case_change", args=[case.pk])).text

    def test_page_says_who_the_reporters_are(self, ann: User, moderator: User) -> None:
        match = tables.running_table([ann, ben := person("Ben")])
        place = ReportedPlace(match)
        for reporter in (new_guest("home"), new_guest("home"), guest("home"), ben):
            case = report_person(reporter=reporter, suspect=ann, reason="insults", place=place).case
        page = self.page(case, moderator)
        facts = "not at this table, same address or device as 2 other reporters; nothing decided yet"
        assert page.count(f"guest of today, 0 finished matches, {facts}") == 2
        assert page.count(f"guest of today, 1 finished match, {facts}") == 1
        assert "account of today, 0 finished matches, at this table; nothing decided yet" in page

    def test_page_has_the_share_of_decided_cases(self, ann: User, moderator: User) -> None:
        ben = person("Ben")
        for name, verdict in (("X", "upheld"), ("Y", "dismissed"), ("Z", "upheld")):
            decide(report_to_case(ben, person(name)), verdict)
        assert "right in 67% of 3 cases" in self.page(report_to_case(ben, ann), moderator)


class TestRefusedReporters:
    def dismiss(self, case: Case, moderator: User, measure: str = "dismiss") -> Client:
        client = browser_of(moderator)
        decide_case(client, reverse("admin:games_case_change", args=[case.pk]), measure, refuse_reporters="on")
        return client

    def test_reporters_of_a_dismissed_case_are_not_heard_for_a_week(self, ann: User, moderator: User) -> None:
        ben, cleo, dora = person("Ben"), person("Cleo"), person("Dora")
        for reporter in (ben, cleo):
            case = report_to_case(reporter, ann)
        self.dismiss(case, moderator)
        for reporter in (ben, cleo):
            with pytest.raises(Refused, match="reports_refused"):
                report_to_case(reporter, dora)
        assert report_to_case(dora, ann)
        with time_machine.travel(timezone.now() + timedelta(days=7, seconds=1)):
            assert report_to_case(ben, dora)

    def test_page_of_the_case_undoes_it(self, ann: User, moderator: User) -> None:
        ben = person("Ben")
        case = report_to_case(ben, ann)
        client, page = self.dismiss(case, moderator), reverse("admin:games_case_change", args=[case.pk])
        assert "stopped taking a person’s reports for a week" in client.get(page).text
        client.post(page, {"choice": "take_reports", "reason": "A mistake"})
        assert newest_act() == ("take_reports", ben.pk, f"case:{case.pk}", "A mistake")
        assert report_to_case(ben, person("X"))
        assert 'value="take_reports"' not in client.get(page).text

    def test_only_a_dismissed_case_stops_reports(self, ann: User, moderator: User) -> None:
        case = report_to_case(person("Ben"), ann)
        self.dismiss(case, moderator, "uphold")
        case.refresh_from_db()
        assert case.closed_at is None


class TestRate:
    @pytest.fixture(autouse=True)
    def two_at_once(self, settings: LazySettings) -> None:
        settings.RATES = {key: {} for key in settings.RATES} | {
            "reports": parse_rate_limits("2+1/h address, 3+1/h account")
        }
        limits.reset()

    def reports(self, *reporters: User) -> list[int]:
        suspects = [person(f"Suspect {number}") for number in range(4)]
        tables.running_table(suspects)
        statuses = []
        for reporter in reporters:
            client = browser_of(reporter)
            for suspect in suspects:
                form = {"person": suspect.pk, "reason": "insults"}
                statuses.append(client.post(reverse("report"), form).status_code)
        return statuses

    def test_guests_of_an_address_share_a_limit(self) -> None:
        assert self.reports(guest()) == [302, 302, 429, 429]
        assert self.reports(guest()) == [429] * 4

    def test_guests_do_not_use_up_the_limit_of_accounts_at_their_address(self) -> None:
        assert self.reports(guest(), person("Ann")) == [302, 302, 429, 429, 302, 302, 302, 429]
        assert Report.objects.count() == 5
