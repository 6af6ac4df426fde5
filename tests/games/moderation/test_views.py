"""Reporting on the pages of people and matches, and deciding cases in the admin."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from accounts.models import User
from accounts.sanctions import appeals, imposing, moderation_log
from games.chat import posting
from games.models import Case, Match, Message, MutedTable, Report
from tests.games import tables
from tests.games.tables import browser_of, person


@pytest.fixture
def match(ann: User, ben: User) -> Match:
    return tables.running_table([ann, ben, person("Cleo")], bots=1)


@pytest.fixture
def line(match: Match, ben: User) -> Message:
    return posting.post_message(match=match, user=ben, text="You idiot")


def staff(name: str, role: str) -> Client:
    user = person(name, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return browser_of(user)


def place_of(line: Message) -> dict[str, Any]:
    return {"match": line.match.slug, "line": line.pk}


def report(reporter: User, suspect: User, reason: str = "insults", **fields: Any) -> Case:
    """Report somebody on the page, and return the newest case."""
    browser_of(reporter).post(reverse("report"), {"person": suspect.pk, "reason": reason} | fields)
    return Case.objects.latest("pk")


def page_of(case: Case) -> str:
    return reverse("admin:games_case_change", args=[case.pk])


def decide(client: Client, case: Case, measure: str, **fields: Any) -> HttpResponse:
    return client.post(page_of(case), {"measure": measure, "length": "day"} | fields)  # type: ignore[return-value]


class TestReporting:
    def test_reports_a_line_with_one_click_on_it_and_one_on_the_reason(
        self, ann: User, ben: User, match: Match, line: Message
    ) -> None:
        client = browser_of(ann)
        address = f"{reverse('report')}?match={match.slug}&line={line.pk}"
        assert f'href="{escape(address)}"' in client.get(f"/match/{match.slug}/").text
        assert client.get(address).text.count('name="reason"') == 8
        answer = client.post(reverse("report"), place_of(line) | {"person": ben.pk, "reason": "insults"})
        assert answer.headers["Location"] == reverse("report-done")
        row = Report.objects.get()
        assert (row.case.suspect, row.reporter, row.message, row.match) == (ben, ann, line, match)
        assert client.get(answer.headers["Location"]).status_code == 200

    def test_page_after_a_report_blocks_mutes_and_leads_back_to_the_table(
        self, ann: User, ben: User, match: Match, line: Message
    ) -> None:
        client, done = browser_of(ann), reverse("report-done")
        report(ann, ben, **place_of(line))
        page = client.get(done).text
        block, mute = reverse("person-block", args=[ben.pk]), reverse("match-mute", args=[match.slug])
        for attribute in (f'action="{block}"', f'action="{mute}"', f'href="{reverse("match", args=[match.slug])}"'):
            assert attribute in page
        assert client.post(block, {"next": done}).headers["Location"] == done
        assert f'action="{block}"' not in client.get(done).text, "blocked already"
        assert client.post(mute, {"mute": "on"}).status_code == 302
        assert MutedTable.objects.filter(user=ann, match=match).exists()
        assert "action=" not in browser_of(person("Eve")).get(done).text.partition("<main")[2].partition("</main")[0]

    def test_reasons_about_chat_come_first_for_a_line(self, ann: User, match: Match, line: Message) -> None:
        page = browser_of(ann).get(f"{reverse('report')}?match={match.slug}&line={line.pk}").text
        assert re.findall(r'name="reason" value="(\w+)"', page)[:3] == ["insults", "spams", "stalls"]

    def test_guests_can_report_and_visitors_need_a_name(self, ben: User, match: Match, line: Message) -> None:
        guest = person("Gast", is_guest=True)
        report(guest, ben, **place_of(line))
        assert Report.objects.get().reporter == guest
        answer = Client().get(f"{reverse('report')}?match={match.slug}&line={line.pk}")
        assert "/accounts/" in answer.headers["Location"]

    def test_step_of_a_match_offers_all_other_people_at_it(self, ann: User, ben: User, match: Match) -> None:
        client, cleo = browser_of(ann), User.objects.get(name="Cleo")
        page = client.get(f"{reverse('report')}?match={match.slug}&step=2").text
        assert [f'value="{player.pk}"' in page for player in (ann, ben, cleo)] == [False, True, True]
        assert page.count('name="reason"') == 2 * 8, "one click for each person and reason"
        form = {"match": match.slug, "step": 2, "reason": "throws"}
        answer = client.post(reverse("report"), form)
        assert (answer.status_code, "Choose the person you want to report." in answer.text) == (400, True)
        client.post(reverse("report"), form | {"person": cleo.pk})
        row = Report.objects.get()
        assert (row.case.suspect, row.case.area, row.match, row.step) == (cleo, "fair_play", match, 2)

    @pytest.mark.usefixtures("match")
    def test_page_of_a_person_has_a_link(self, ann: User, ben: User) -> None:
        assert f'href="{reverse("report")}?person={ben.pk}"' in browser_of(ann).get(f"/people/{ben.pk}/").text
        assert report(ann, ben, "name").area == "accounts"

    @pytest.mark.usefixtures("match")
    def test_refuses_a_repeated_report_and_an_unknown_reason(self, ann: User, ben: User) -> None:
        report(ann, ben)
        client, form = browser_of(ann), {"person": ben.pk, "reason": "insults"}
        again = client.post(reverse("report"), form)
        assert (again.status_code, "We already have your report." in again.text) == (400, True)
        assert client.post(reverse("report"), form | {"reason": "ugly"}).status_code == 400
        assert Report.objects.count() == 1


class TestCasePage:
    def test_has_the_reported_line_in_its_context_and_the_history_of_the_person(
        self, ann: User, ben: User, moderator: User, match: Match
    ) -> None:
        lines = [
            Message.objects.create(match=match, user=ben, name="Ben", text=f"Line {number}") for number in range(30)
        ]
        case = report(ann, ben, words="Look at this", **place_of(lines[15]))
        client = browser_of(moderator)
        assert "Next case" in client.get(reverse("admin:games_case_changelist")).text
        assert client.post(reverse("admin:games_case_next")).headers["Location"] == page_of(case)
        page = client.get(page_of(case)).text
        assert [f"Line {number}<" in page for number in range(30)] == [9 <= number <= 21 for number in range(30)]
        assert page.count('class="case-line reported') == 1
        for text in ("Look at this", "nothing decided yet", "0 conduct points"):
            assert text in page

    def test_is_hidden_from_the_suspect(self, ann: User, moderator: User) -> None:
        tables.running_table([ann, moderator])
        case, client = report(ann, moderator, "stalls"), browser_of(moderator)
        assert "Ann" not in client.get(reverse("admin:games_case_changelist")).text.partition('id="result_list"')[2]
        assert client.get(page_of(case)).status_code == 302
        client.post(reverse("admin:games_case_next"))
        case.refresh_from_db()
        assert case.holder is None

    def test_other_pages_hide_it_from_its_reporter(self, ann: User, ben: User, moderator: User) -> None:
        tables.running_table([ann, moderator, ben], bots=1)
        other, own = report(ann, ben, "stalls"), report(moderator, ben)
        root = User.objects.create_superuser("root")
        texts = [browser_of(reader).get(page_of(other)).text for reader in (moderator, root)]
        assert [page_of(own) in text for text in texts] == [False, True]

    def test_decision_imposes_hides_and_leads_to_the_next_case(
        self, ann: User, ben: User, moderator: User, line: Message
    ) -> None:
        first, second = report(ann, ben, **place_of(line)), report(ann, User.objects.get(name="Cleo"), "name")
        client, reason = browser_of(moderator), "You insulted or threatened somebody."
        assert 'name="measure"' in client.get(page_of(first)).text
        answer = decide(client, first, "mute", length="week", hide="on", preset=reason)
        assert answer.headers["Location"] == page_of(second)
        first.refresh_from_db()
        line.refresh_from_db()
        assert (first.verdict, line.hidden) == ("upheld", True)
        mute = ben.sanctions.get()
        days = round((mute.until - mute.created_at) / timedelta(days=1))
        assert (mute.kind, mute.reason, days) == ("mute", reason, 7)
        assert list(moderation_log.logged_acts().order_by("pk").values_list("act", "target", "evidence")) == [
            ("uphold", f"case:{first.pk}", ""),
            ("hide", f"message:{line.pk}", f"case:{first.pk}"),
            ("mute", f"sanction:{mute.pk}", f"case:{first.pk}"),
        ]
        closed = client.get(page_of(first)).text
        assert 'name="measure"' not in closed
        assert f'<a href="{reverse("admin:games_message_change", args=[line.pk])}">hid a message</a>' in closed
        assert f'<a href="{reverse("admin:accounts_sanction_change", args=[mute.pk])}">muted</a>' in closed

    @pytest.mark.usefixtures("match")
    def test_shows_a_refused_decision_again_with_the_error(self, ann: User, ben: User, moderator: User) -> None:
        User.objects.filter(pk=ben.pk).update(is_staff=True)
        case, client = report(ann, ben, "stalls"), browser_of(moderator)
        answer = decide(client, case, "suspend", reason="He sleeps")
        assert "Only an administrator can act against a moderator." in answer.text
        assert 'value="He sleeps"' in answer.text
        assert "Choose a reason, or write one." in decide(client, case, "warn").text
        assert Case.objects.get().closed_at is None
        assert not moderation_log.logged_acts().exists()

    @pytest.mark.usefixtures("match")
    def test_warned_person_reads_the_reason(self, ann: User, ben: User, moderator: User) -> None:
        decide(browser_of(moderator), report(ann, ben, "stalls"), "warn", reason="You left matches again and again.")
        assert "A moderator warns you: You left matches again and again." in browser_of(ben).get("/rules/").text

    def test_another_moderator_decides_a_trainees_proposal(
        self, ann: User, ben: User, moderator: User, line: Message
    ) -> None:
        case, trainee = report(ann, ben, **place_of(line)), staff("Tom", "Trainees")
        assert trainee.post(reverse("admin:games_case_next")).headers["Location"] == page_of(case)
        decision = {"length": "week", "hide": "on", "reason": "Rude"}
        answer = decide(trainee, case, "mute", **decision)
        assert answer.headers["Location"] == reverse("admin:games_case_changelist")
        assert not ben.sanctions.exists()
        assert 'name="measure"' not in trainee.get(page_of(case)).text
        client = browser_of(moderator)
        assert client.post(reverse("admin:games_case_next")).headers["Location"] == page_of(case)
        page = client.get(page_of(case)).text
        assert "The form shows the proposal of Tom." in page
        assert re.search(r'value="mute"[^>]* checked', page)
        assert re.search(r'value="week"[^>]* checked', page)
        decide(client, case, "mute", **decision)
        case.refresh_from_db()
        assert (case.verdict, ben.sanctions.get().kind) == ("upheld", "mute")
        acts = moderation_log.logged_acts().order_by("pk").values_list("act", "moderator__name")
        assert list(acts) == [("propose", "Tom"), ("uphold", "Mo"), ("hide", "Mo"), ("mute", "Mo")]

    def test_chat_moderators_propose_what_they_may_not_decide(self, ann: User, ben: User, line: Message) -> None:
        chat_moderator = staff("Chris", "Chat moderators")
        threat = report(ann, ben, **place_of(line))
        decision = {"length": "week", "hide": "on", "reason": "A threat"}
        answer = chat_moderator.post(page_of(threat), {"measure": "suspend"} | decision, follow=True)
        assert "Another moderator decides." in answer.text
        line.refresh_from_db()
        assert (line.hidden, ben.sanctions.count()) == (True, 0), "hiding is immediate, the rest is proposed"
        threat.refresh_from_db()
        assert threat.proposal["measure"] == "suspend"
        assert not {"hide", "lines"} & set(threat.proposal)
        for reason in ("insults", "throws"):
            decide(chat_moderator, report(ann, User.objects.get(name="Cleo"), reason), "dismiss", reason="Nothing")
        assert list(Case.objects.order_by("pk").values_list("verdict", "proposed_by__name")) == [
            ("", "Chris"),
            ("dismissed", None),
            ("", "Chris"),
        ]

    def test_other_lines_of_the_match_are_hidden_by_their_checkboxes(
        self, ann: User, ben: User, moderator: User, match: Match, line: Message
    ) -> None:
        cow, answer, harmless = (
            posting.post_message(match=match, user=writer, text=text)
            for writer, text in ((ben, "You cow"), (ann, "Shut up, idiot"), (ben, "Sorry"))
        )
        elsewhere = Message.objects.create(
            match=tables.running_table([person("Dora"), person("Emil")]), user=ben, name="Ben", text="Hello"
        )
        case, client = report(ann, ben, **place_of(line)), browser_of(moderator)
        page = client.get(page_of(case)).text
        assert [page.count(f'name="lines" value="{row.pk}"') for row in (line, cow, answer, harmless)] == [1] * 4
        ticked = [cow.pk, answer.pk, elsewhere.pk]
        refused = decide(client, case, "mute", lines=ticked).text
        assert f'name="lines" value="{cow.pk}" checked' in refused
        assert f'value="{harmless.pk}" checked' not in refused
        decide(client, case, "mute", lines=ticked, hide="on", reason="Rude")
        hidden = Message.objects.filter(hidden=True).order_by("pk")
        assert list(hidden) == [line, cow, answer], "a line of another match stays"
        assert f'value="{cow.pk}"' not in client.get(page_of(case)).text

    @pytest.mark.usefixtures("match")
    @pytest.mark.parametrize(
        ("measure", "reason"),
        [
            ("warn", "Nothing here is against the rules."),
            ("uphold", "There is not enough evidence."),
            ("dismiss", "You left matches again and again."),
        ],
    )
    def test_reason_must_match_the_decision(
        self, ann: User, ben: User, moderator: User, measure: str, reason: str
    ) -> None:
        case, client = report(ann, ben, "stalls"), browser_of(moderator)
        for field in ("preset", "reason"):
            assert "This reason contradicts the decision." in decide(client, case, measure, **{field: reason}).text
        assert Case.objects.get().closed_at is None

    @pytest.mark.usefixtures("match")
    @pytest.mark.parametrize(("measure", "length"), [("close", "day"), ("suspend", "for_good")])
    def test_permanent_measures_ask_once(
        self, ann: User, ben: User, moderator: User, measure: str, length: str
    ) -> None:
        case, client = report(ann, ben, "stalls"), browser_of(moderator)
        assert 'name="sure"' not in client.get(page_of(case)).text
        page = decide(client, case, measure, length=length, reason="Again").text
        assert "This decision has no end. Confirm it below." in page
        assert 'name="sure"' in page
        assert not ben.sanctions.exists()
        decide(client, case, measure, length=length, reason="Again", sure="on")
        assert ben.sanctions.get().until is None

    @pytest.mark.usefixtures("match")
    def test_case_is_left_to_others_with_a_note(self, ann: User, ben: User, moderator: User) -> None:
        case, later = report(ann, ben), report(ann, User.objects.get(name="Cleo"), "spams")
        client, other = browser_of(moderator), staff("Kai", "Match moderators")
        client.post(reverse("admin:games_case_next"))
        refused = client.post(page_of(case), {"leave": "on", "note": " "}, follow=True)
        assert "Write a note for the other moderators." in refused.text
        answer = client.post(page_of(case), {"leave": "on", "note": "Needs a Slovak reader"})
        assert answer.headers["Location"] == page_of(later), "the next case, not this one again"
        assert other.post(reverse("admin:games_case_next")).headers["Location"] == page_of(case)
        assert "Needs a Slovak reader" in other.get(page_of(case)).text

    def test_trainee_proposes_the_ticked_lines(
        self, ann: User, ben: User, moderator: User, match: Match, line: Message
    ) -> None:
        other = posting.post_message(match=match, user=ben, text="You cow")
        case, trainee = report(ann, ben, **place_of(line)), staff("Tom", "Trainees")
        decide(trainee, case, "mute", lines=[other.pk], reason="Rude")
        assert not Message.objects.filter(hidden=True).exists()
        assert f'value="{other.pk}" checked' in browser_of(moderator).get(page_of(case)).text

    def test_form_says_what_would_be_a_proposal(self, ann: User, ben: User, moderator: User, line: Message) -> None:
        case = report(ann, ben, **place_of(line))
        page = staff("Chris", "Chat moderators").get(page_of(case)).text
        proposed = re.findall(r'value="(\w+)"[^>]*data-proposed', page)
        assert proposed == ["pause", "suspend", "close", "remove", "settle", "stop", "void"]
        assert page.count("Propose: another moderator decides.") == len(proposed)
        assert "data-proposed" not in browser_of(moderator).get(page_of(case)).text

    @pytest.mark.usefixtures("match")
    def test_admin_index_has_waiting_cases_and_own_acts(self, ann: User, ben: User, moderator: User) -> None:
        case, root = report(ann, ben, "stalls"), User.objects.create_superuser("root")
        mute = imposing.impose(moderator=root, user=ben, kind="mute", reason="spam")
        appeals.submit_appeal(user=ben, sanction_id=mute.pk, words="It was not me.")
        client, index = browser_of(moderator), reverse("admin:index")
        page = client.get(index).text
        assert "1 case to decide" in page
        assert "1 appeal to decide" in page
        assert "appeal waits" not in browser_of(root).get(index).text, "nobody decides about an act of their own"
        decide(client, case, "dismiss", reason="Nothing")
        page = client.get(index).text
        assert "0 cases to decide" in page
        assert 'Dismissed a case</a>: <bdi translate="no">Ben</bdi>' in page

    @pytest.mark.usefixtures("match")
    def test_has_the_suspects_reports_about_the_reporters(self, ann: User, ben: User, moderator: User) -> None:
        report(ben, ann, words="She began it")
        report(ben, User.objects.get(name="Cleo"), words="Another matter")
        page = browser_of(moderator).get(page_of(report(ann, ben))).text
        assert ["Ben reported Ann" in page, "She began it" in page, "Another matter" in page] == [True, True, False]
