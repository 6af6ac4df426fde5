"""An appeal is decided on the page of the case from which the sanction came."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import Appeal, User
from accounts.sanctions import appeals
from games.chat import posting
from games.models import Case, Message
from tests.games import tables
from tests.games.moderation.test_views import decide, page_of, place_of, report, staff
from tests.games.tables import browser_of


@pytest.fixture
def line(ann: User, ben: User) -> Message:
    return posting.post_message(match=tables.running_table([ann, ben]), user=ben, text="You idiot")


class TestAppealOnTheCasePage:
    WORDS = "It was my brother."

    @pytest.fixture
    def case(self, ann: User, ben: User, moderator: User, line: Message) -> Case:
        """Return a case that led to a mute, against which its person has appealed."""
        case = report(ann, ben, **place_of(line))
        decide(browser_of(moderator), case, "mute", reason="You insulted or threatened somebody.")
        appeals.submit_appeal(user=ben, sanction_id=ben.sanctions.get().pk, words=self.WORDS)
        return case

    def appeal_page(self) -> str:
        return reverse("admin:accounts_appeal_change", args=[Appeal.objects.get().pk])

    def test_appeal_opens_the_case_with_the_evidence(self, case: Case, line: Message) -> None:
        client = staff("Kai", "Match moderators")
        assert client.get(self.appeal_page()).headers["Location"] == page_of(case)
        page = client.get(page_of(case)).text
        order = [page.index(text) for text in (self.WORDS, line.text, 'value="grant"', 'value="reject"')]
        assert order == sorted(order)
        assert "You insulted or threatened somebody." in page.partition(line.text)[0]
        assert "imposed by" in page
        assert "<datalist" not in page

    @pytest.mark.parametrize(
        ("choice", "verdict", "in_force"), [("grant", "granted", False), ("reject", "rejected", True)]
    )
    def test_appeal_is_decided_there(self, case: Case, ben: User, choice: str, verdict: str, in_force: bool) -> None:
        client = staff("Kai", "Match moderators")
        form = {"appeal": Appeal.objects.get().pk, "choice": choice}
        assert "This field is required." in client.post(page_of(case), form | {"reason": ""}).text
        answer = client.post(page_of(case), form | {"reason": "I looked again."})
        assert answer.headers["Location"] == page_of(case)
        appeal = Appeal.objects.get()
        assert (appeal.verdict, appeal.answer, appeal.moderator.name) == (verdict, "I looked again.", "Kai")
        assert ben.sanctions.get().is_in_force is in_force
        page = client.get(page_of(case)).text
        assert "I looked again." in page
        assert 'value="grant"' not in page

    def test_who_imposed_or_is_concerned_cannot_decide(
        self, case: Case, ann: User, ben: User, moderator: User
    ) -> None:
        form = {"appeal": Appeal.objects.get().pk, "choice": "grant", "reason": "Because"}
        page = browser_of(moderator).get(page_of(case)).text
        assert "Another moderator decides this appeal." in page
        browser_of(moderator).post(page_of(case), form)
        User.objects.filter(pk=ann.pk).update(is_staff=True, is_superuser=True)
        reporter = browser_of(User.objects.get(pk=ann.pk))
        page = reporter.get(self.appeal_page()).text
        assert self.WORDS in page, "a reporter does not see the case"
        assert 'value="grant"' not in page
        reporter.post(self.appeal_page(), form)
        assert Appeal.objects.get().verdict == ""

    def test_trainees_see_no_appeal(self, case: Case) -> None:
        assert self.WORDS not in staff("Tom", "Trainees").get(page_of(case)).text

    def test_log_links_to_the_case_and_the_sanction(self, case: Case, ben: User, moderator: User) -> None:
        sanction = reverse("admin:accounts_sanction_change", args=[ben.sanctions.get().pk])
        client = browser_of(moderator)
        history = client.get(reverse("admin:accounts_user_history", args=[ben.pk])).text
        for page in (history, client.get(reverse("admin:accounts_moderationact_changelist")).text):
            assert f'href="{page_of(case)}"' in page
            assert f'href="{sanction}"' in page
