"""What moderators do about what people write."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import notices, personal_data
from accounts.models import User
from accounts.sanctions import imposing
from games.broadcast import groups
from games.chat import posting
from games.match import selectors
from games.models import Message
from games.moderation import acts
from tests.games import tables
from tests.games.conftest import Announcements
from tests.games.socket_browser import connect_and_read_frame, in_thread
from tests.moderating import newest_act


def test_a_muted_person_plays_on(moderator: User) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    imposing.impose(moderator=moderator, user=ann, kind="mute", reason="spam", until=None)
    assert not match.seats.get(user=ann).bot
    assert tables.make_first_move(match)


@pytest.fixture
def message() -> Message:
    match = tables.open_table([tables.person("Ann"), tables.person("Ben")])
    return Message.objects.create(match=match, user=match.host, name="Ann", text="a rude word")


def test_hidden_message_disappears_from_every_page(
    moderator: User, message: Message, sent_announcements: Announcements
) -> None:
    assert [line.text for line in selectors.chat_lines(message.match_id)] == ["a rude word"]
    acts.hide_message(moderator=moderator, message=message, reason="rude")
    assert selectors.chat_lines(message.match_id) == ()
    assert [sent["type"] for group, sent in sent_announcements if group == groups.match_group(message.match.slug)] == [
        "match.changed"
    ]
    assert newest_act() == ("hide", message.user_id, f"message:{message.pk}", "rude")
    with pytest.raises(ValidationError, match="already hidden"):
        acts.hide_message(moderator=moderator, message=message, reason="rude")


def test_writer_gets_a_notice_until_the_message_is_shown_again(moderator: User, message: Message) -> None:
    def told() -> list[str]:
        ann = User.objects.get(pk=message.user_id)
        return [notice.text for notice in notices.pending_notices(ann)]

    acts.hide_message(moderator=moderator, message=message, reason="rude")
    assert told() == ["A moderator hid what you wrote: “a rude word”. Reason: rude"]
    other = Message.objects.create(match=message.match, user=message.user, name="Ann", text="another")
    acts.hide_message(moderator=moderator, message=other, reason="rude")
    assert told() == ["A moderator hid 2 of your messages, among them “a rude word”. Reason: rude"]
    for line in (message, other):
        acts.show_message(moderator=moderator, message=line, reason="a slip")
    assert told() == []


def test_a_message_that_was_hidden_by_mistake_is_shown_again(
    moderator: User, message: Message, sent_announcements: Announcements
) -> None:
    revision = selectors.count_chat_changes(message.match_id, message.at)
    with pytest.raises(ValidationError, match="not hidden"):
        acts.show_message(moderator=moderator, message=message, reason="a slip")
    acts.hide_message(moderator=moderator, message=message, reason="rude")
    acts.show_message(moderator=moderator, message=message, reason="a slip")
    assert [line.text for line in selectors.chat_lines(message.match_id)] == ["a rude word"]
    assert newest_act() == ("show", message.user_id, f"message:{message.pk}", "a slip")
    types = [sent["type"] for group, sent in sent_announcements if group == groups.match_group(message.match.slug)]
    assert types == ["match.changed"] * 2
    assert selectors.count_chat_changes(message.match_id, message.at) == revision + 2, "a revision never falls"


def test_what_a_deleted_person_wrote_is_not_shown_again(moderator: User, message: Message) -> None:
    personal_data.erase_person(message.user)
    with pytest.raises(ValidationError, match="not hidden"):
        acts.show_message(moderator=moderator, message=message, reason="a slip")


@pytest.mark.stack
def test_hiding_locks_the_table_first(moderator: User, message: Message) -> None:
    with CaptureQueriesContext(connection) as queries:
        acts.hide_message(moderator=moderator, message=message, reason="rude")
    hits = [re.search(r'(?:FROM|UPDATE) "(games_\w+)"', query["sql"]) for query in queries]
    tables = [hit[1] for hit in hits if hit]
    assert tables[tables.index("games_message") - 1] == "games_match"


@pytest.mark.django_db(transaction=True)
async def test_muted_person_gets_the_reason_over_the_socket(moderator: User) -> None:
    ann, ben = await in_thread(tables.person)("Ann"), await in_thread(tables.person)("Ben")
    match = await in_thread(tables.running_table)([ann, ben])
    await in_thread(imposing.impose)(moderator=moderator, user=ann, kind="mute", reason="spam", until=None)
    browser = await connect_and_read_frame(match, ann)
    await browser.send_message(type="chat", text="buy this")
    assert "permanently muted: you can play, but not write. Reason: spam" in await browser.next_frame()
    assert not await in_thread(Message.objects.exists)()


@pytest.mark.django_db(transaction=True)
async def test_a_hidden_message_leaves_the_screens_at_once_and_comes_back_to_its_place(moderator: User) -> None:
    ann, ben = await in_thread(tables.person)("Ann"), await in_thread(tables.person)("Ben")
    match = await in_thread(tables.running_table)([ann, ben])
    browser = await connect_and_read_frame(match, ben)
    message = await in_thread(posting.post_message)(match=match, user=ann, text="a rude word")
    assert "a rude word" in await browser.next_frame()
    await in_thread(acts.hide_message)(moderator=moderator, message=message, reason="rude")
    frame = await browser.next_frame()
    assert "messages" in frame
    assert "a rude word" not in frame
    await in_thread(posting.post_message)(match=match, user=ben, text="what was that?")
    await browser.next_frame()
    await in_thread(acts.show_message)(moderator=moderator, message=message, reason="a slip")
    before, _word, behind = (await browser.next_frame()).partition("a rude word")
    assert "what was that?" not in before
    assert "what was that?" in behind, "the lines are in their order"


def test_muted_person_sees_the_reason_instead_of_the_field(client: Client, moderator: User) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    client.force_login(ann)
    assert 'id="chat-form"' in client.get(f"/match/{match.slug}/").content.decode()
    imposing.impose(moderator=moderator, user=ann, kind="mute", reason="spam <1>", until=None)
    page = client.get(f"/match/{match.slug}/").content.decode()
    assert 'id="chat-form"' not in page
    assert "You are permanently muted: you can play, but not write. Reason: spam &lt;1&gt;" in page


def test_muted_spectator_sees_the_reason_instead_of_the_field(client: Client, moderator: User) -> None:
    match = tables.running_table([tables.person("Ann"), tables.person("Ben")])
    eve = tables.person("Eve")
    imposing.impose(moderator=moderator, user=eve, kind="mute", reason="spam", until=None)
    client.force_login(eve)
    assert 'id="chat-form"' not in client.get(f"/match/{match.slug}/").content.decode()
    client.post(f"/match/{match.slug}/chat/", {"text": "play the double!"})
    assert not Message.objects.exists()
    assert "You are permanently muted" in client.get(f"/match/{match.slug}/").content.decode()
