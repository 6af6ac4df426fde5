from __future__ import annotations

import re
import time
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import trans_real
from pytest_django import Settings

from accounts.models import Sanction, User
from games.broadcast import groups
from games.chat import posting
from games.chat.posting import clean_text, post_message
from games.chat.rendering import chat_phrases
from games.errors import Refused
from games.match import selectors, snapshots
from games.models import Match, Message, Seat
from games.services import naming, play
from tests.games.conftest import Announcements
from tests.games.finished import create_finished_match
from tests.games.lobby.test_tables import refused
from tests.games.rendering.positions import frame_of
from tests.games.tables import browser_of, open_table, person, running_table

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)


@pytest.fixture
def alice() -> User:
    return User.objects.create(username="alice", name="Alice")


@pytest.fixture
def table(alice: User) -> Match:
    match = Match.objects.create(variant="kozel", seat_count=2, host=alice)
    Seat.objects.create(match=match, index=0, user=alice, name="Alice")
    Seat.objects.create(match=match, index=1)
    return match


def refusal(match: Match, user: User | AnonymousUser, text: str = "hello") -> Refused:
    with pytest.raises(Refused) as caught:
        post_message(match=match, user=cast(User, user), text=text)
    return caught.value


@pytest.mark.stack
def test_line_is_stored_with_the_name_and_announced_without_text(
    table: Match, alice: User, sent_announcements: Announcements
) -> None:
    post_message(match=table, user=alice, text="good game")
    assert [(line.name, line.text) for line in selectors.chat_lines(table.pk)] == [("Alice", "good game")]
    assert sent_announcements == [(groups.match_group(table.slug), {"type": "match.changed", "revision": 1})]


def test_visitor_cannot_write(table: Match) -> None:
    assert refusal(table, AnonymousUser()).code == "no_name"
    assert not Message.objects.exists()


def test_muted_person_gets_the_reason_in_their_language(table: Match, alice: User) -> None:
    with time_machine.travel(NOW, tick=False):
        Sanction.objects.create(user=alice, kind="mute", reason="spam", until=NOW + timedelta(hours=1))
        refused = refusal(table, alice)
    assert refused.code == "muted"
    with translation.override("en"):
        assert str(refused.text) == (
            "You are muted until 12 March 2026, 15:00 UTC: you can play, but not write. Reason: spam"
        )
    with translation.override("pl"):
        assert "12 marca 2026" in str(refused.text)


def test_a_suspended_person_may_not_write(table: Match, alice: User) -> None:
    Sanction.objects.create(user=alice, kind="suspend", reason="cheating")
    assert refusal(table, alice).code == "suspended"


def test_ended_mute_has_no_effect(table: Match, alice: User) -> None:
    Sanction.objects.create(user=alice, kind="mute", reason="spam", until=NOW)
    Sanction.objects.create(user=alice, kind="mute", reason="spam", lifted_at=NOW)
    with time_machine.travel(NOW + timedelta(seconds=1)):
        assert post_message(match=table, user=alice, text="back again")


@pytest.mark.stack
def test_the_sixth_line_within_ten_seconds_is_too_fast(table: Match, alice: User) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        for number in range(5):
            post_message(match=table, user=alice, text=f"line {number}")
        assert refusal(table, alice).code == "too_fast"
        clock.shift(timedelta(seconds=10))
        assert post_message(match=table, user=alice, text="patience")


def test_rate_limit_counts_all_chats_of_a_person(table: Match, alice: User) -> None:
    watched = [running_table([person(), person()]) for _table in range(3)]
    with time_machine.travel(NOW, tick=False) as clock:
        for match in (table, *watched, table):
            post_message(match=match, user=alice, text="one line each")
        refused = refusal(watched[0], alice)
        assert refused.code == "too_fast"
        assert "Wait 10 seconds" in str(refused.text)
        assert isinstance(refused.text, Promise), "translated for the reader, not in the thread that refused"
        clock.shift(timedelta(seconds=8.5))
        assert "Wait 2 seconds" in str(refusal(table, alice).text)
        assert post_message(match=table, user=person("Ben"), text="another person's pace is another one") is not None


def test_players_can_write_until_an_hour_after_the_end(client: Client) -> None:
    ann = person("Ann")
    match = create_finished_match([ann, person("Ben")], at=NOW)
    client.force_login(ann)
    with time_machine.travel(NOW + timedelta(minutes=59)):
        post_message(match=match, user=ann, text="well played")
        assert 'id="chat-form"' in client.get(f"/match/{match.slug}/").content.decode()
    with time_machine.travel(NOW + timedelta(minutes=61)):
        assert refusal(match, ann).code == "finished"
        page = client.get(f"/match/{match.slug}/").content.decode()
        assert "well played" in page
        assert 'id="chat-form"' not in page


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("zal" + "\u0301\u0302\u0303\u0304" * 70 + "go", "zaĺ\u0302go"),
        ("\u1ec5\u0300\u030a", "\u1ec5"),  # two marks are in the letter already
        ("ก" + "\u0e47" * 90, "ก\u0e47"),  # a Thai vowel mark, again and again
        ("o" + "\u20dd" * 9, "o\u20dd"),  # circles around circles
        ("Nguyễn, đẹp quá; מְשֻׁבָּח; မြို့; น้ำ; क्षत्रिय; مُحَمَّد", None),
        ("1\ufe0f\u20e3 ❤\ufe0f 👩\u200d🚀 한국어", None),
    ],
)
def test_limits_combining_marks_to_what_scripts_need(typed: str, cleaned: str | None) -> None:
    assert clean_text(typed) == (unicodedata.normalize("NFC", typed) if cleaned is None else cleaned)


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("  good   game \n", "good game"),
        ("one\r\ntwo\u2028three", "one two three"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("a\x00b\x1b[31mc\ufeff", "ab[31mc"),
        ("woman\u200d: 👩\u200d🚀", "woman\u200d: 👩\u200d🚀"),
        ("<b>6-4</b> & co", "<b>6-4</b> & co"),
        ("jó játék, שלום, 好", "jó játék, שלום, 好"),
        ("x" * 300, "x" * 300),
    ],
)
def test_text_becomes_one_line_without_hidden_characters(typed: str, cleaned: str) -> None:
    assert clean_text(typed) == cleaned


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u202e", "\u200d\u200d", "\n\t", "x" * 301])
def test_empty_and_too_long_texts_are_refused(typed: str) -> None:
    with pytest.raises(Refused) as caught:
        clean_text(typed)
    assert caught.value.code == "bad_request"


def test_megabyte_is_refused_before_cleaning() -> None:
    began = time.process_time()
    with pytest.raises(Refused) as caught:
        clean_text("e\u0301" * 350_000)
    assert time.process_time() - began < 0.05
    assert "at most 300" in str(caught.value.text)


class TestPhrases:
    def test_phrase_is_stored_by_key_and_shown_in_the_readers_language(
        self, monkeypatch: pytest.MonkeyPatch, settings: Settings
    ) -> None:
        ann, ben = person("Ann"), person("Ben")
        match = running_table([ann, ben])
        message = posting.post_message(match=match, user=ann, phrase="hello")
        assert (message.phrase, message.text) == ("hello", "Hello!")
        settings.LANGUAGES = [("en", "English"), ("cs", "Čeština")]
        czech: Any = trans_real.translation("cs")
        monkeypatch.setitem(czech._catalog._catalogs[0], "Hello!", "Ahoj!")
        chat_phrases.cache_clear()
        lines = {}
        for reader, language in ((ann, "en"), (ben, "cs")):
            client = Client(headers={"Accept-Language": language})
            client.force_login(reader)
            page = client.get(f"/match/{match.slug}/").text
            lines[language] = re.findall(r'<p id="m\d+">.*?</b></a> (.*?)(?: <a class="report"|</p>)', page)
        chat_phrases.cache_clear()
        assert lines == {"en": ['<span dir="auto">Hello!</span>'], "cs": ['<span dir="auto">Ahoj!</span>']}

    def test_six_phrases_need_no_unfolding(self) -> None:
        ann = person("Ann")
        page = browser_of(ann).get(f"/match/{running_table([ann, person('Ben')]).slug}/").text
        form = page.partition('id="phrases"')[2].partition("</form>")[0]
        visible, _, folded = form.partition("<details")
        keys = [re.findall(r'name="phrase" value="(\w+)"', part) for part in (visible, folded)]
        assert (keys[0], len(keys[1])) == (["hello", "luck", "played", "thanks", "wow", "oops"], 10)

    def test_an_unknown_key_is_refused(self) -> None:
        ann = person("Ann")
        refused(
            "bad_request", posting.post_message, match=running_table([ann, person("Ben")]), user=ann, phrase="curse"
        )

    def test_phrases_are_limited_like_text(self) -> None:
        ann = person("Ann")
        match = running_table([ann, person("Ben")])
        for _line in range(posting.MAX_LINES):
            posting.post_message(match=match, user=ann, phrase="wow")
        refused("too_fast", posting.post_message, match=match, user=ann, phrase="wow")


class TestPartners:
    """Between the seats of a rated match with partners nothing is said in free text until it is over."""

    SAID = "This table allows only preset phrases."

    @pytest.fixture
    def people(self) -> list[User]:
        return [person(name) for name in ("Ann", "Ben", "Cleo", "Dan")]

    def running(self, people: list[User], **changed: Any) -> Match:
        terms: dict[str, Any] = {"variant": "all_fives", "options": {"partners": "yes"}, "rated": True}
        return running_table(people, **terms | changed)

    def test_partners_can_use_only_phrases_during_the_match(self, people: list[User]) -> None:
        match, ann = self.running(people), people[0]
        with pytest.raises(Refused) as caught:
            posting.post_message(match=match, user=ann, text="I hold the 6-6")
        assert str(caught.value.text) == self.SAID
        posting.post_message(match=match, user=ann, phrase="wow")
        play.leave_match(match_id=match.pk, user_id=people[1].pk)
        for user in people[2:]:
            play.leave_match(match_id=match.pk, user_id=user.pk)
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        match.refresh_from_db()
        assert match.status in (Match.Status.FINISHED, Match.Status.STOPPED)
        posting.post_message(match=match, user=ann, text="Well played")

    @pytest.mark.parametrize("changed", [{"rated": False}, {"options": {}}, {"options": {}, "variant": "kozel"}])
    def test_free_text_is_allowed_without_partners(self, people: list[User], changed: dict[str, Any]) -> None:
        posting.post_message(match=self.running(people, **changed), user=people[0], text="Good luck")

    def test_free_text_is_refused_before_the_deal(self, people: list[User]) -> None:
        match = open_table(people, variant="all_fives", options={"partners": "yes"}, rated=True)
        posting.post_message(match=match, user=people[0], text="Good luck")

    def test_name_cannot_be_used_as_a_message(self, people: list[User]) -> None:
        guest = person("Gus", is_guest=True)
        match = self.running([*people[:3], guest])
        refused("phrases_only", naming.rename_guest, match=match, user=guest, name="Six six")

    def test_spectators_can_use_free_text(self, people: list[User]) -> None:
        posting.post_message(match=self.running(people), user=person("Eve"), text="Ben holds the 6-6, I think")

    def test_no_page_or_frame_of_another_seat_contains_free_text(self, people: list[User], client: Client) -> None:
        match = self.running(people)
        for form in ({"text": "I hold the 6-6"}, {"text": "I hold the 6-6", "phrase": "wow"}):
            client.force_login(people[0])
            client.post(f"/match/{match.slug}/chat/", form)
            client.force_login(people[1])
            for path in (f"/match/{match.slug}/", f"/match/{match.slug}/scores/"):
                assert "I hold" not in client.get(path).text
        snapshot = snapshots.current_snapshot(match.pk)
        for seat in range(4):
            assert "I hold" not in frame_of(snapshot.table, snapshot.view(seat)).full_update
        assert "data-phrases-only" in client.get(f"/match/{match.slug}/").text
        assert not Message.objects.filter(text__contains="I hold").exists()


class TestAgreedPhrases:
    def test_agreed_phrases_limit_players_and_not_spectators(self, ann: User) -> None:
        match = running_table([ann, person("Ben")], talk="phrases")
        refused("phrases_only", posting.post_message, match=match, user=ann, text="Hello there")
        posting.post_message(match=match, user=ann, phrase="hello")
        posting.post_message(match=match, user=person("Eve"), text="I watch")
        client = browser_of(ann)
        page = client.get(f"/match/{match.slug}/").text
        assert "data-phrases-only" in page
        assert "Sixteen preset phrases" in page

    def test_reader_without_typed_text_gets_only_phrases(self, ann: User) -> None:
        ben = person("Ben", reads_typed=False)
        match = running_table([ann, ben])
        posting.post_message(match=match, user=ann, text="My words")
        posting.post_message(match=match, user=ann, phrase="hello")
        seen = {}
        for reader in (ann, ben):
            client = browser_of(reader)
            page = client.get(f"/match/{match.slug}/").text
            chat = page.partition('id="messages"')[2].partition("</div>")[0]
            seen[reader.name] = ("My words" in page, "Hello!" in chat)
        assert seen == {"Ann": (True, True), "Ben": (False, True)}
