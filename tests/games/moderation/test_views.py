"""Reporting on the pages: from a line, a person, a match and a step, and what a moderator then reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from accounts.models import User
from accounts.sanctions import appeals, imposing, log
from games.chat import posting
from games.models import Case, Match, Message, Report
from tests.games import tables
from tests.games.tables import person

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]


@pytest.fixture
def log_in() -> LogIn:
    def log_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return log_in


def said_at(match: Match, user: User, text: str = "You idiot") -> Message:
    return posting.post_message(match=match, user=user, text=text)


def place_of(line: Message) -> dict[str, object]:
    return {"match": line.match.slug, "line": line.pk}


class TestReporting:
    def test_a_line_is_reported_by_one_press_beside_it_and_one_for_the_reason(self, ann: User, log_in: LogIn) -> None:
        ben = person("Ben")
        match = tables.running_table([ann, ben])
        line, client = said_at(match, ben), log_in(ann)
        address = f"{reverse('report')}?match={match.slug}&line={line.pk}"
        assert f'href="{escape(address)}"' in client.get(f"/match/{match.slug}/").text
        page = client.get(address).text
        assert page.count('name="reason"') == 8
        answer = client.post(reverse("report"), place_of(line) | {"person": ben.pk, "reason": "insults"})
        assert answer.headers["Location"] == reverse("report-done")
        told = Report.objects.get()
        assert (told.case.suspect, told.reporter, told.message, told.match) == (ben, ann, line, match)
        assert client.get(answer.headers["Location"]).status_code == 200

    def test_a_guest_reports_too_and_a_visitor_is_asked_for_a_name(self, log_in: LogIn) -> None:
        ben, guest = person("Ben"), person("Gast", is_guest=True)
        match = tables.running_table([person("Ann"), ben])
        line = said_at(match, ben)
        log_in(guest).post(reverse("report"), place_of(line) | {"person": ben.pk, "reason": "insults"})
        assert Report.objects.get().reporter == guest
        assert (
            "/accounts/" in Client().get(f"{reverse('report')}?match={match.slug}&line={line.pk}").headers["Location"]
        )

    def test_from_a_step_of_a_match_one_of_its_other_people_is_chosen(self, ann: User, log_in: LogIn) -> None:
        ben, cleo = person("Ben"), person("Cleo")
        match = tables.running_table([ann, ben, cleo], bots=1)
        client = log_in(ann)
        page = client.get(f"{reverse('report')}?match={match.slug}&step=2").text
        assert [f'value="{each.pk}"' in page for each in (ann, ben, cleo)] == [False, True, True]
        assert page.count('name="reason"') == 2 * 8, "each of them is reported by one press"
        form = {"match": match.slug, "step": 2, "reason": "throws"}
        nobody = client.post(reverse("report"), form)
        assert (nobody.status_code, "Choose whom the report is about." in nobody.text) == (400, True)
        client.post(reverse("report"), form | {"person": cleo.pk})
        told = Report.objects.get()
        assert (told.case.suspect, told.case.area, told.match, told.step) == (cleo, "fair_play", match, 2)

    def test_on_the_page_of_a_person(self, ann: User, log_in: LogIn) -> None:
        ben = person("Ben")
        tables.running_table([ann, ben])
        client = log_in(ann)
        assert f'href="{reverse("report")}?person={ben.pk}"' in client.get(f"/people/{ben.pk}/").text
        client.post(reverse("report"), {"person": ben.pk, "reason": "name"})
        assert Case.objects.get().area == "accounts"

    def test_a_second_report_of_the_same_and_an_unknown_reason_are_refused_in_words(
        self, ann: User, log_in: LogIn
    ) -> None:
        ben = person("Ben")
        tables.running_table([ann, ben])
        client, form = log_in(ann), {"person": ben.pk, "reason": "insults"}
        client.post(reverse("report"), form)
        again = client.post(reverse("report"), form)
        assert (again.status_code, "You have reported this already." in again.text) == (400, True)
        assert client.post(reverse("report"), form | {"reason": "ugly"}).status_code == 400
        assert Report.objects.count() == 1


class TestTheCasePage:
    def test_it_shows_the_line_with_those_around_it_and_what_is_known_of_the_person(
        self, ann: User, moderator: User, log_in: LogIn
    ) -> None:
        ben = person("Ben")
        match = tables.running_table([ann, ben])
        lines = [
            Message.objects.create(match=match, user=ben, name="Ben", text=f"Line {number}") for number in range(30)
        ]
        reported = place_of(lines[15]) | {"person": ben.pk, "reason": "insults", "words": "Look at this"}
        log_in(ann).post(reverse("report"), reported)
        client = log_in(moderator)
        queue = client.get(reverse("admin:games_case_changelist")).text
        assert "Next case" in queue
        answer = client.post(reverse("admin:games_case_next"))
        assert answer.headers["Location"] == reverse("admin:games_case_change", args=[Case.objects.get().pk])
        page = client.get(answer.headers["Location"]).text
        assert [f"Line {number}<" in page for number in range(30)] == [9 <= number <= 21 for number in range(30)]
        assert page.count('class="case-line reported') == 1
        assert "Look at this" in page
        assert "right in 50 % so far" in page
        assert "0 conduct points" in page

    def test_a_party_to_a_case_finds_it_nowhere(self, ann: User, moderator: User, log_in: LogIn) -> None:
        tables.running_table([ann, moderator])
        log_in(ann).post(reverse("report"), {"person": moderator.pk, "reason": "stalls"})
        client, case = log_in(moderator), Case.objects.get()
        assert "Ann" not in client.get(reverse("admin:games_case_changelist")).text.partition('id="result_list"')[2]
        assert client.get(reverse("admin:games_case_change", args=[case.pk])).status_code == 302
        client.post(reverse("admin:games_case_next"))
        case.refresh_from_db()
        assert case.holder is None

    def test_who_reported_somebody_finds_that_case_on_no_other_page(
        self, ann: User, moderator: User, log_in: LogIn
    ) -> None:
        ben = person("Ben")
        tables.running_table([ann, moderator, ben], bots=1)
        for reporter, reason in ((ann, "stalls"), (moderator, "insults")):
            log_in(reporter).post(reverse("report"), {"person": ben.pk, "reason": reason})
        judged, reported = Case.objects.order_by("pk")
        page = reverse("admin:games_case_change", args=[judged.pk])
        own = reverse("admin:games_case_change", args=[reported.pk])
        root = User.objects.create_superuser("root")
        assert [own in log_in(reader).get(page).text for reader in (moderator, root)] == [False, True]

    def test_one_form_decides_acts_hides_and_leads_to_the_next_case(
        self, ann: User, moderator: User, log_in: LogIn
    ) -> None:
        ben, cleo = person("Ben"), person("Cleo")
        match = tables.running_table([ann, ben, cleo], bots=1)
        line = said_at(match, ben)
        for form in (place_of(line) | {"reason": "insults"}, {"person": cleo.pk, "reason": "name"}):
            log_in(ann).post(reverse("report"), form)
        first, second = Case.objects.order_by("pk")
        client, page = log_in(moderator), reverse("admin:games_case_change", args=[first.pk])
        assert 'name="measure"' in client.get(page).text
        reason = "You insulted or threatened somebody."
        decision = {"measure": "mute", "length": "week", "hide": "on", "preset": reason}
        answer = client.post(page, decision)
        assert answer.headers["Location"] == reverse("admin:games_case_change", args=[second.pk])
        first.refresh_from_db()
        line.refresh_from_db()
        assert (first.verdict, line.hidden) == ("upheld", True)
        mute = ben.sanctions.get()
        assert (mute.kind, mute.reason, round((mute.until - mute.created_at) / timedelta(days=1))) == (
            "mute",
            reason,
            7,
        )
        assert list(log.acts().order_by("pk").values_list("act", "target", "evidence")) == [
            ("uphold", f"case:{first.pk}", ""),
            ("hide", f"message:{line.pk}", f"case:{first.pk}"),
            ("mute", f"sanction:{mute.pk}", f"case:{first.pk}"),
        ]
        closed = client.get(page).text
        assert 'name="measure"' not in closed
        assert f'<a href="{reverse("admin:games_message_change", args=[line.pk])}">hid a message</a>' in closed
        assert f'<a href="{reverse("admin:accounts_sanction_change", args=[mute.pk])}">muted</a>' in closed

    def test_what_is_refused_stands_above_the_form_as_it_was_sent(
        self, ann: User, moderator: User, log_in: LogIn
    ) -> None:
        ben = person("Ben", is_staff=True)
        tables.running_table([ann, ben])
        log_in(ann).post(reverse("report"), {"person": ben.pk, "reason": "stalls"})
        client, page = log_in(moderator), reverse("admin:games_case_change", args=[Case.objects.get().pk])
        answer = client.post(page, {"measure": "suspend", "length": "day", "reason": "He sleeps"})
        assert "Only an administrator can act against a moderator." in answer.text
        assert 'value="He sleeps"' in answer.text
        assert Case.objects.get().closed_at is None
        assert not log.acts().exists()

    def test_a_warning_is_read_in_the_reader_s_own_words(self, ann: User, moderator: User, log_in: LogIn) -> None:
        ben = person("Ben")
        tables.running_table([ann, ben])
        log_in(ann).post(reverse("report"), {"person": ben.pk, "reason": "stalls"})
        page = reverse("admin:games_case_change", args=[Case.objects.get().pk])
        decision = {"measure": "warn", "length": "day", "reason": "You left matches again and again."}
        log_in(moderator).post(page, decision)
        assert "A moderator warns you: You left matches again and again." in log_in(ben).get("/rules/").text

    def test_what_a_trainee_proposes_somebody_else_decides(self, ann: User, moderator: User, log_in: LogIn) -> None:
        ben, trainee = person("Ben"), person("Tom", is_staff=True)
        trainee.groups.add(Group.objects.get(name="Trainees"))
        line = said_at(tables.running_table([ann, ben]), ben)
        log_in(ann).post(reverse("report"), place_of(line) | {"reason": "insults"})
        case, of_trainee = Case.objects.get(), log_in(trainee)
        page = of_trainee.post(reverse("admin:games_case_next")).headers["Location"]
        decision = {"measure": "mute", "length": "week", "hide": "on", "reason": "Rude"}
        answer = of_trainee.post(page, decision)
        assert answer.headers["Location"] == reverse("admin:games_case_changelist")
        assert not ben.sanctions.exists()
        assert 'name="measure"' not in of_trainee.get(page).text
        assert log_in(moderator).post(reverse("admin:games_case_next")).headers["Location"] == page
        shown = log_in(moderator).get(page).text
        assert "Tom proposes what is filled in." in shown
        assert re.search(r'value="mute"[^>]* checked', shown)
        assert re.search(r'value="week"[^>]* checked', shown)
        log_in(moderator).post(page, decision)
        case.refresh_from_db()
        assert (case.verdict, ben.sanctions.get().kind) == ("upheld", "mute")
        logged = log.acts().order_by("pk").values_list("act", "moderator__name")
        assert list(logged) == [("propose", "Tom"), ("uphold", "Mo"), ("hide", "Mo"), ("mute", "Mo")]

    def test_what_goes_beyond_somebody_s_rights_is_proposed(self, ann: User, log_in: LogIn) -> None:
        ben, chat_moderator = person("Ben"), person("Chris", is_staff=True)
        chat_moderator.groups.add(Group.objects.get(name="Chat moderators"))
        line = said_at(tables.running_table([ann, ben]), ben)
        log_in(ann).post(reverse("report"), place_of(line) | {"reason": "insults"})
        case = Case.objects.get()
        page = reverse("admin:games_case_change", args=[case.pk])
        decision = {"measure": "suspend", "length": "week", "hide": "on", "reason": "A threat"}
        answer = log_in(chat_moderator).post(page, decision, follow=True)
        assert "Somebody else decides." in answer.text
        case.refresh_from_db()
        line.refresh_from_db()
        assert (case.verdict, case.proposed_by, line.hidden, ben.sanctions.count()) == ("", chat_moderator, False, 0)

    def test_the_first_page_of_the_admin_says_what_waits_and_what_one_did_last(
        self, ann: User, moderator: User, log_in: LogIn
    ) -> None:
        ben, index = person("Ben"), reverse("admin:index")
        tables.running_table([ann, ben])
        log_in(ann).post(reverse("report"), {"person": ben.pk, "reason": "stalls"})
        root = User.objects.create_superuser("root")
        mute = imposing.impose(moderator=root, user=ben, kind="mute", reason="spam")
        appeals.appeal(user=ben, sanction_id=mute.pk, words="It was not me.")
        client = log_in(moderator)
        page = client.get(index).text
        assert ["1 case waits for you" in page, "1 appeal waits for you" in page] == [True, True]
        assert "appeal waits" not in log_in(root).get(index).text, "nobody decides about an act of their own"
        case = reverse("admin:games_case_change", args=[Case.objects.get().pk])
        client.post(case, {"measure": "dismiss", "length": "day", "reason": "Nothing"})
        page = client.get(index).text
        assert ["0 cases wait for you" in page, 'Dismissed a case</a>: <bdi translate="no">Ben</bdi>' in page] == [
            True,
            True,
        ]

    def test_both_sides_are_heard(self, ann: User, moderator: User, log_in: LogIn) -> None:
        ben, cleo = person("Ben"), person("Cleo")
        tables.running_table([ann, ben, cleo], bots=1)
        for suspect, words in ((ann, "She began it"), (cleo, "Another matter")):
            form = {"person": suspect.pk, "reason": "insults", "words": words}
            log_in(ben).post(reverse("report"), form)
        log_in(ann).post(reverse("report"), {"person": ben.pk, "reason": "insults"})
        page = log_in(moderator).get(reverse("admin:games_case_change", args=[Case.objects.get(suspect=ben).pk])).text
        assert ["Ben reported Ann" in page, "She began it" in page, "Another matter" in page] == [True, True, False]

    def test_a_decision_needs_a_reason_that_is_chosen_or_written(
        self, ann: User, moderator: User, log_in: LogIn
    ) -> None:
        ben = person("Ben")
        tables.running_table([ann, ben])
        log_in(ann).post(reverse("report"), {"person": ben.pk, "reason": "stalls"})
        page = reverse("admin:games_case_change", args=[Case.objects.get().pk])
        answer = log_in(moderator).post(page, {"measure": "warn", "length": "day"})
        assert "Choose a reason, or write one." in answer.text
        assert not log.acts().exists()

    def test_chat_moderators_decide_cases_of_the_chat_alone(self, ann: User, log_in: LogIn) -> None:
        ben, chat_moderator = person("Ben"), person("Chris", is_staff=True)
        chat_moderator.groups.add(Group.objects.get(name="Chat moderators"))
        tables.running_table([ann, ben])
        for reason in ("insults", "throws"):
            log_in(ann).post(reverse("report"), {"person": ben.pk, "reason": reason})
        for case in Case.objects.order_by("pk"):
            page = reverse("admin:games_case_change", args=[case.pk])
            log_in(chat_moderator).post(page, {"measure": "dismiss", "length": "day", "reason": "Nothing"})
        assert list(Case.objects.order_by("pk").values_list("verdict", "proposed_by__name")) == [
            ("dismissed", None),
            ("", "Chris"),
        ]
