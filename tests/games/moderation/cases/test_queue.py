"""Reports open cases, and moderators take them from a queue and close them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError

from accounts import notices
from accounts.models import ModerationAct, User
from games.errors import Refused
from games.models import Case, Report, Seat
from games.moderation.cases import queue, urgency
from games.moderation.cases.reporting import ReportedPlace, report_person
from tests.games import tables
from tests.games.tables import person

NOWHERE = ReportedPlace()
NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)


def case_of(
    reporter: User, suspect: User, reason: str = "insults", place: ReportedPlace = NOWHERE, words: str = ""
) -> Case:
    return report_person(reporter=reporter, suspect=suspect, reason=reason, place=place, words=words).case


def assert_refused(code: str, reporter: User, suspect: User, reason: str = "insults") -> None:
    with pytest.raises(Refused) as error:
        case_of(reporter, suspect, reason)
    assert error.value.code == code


def close(moderator: User, case: Case, verdict: str, reason: str = "so", now: datetime = NOW) -> None:
    queue.close_case(moderator=moderator, case=case, verdict=verdict, reason=reason, now=now)


def judge(name: str, role: str) -> User:
    user = person(name, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


class TestReports:
    def test_reports_join_the_open_case_of_their_area(self, ann: User, ben: User) -> None:
        cleo = person("Cleo")
        first = case_of(ben, ann, "insults", words="  He swore at me ")
        assert case_of(cleo, ann, "spams") == first
        assert case_of(cleo, ann, "stalls") != first
        assert list(Report.objects.values_list("reporter", "reason", "words")) == [
            (ben.pk, "insults", "He swore at me"),
            (cleo.pk, "spams", ""),
            (cleo.pk, "stalls", ""),
        ]

    def test_limits_of_reporting(self, ann: User, ben: User) -> None:
        assert_refused("own", ann, ann)
        assert_refused("bad_request", ann, ben, "ugly")
        case_of(ann, ben)
        assert_refused("reported", ann, ben)
        match = tables.running_table([ann, ben])
        case_of(ann, ben, place=ReportedPlace(match, 3))
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=1)):
            for _ in range(18):
                case_of(ann, person("Somebody"))
            assert_refused("too_many_reports", ann, person("Somebody else"))
        with time_machine.travel(datetime.now(UTC) + timedelta(days=2)):
            case_of(ann, person("Somebody else"))

    def test_report_after_a_closed_case_opens_a_new_one(self, ann: User, ben: User, moderator: User) -> None:
        first = case_of(ben, ann)
        close(moderator, first, "dismissed")
        assert case_of(person("Cleo"), ann) != first

    @pytest.mark.stack
    def test_score_sums_gravity_times_accuracy_and_flattens(self, ann: User, ben: User, moderator: User) -> None:
        # Ben has no record yet: an insult (3) counts half.
        assert case_of(ben, ann).score == 1.5
        # He was right twice and wrong once: (2 + 1) / (3 + 2) = 0.6.
        for name, verdict in (("X", "upheld"), ("Y", "upheld"), ("Z", "dismissed")):
            close(moderator, case_of(ben, person(name)), verdict)
        # Cleo reports floods (1), of which half counts, and half of that as the second voice: 3 * 0.6 + 1 * 0.5 / 2.
        assert case_of(person("Cleo"), ann, "spams").score == pytest.approx(2.05)

    @pytest.mark.parametrize(
        ("verdicts", "expected"),
        [((), 1 / 2), (("upheld",), 2 / 3), (("dismissed",), 1 / 3), (("upheld", "dismissed", "dismissed"), 2 / 5)],
    )
    def test_accuracy_begins_at_a_half(self, verdicts: tuple[str, ...], expected: float) -> None:
        assert urgency.track_record(verdicts).accuracy == pytest.approx(expected)


class TestQueue:
    @pytest.mark.stack
    def test_suspects_who_are_online_come_first_then_the_most_urgent(
        self, ann: User, ben: User, moderator: User
    ) -> None:
        dora = person("Dora")
        mild, grave = case_of(ann, ben, "spams"), case_of(ann, person("Cleo"), "insults")
        playing = case_of(ann, dora, "name")
        match = tables.running_table([dora, person("Emil")])
        Seat.objects.filter(match=match, user=dora).update(last_seen=NOW)
        assert list(queue.waiting_cases(moderator, NOW)) == [playing, grave, mild]

    @pytest.mark.stack
    def test_parties_cannot_take_or_close_a_case(self, ann: User, ben: User, moderator: User) -> None:
        about, by = case_of(ann, moderator), case_of(moderator, ben)
        assert list(queue.waiting_cases(moderator, NOW)) == []
        assert queue.reserve_next_case(moderator, NOW) is None
        for case in (about, by):
            with pytest.raises(ValidationError, match="This concerns you"):
                close(moderator, case, "dismissed")

    @pytest.mark.stack
    def test_case_is_reserved_for_twenty_minutes(self, ann: User, ben: User, moderator: User) -> None:
        other = User.objects.create_superuser("root")
        case = case_of(ann, ben)
        assert queue.reserve_next_case(moderator, NOW) == case
        assert queue.reserve_next_case(moderator, NOW + timedelta(minutes=1)) == case
        assert queue.reserve_next_case(other, NOW + timedelta(minutes=20)) is None
        with pytest.raises(Refused, match="case_held"):
            close(other, case, "upheld", now=NOW + timedelta(minutes=20))
        assert queue.reserve_next_case(other, NOW + timedelta(minutes=21)) == case
        close(other, case, "upheld", now=NOW + timedelta(minutes=22))
        with pytest.raises(Refused, match="case_closed"):
            close(moderator, case, "dismissed")

    @pytest.mark.stack
    def test_second_proposal_does_not_replace_the_first(self, ann: User, ben: User) -> None:
        first, second = judge("Tom", "Trainees"), judge("Tim", "Trainees")
        case = case_of(ann, ben)
        queue.propose_decision(moderator=first, case=case, proposal={"measure": "warn"}, reason="rude", now=NOW)
        with pytest.raises(Refused, match="case_proposed"):
            queue.propose_decision(moderator=second, case=case, proposal={"measure": "dismiss"}, reason="no", now=NOW)
        case.refresh_from_db()
        assert (case.proposed_by, case.proposal) == (first, {"measure": "warn"})

    def test_proposed_case_waits_for_somebody_who_may_decide_it(self, ann: User, ben: User, moderator: User) -> None:
        tom, tim, chat = judge("Tom", "Trainees"), judge("Tim", "Trainees"), judge("Chris", "Chat moderators")
        written, thrown = case_of(ann, ben), case_of(ann, person("Cleo"), "throws")
        for case in (written, thrown):
            queue.propose_decision(moderator=tom, case=case, proposal={}, reason="so", now=NOW)
        waits = [set(queue.waiting_cases(user, NOW)) for user in (tom, tim, chat, moderator)]
        assert waits == [set(), set(), {written}, {written, thrown}]

    def test_verdict_needs_a_permission_and_a_reason_and_is_logged(
        self, ann: User, ben: User, moderator: User
    ) -> None:
        case = case_of(ann, ben)
        with pytest.raises(PermissionDenied):
            close(person("Cleo"), case, "upheld")
        with pytest.raises(ValidationError):
            close(moderator, case, "upheld", reason=" ")
        close(moderator, case, "upheld", reason="rude")
        act = ModerationAct.objects.get()
        assert (act.act, act.user, act.target, act.reason) == ("uphold", ben, f"case:{case.pk}", "rude")

    @pytest.mark.parametrize(
        ("verdict", "text"),
        [
            ("upheld", "Thank you for your report about Ben. A moderator agreed with it and has acted."),
            ("dismissed", "A moderator reviewed your report about Ben. No action was needed."),
        ],
    )
    def test_reporters_get_one_notice_without_the_measure(
        self, ann: User, ben: User, moderator: User, verdict: str, text: str
    ) -> None:
        case_of(ann, ben)
        case = case_of(ann, ben, "spams")
        close(moderator, case, verdict)
        ann.refresh_from_db()
        ben.refresh_from_db()
        assert [notice.text for notice in notices.pending_notices(ann)] == [text]
        assert notices.pending_notices(ben) == []
