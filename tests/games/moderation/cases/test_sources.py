"""The weight of reports: reporters who share an address or a device count once, and guests as all guests."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import traces
from accounts.models import Trace, User
from games.models import Case, Report
from games.moderation.cases.evidence import file_of
from games.moderation.cases.reporting import ReportedPlace, report
from infrastructure.limit_settings import rates
from infrastructure.limits import limits
from tests.games import tables
from tests.games.tables import person

pytestmark = pytest.mark.django_db


def came_from(user: User, *marks: str) -> User:
    for mark in marks:
        kind = Trace.Kind.DEVICE if mark.startswith("device") else Trace.Kind.ADDRESS
        Trace.objects.create(user=user, kind=kind, mark=mark, seen_at=timezone.now())
    return user


def guest(*marks: str) -> User:
    return came_from(person("Guest", is_guest=True), *marks)


def told(reporter: User, suspect: User, reason: str = "insults") -> Case:
    return report(reporter=reporter, suspect=suspect, reason=reason, place=ReportedPlace()).case


def decide(case: Case, verdict: str) -> None:
    Case.objects.filter(pk=case.pk).update(closed_at=timezone.now(), verdict=verdict)


class TestSharedTraces:
    def test_many_guests_of_one_address_weigh_as_much_as_one(self) -> None:
        one, many = person("One"), person("Many")
        told(guest("school"), one)
        for _ in range(25):
            told(guest("home"), many)
        scores = dict(Case.objects.values_list("suspect__name", "score"))
        assert scores == {"One": 1.5, "Many": 1.5}

    def test_accounts_of_one_device_weigh_as_much_as_the_most_accurate_of_them(self, ann: User) -> None:
        ben, cleo = (came_from(person(name), "device 1") for name in ("Ben", "Cleo"))
        decide(told(ben, person("X")), "upheld")
        told(cleo, ann)
        assert told(ben, ann).score == pytest.approx(3 * 2 / 3)

    def test_reporters_are_joined_over_several_traces(self) -> None:
        first, second, third = guest("home"), guest("home", "device 1"), guest("school", "device 1")
        apart = guest("elsewhere")
        groups = traces.groups([each.pk for each in (first, second, third, apart)])
        assert sorted(map(sorted, groups)) == [[first.pk, second.pk, third.pk], [apart.pk]]

    def test_people_without_a_common_trace_each_count(self, ann: User) -> None:
        told(guest("school"), ann)
        assert told(guest("home"), ann).score == 3.0

    def test_the_case_page_says_how_many_came_from_one_place(self, ann: User, moderator: User) -> None:
        for _ in range(3):
            case = told(guest("home"), ann)
        told(guest("school"), ann)
        assert file_of(case, moderator.pk, timezone.now()).together == [3]
        client = Client()
        client.force_login(moderator)
        page = client.get(reverse("admin:games_case_change", args=[case.pk])).text
        assert "3 of the reporters came from one address or device" in page


class TestGuests:
    def test_a_new_guest_weighs_what_reports_of_guests_for_this_reason_proved_worth(self, ann: User) -> None:
        for name in ("X", "Y"):
            decide(told(guest(), person(name)), "dismissed")
        # Two of two were dismissed: (0 + 1) / (2 + 2) = 1/4.
        assert told(guest(), ann).score == pytest.approx(3 / 4)
        assert told(guest(), ann, "stalls").score == pytest.approx(2 / 2), "another reason"

    def test_it_stays_so_when_the_guests_are_gone(self, ann: User) -> None:
        flooder = guest()
        decide(told(flooder, person("X")), "dismissed")
        flooder.delete()
        assert told(guest(), ann).score == pytest.approx(3 / 3)

    def test_a_flood_of_one_case_counts_once(self, ann: User) -> None:
        suspect = person("X")
        for _ in range(10):
            case = told(guest(), suspect)
        decide(case, "dismissed")
        assert told(guest(), ann).score == pytest.approx(3 / 3)

    def test_an_account_weighs_what_its_own_reports_proved_worth(self, ann: User) -> None:
        decide(told(guest(), person("X")), "dismissed")
        assert told(person("Ben"), ann).score == pytest.approx(3 / 2)


class TestRate:
    @pytest.fixture(autouse=True)
    def two_at_once(self, settings: LazySettings) -> None:
        settings.RATES = {key: {} for key in settings.RATES} | {"reports": rates("2+1/h address, 3+1/h account")}
        limits.forget()

    def reports(self, *reporters: User) -> list[int]:
        suspects = [person(f"Suspect {number}") for number in range(4)]
        tables.running_table(suspects)
        statuses = []
        for reporter in reporters:
            client = Client()
            client.force_login(reporter)
            for suspect in suspects:
                form = {"person": suspect.pk, "reason": "insults"}
                statuses.append(client.post(reverse("report"), form).status_code)
        return statuses

    def test_guests_of_an_address_share_a_rate_and_are_told_when_to_come_back(self) -> None:
        assert self.reports(guest()) == [302, 302, 429, 429]
        assert self.reports(guest()) == [429] * 4

    def test_guests_do_not_use_up_the_rate_of_accounts_at_the_same_address(self) -> None:
        assert self.reports(guest(), person("Ann")) == [302, 302, 429, 429, 302, 302, 302, 429]
        assert Report.objects.count() == 5
