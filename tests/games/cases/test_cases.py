"""Reports make cases, cases wait in a queue, and a moderator who is no party decides."""

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
from games.moderation.cases.reporting import ReportedPlace, report
from tests.games import tables
from tests.games.tables import person

pytestmark = pytest.mark.django_db
NOWHERE = ReportedPlace()
NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)


def told(
    reporter: User, suspect: User, reason: str = "insults", place: ReportedPlace = NOWHERE, words: str = ""
) -> Case:
    return report(reporter=reporter, suspect=suspect, reason=reason, place=place, words=words).case


def refused(code: str, reporter: User, suspect: User, reason: str = "insults") -> None:
    with pytest.raises(Refused) as raised:
        told(reporter, suspect, reason)
    assert raised.value.code == code


class TestReports:
    def test_reports_of_one_area_are_one_case_and_another_area_is_another(self, ann: User) -> None:
        ben, cleo = person("Ben"), person("Cleo")
        first = told(ben, ann, "insults", words="  He swore at me ")
        assert told(cleo, ann, "spams") == first
        assert told(cleo, ann, "stalls") != first
        assert list(Report.objects.values_list("reporter", "reason", "words")) == [
            (ben.pk, "insults", "He swore at me"),
            (cleo.pk, "spams", ""),
            (cleo.pk, "stalls", ""),
        ]

    def test_nobody_reports_themselves_or_the_same_twice_or_for_no_reason_or_all_day(self, ann: User) -> None:
        ben = person("Ben")
        refused("own", ann, ann)
        refused("bad_request", ann, ben, "ugly")
        told(ann, ben)
        refused("reported", ann, ben)
        match = tables.running_table([ann, ben])
        told(ann, ben, place=ReportedPlace(match, 3))
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=1)):
            for _ in range(18):
                told(ann, person("Somebody"))
            refused("too_many_reports", ann, person("Somebody else"))
        with time_machine.travel(datetime.now(UTC) + timedelta(days=2)):
            told(ann, person("Somebody else"))

    def test_a_case_that_is_closed_is_followed_by_a_new_one(self, ann: User, moderator: User) -> None:
        first = told(person("Ben"), ann)
        queue.close(moderator=moderator, case=first, verdict="dismissed", reason="kind words", now=NOW)
        assert told(person("Cleo"), ann) != first

    @pytest.mark.stack
    def test_the_score_adds_up_gravity_times_the_accuracy_of_each_reporter(self, ann: User, moderator: User) -> None:
        ben, cleo = person("Ben"), person("Cleo")
        # Nothing is known of Ben: an insult (3) counts half.
        assert told(ben, ann).score == 1.5
        # He was right twice and wrong once: (2 + 1) / (3 + 2) = 0.6.
        for name, verdict in (("X", "upheld"), ("Y", "upheld"), ("Z", "dismissed")):
            queue.close(moderator=moderator, case=told(ben, person(name)), verdict=verdict, reason="so", now=NOW)
        # Cleo reports floods (1), of which half counts: 3 * 0.6 + 1 * 0.5.
        assert told(cleo, ann, "spams").score == pytest.approx(2.3)

    @pytest.mark.parametrize(
        ("verdicts", "expected"),
        [((), 1 / 2), (("upheld",), 2 / 3), (("dismissed",), 1 / 3), (("upheld", "dismissed", "dismissed"), 2 / 5)],
    )
    def test_the_accuracy_of_a_reporter_begins_at_a_half(self, verdicts: tuple[str, ...], expected: float) -> None:
        assert urgency.accuracy(verdicts) == pytest.approx(expected)


class TestQueue:
    @pytest.mark.stack
    def test_people_who_are_online_come_first_then_the_most_urgent(self, ann: User, moderator: User) -> None:
        ben, cleo, dora = person("Ben"), person("Cleo"), person("Dora")
        mild, grave = told(ann, ben, "spams"), told(ann, cleo, "insults")
        playing = told(ann, dora, "name")
        match = tables.running_table([dora, person("Emil")])
        Seat.objects.filter(match=match, user=dora).update(last_seen=NOW)
        assert list(queue.waiting(moderator, NOW)) == [playing, grave, mild]

    @pytest.mark.stack
    def test_nobody_judges_a_case_of_their_own(self, ann: User, moderator: User) -> None:
        about, by = told(ann, moderator), told(moderator, person("Ben"))
        assert list(queue.waiting(moderator, NOW)) == []
        assert queue.take_next(moderator, NOW) is None
        for case in (about, by):
            with pytest.raises(ValidationError, match="You are concerned yourself"):
                queue.close(moderator=moderator, case=case, verdict="dismissed", reason="mine", now=NOW)

    @pytest.mark.stack
    def test_a_case_is_held_for_twenty_minutes_and_then_free_for_others(self, ann: User, moderator: User) -> None:
        ben, other = person("Ben"), User.objects.create_superuser("root")
        case = told(ann, ben)
        assert queue.take_next(moderator, NOW) == case
        assert queue.take_next(moderator, NOW + timedelta(minutes=1)) == case
        assert queue.take_next(other, NOW + timedelta(minutes=20)) is None
        with pytest.raises(Refused, match="case_held"):
            queue.close(moderator=other, case=case, verdict="upheld", reason="rude", now=NOW + timedelta(minutes=20))
        assert queue.take_next(other, NOW + timedelta(minutes=21)) == case
        queue.close(moderator=other, case=case, verdict="upheld", reason="rude", now=NOW + timedelta(minutes=22))
        with pytest.raises(Refused, match="case_closed"):
            queue.close(moderator=moderator, case=case, verdict="dismissed", reason="no", now=NOW)

    @pytest.mark.stack
    def test_a_second_proposal_does_not_replace_the_first(self, ann: User) -> None:
        first, second = (person(name, is_staff=True) for name in ("Tom", "Tim"))
        for trainee in (first, second):
            trainee.groups.add(Group.objects.get(name="Trainees"))
        case = told(ann, person("Ben"))
        queue.propose(moderator=first, case=case, proposal={"measure": "warn"}, reason="rude", now=NOW)
        with pytest.raises(Refused, match="case_proposed"):
            queue.propose(moderator=second, case=case, proposal={"measure": "dismiss"}, reason="no", now=NOW)
        case.refresh_from_db()
        assert (case.proposed_by, case.proposal) == (first, {"measure": "warn"})

    def test_what_a_trainee_proposed_waits_for_somebody_who_may_decide_it(self, ann: User, moderator: User) -> None:
        def judge(name: str, role: str) -> User:
            judge = person(name, is_staff=True)
            judge.groups.add(Group.objects.get(name=role))
            return judge

        tom, tim, chat = judge("Tom", "Trainees"), judge("Tim", "Trainees"), judge("Chris", "Chat moderators")
        written, thrown = told(ann, person("Ben")), told(ann, person("Cleo"), "throws")
        for case in (written, thrown):
            queue.propose(moderator=tom, case=case, proposal={}, reason="so", now=NOW)
        waits = [set(queue.waiting(each, NOW)) for each in (tom, tim, chat, moderator)]
        assert waits == [set(), set(), {written}, {written, thrown}]

    def test_a_verdict_needs_the_right_and_a_reason_and_is_logged(self, ann: User, moderator: User) -> None:
        ben = person("Ben")
        case = told(ann, ben)
        with pytest.raises(PermissionDenied):
            queue.close(moderator=person("Cleo"), case=case, verdict="upheld", reason="so", now=NOW)
        with pytest.raises(ValidationError):
            queue.close(moderator=moderator, case=case, verdict="upheld", reason=" ", now=NOW)
        queue.close(moderator=moderator, case=case, verdict="upheld", reason="rude", now=NOW)
        act = ModerationAct.objects.get()
        assert (act.act, act.user, act.target, act.reason) == ("uphold", ben, f"case:{case.pk}", "rude")

    @pytest.mark.parametrize(
        ("verdict", "said"),
        [
            ("upheld", "Thank you for your report about Ben. A moderator agreed with it and has acted."),
            ("dismissed", "A moderator has looked at your report about Ben, and saw no need to act."),
        ],
    )
    def test_each_reporter_is_told_once_and_not_which_measure(
        self, ann: User, moderator: User, verdict: str, said: str
    ) -> None:
        ben = person("Ben")
        told(ann, ben)
        case = told(ann, ben, "spams")
        queue.close(moderator=moderator, case=case, verdict=verdict, reason="so", now=NOW)
        ann.refresh_from_db()
        ben.refresh_from_db()
        assert [notice.text for notice in notices.pending(ann)] == [said]
        assert notices.pending(ben) == []
