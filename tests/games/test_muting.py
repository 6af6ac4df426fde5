"""A reader mutes a table: no line of it reaches that reader, on the page or over a socket, until it is taken back."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from accounts.models import User
from games.chat import posting
from games.models import Match, Message, MutedTable
from games.services import rematch
from tests.games.services.test_rematch import finished
from tests.games.socket_browser import connect_and_read_frame, in_thread
from tests.games.sockets.test_spectator_chat import pending_frames
from tests.games.tables import make_first_move, person, running_table

say, mute, move = (in_thread(act) for act in (posting.post_message, posting.mute_table, make_first_move))
ROOMS = ("rude words", "loud words")  # of the players and of the spectators


@pytest.fixture
def people(db: None) -> list[User]:
    """Return two players and two spectators."""
    return [person(name) for name in ("Ann", "Ben", "Eve", "Fay")]


@pytest.fixture
def match(people: list[User]) -> Match:
    match = running_table(people[:2])
    posting.post_message(match=match, user=people[1], text=ROOMS[0])
    posting.post_message(match=match, user=people[3], text=ROOMS[1])
    return match


def press(client: Client, match: Match, *, muted: bool) -> str:
    """Press the button without JavaScript, and return the page it leads to."""
    answer = client.post(f"/match/{match.slug}/mute/", {"mute": "on" if muted else ""})
    assert answer.headers["Location"] == f"/match/{match.slug}/#chat"
    return client.get(f"/match/{match.slug}/").content.decode()


def read(page: str) -> list[str]:
    return [text for text in ROOMS if text in page]


@pytest.mark.parametrize("reader", [None, 0, 2])
def test_muted_page_has_no_line(client: Client, match: Match, people: list[User], reader: int | None) -> None:
    if reader is not None:
        client.force_login(people[reader])
    readable = read(client.get(f"/match/{match.slug}/").content.decode())
    assert readable == (["rude words"] if reader == 0 else list(ROOMS))
    page = press(client, match, muted=True)
    assert read(page) == []
    assert "This table is muted" in page
    assert read(Client().get(f"/match/{match.slug}/").content.decode()) == list(ROOMS)
    page = press(client, match, muted=False)
    assert read(page) == readable
    assert "This table is muted" not in page
    assert MutedTable.objects.count() == 0


def test_a_visitors_browser_remembers_the_last_tables_that_were_muted(client: Client) -> None:
    matches = [running_table([person()], bots=1) for _ in range(22)]
    for match in [*matches, matches[-1]]:
        press(client, match, muted=True)
    cookie = client.cookies["muted-tables"]
    assert cookie.value.split(".") == [match.slug for match in matches[2:]]
    assert cookie["httponly"]


def test_invisible_table_cannot_be_muted(client: Client, match: Match, ann: User) -> None:
    client.force_login(ann)
    Match.objects.filter(pk=match.pk).update(status="void")
    for slug in (match.slug, "nowhere"):
        assert client.post(f"/match/{slug}/mute/", {"mute": "on"}).status_code == 404
    assert client.get(f"/match/{match.slug}/mute/").status_code == 405
    assert not MutedTable.objects.exists()


@pytest.mark.stack
def test_mute_continues_and_can_end_in_the_rematch(client: Client, ann: User, ben: User) -> None:
    old = finished(ann, ben, seats=2)
    Message.objects.create(match=old, user=ben, name="Ben", text="rude words")
    posting.mute_table(match=old, user_id=ann.pk, muted=True)
    rematch.agree_to_rematch(match=old, by=ben)
    new = rematch.agree_to_rematch(match=old, by=ann)
    client.force_login(ann)
    assert "rude words" not in client.get(f"/match/{new.slug}/").content.decode()
    for match in (new, old):
        assert "rude words" in press(client, match, muted=False)


def test_muted_tables_are_exported_and_deleted(client: Client, match: Match) -> None:
    ann = User.objects.get(name="Ann")
    posting.mute_table(match=match, user_id=ann.pk, muted=True)
    client.force_login(ann)
    data = json.loads(client.get("/accounts/data/export/").content)
    assert [row["table"] for row in data["muted_tables"]] == [match.slug]
    ann.delete()
    assert not MutedTable.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_muted_socket_gets_no_line(match: Match, people: list[User]) -> None:
    ann, ben, eve, fay = people
    muting, other, same = (
        await connect_and_read_frame(match, eve),
        await connect_and_read_frame(match, ben),
        await connect_and_read_frame(match, eve),
    )
    await muting.send_message(type="mute", mute="on")
    for browser in (muting, same):
        assert "This table is muted" in await browser.next_frame()
    await say(match=match, user=ann, text="more rude words")
    await say(match=match, user=fay, text="more loud words")
    await move(match)
    frames = await muting.next_frame() + await pending_frames(muting)
    assert '<hx-partial id="sync"' in frames
    assert "words" not in frames
    assert "more rude words" in await other.next_frame() + await pending_frames(other)
    later = await connect_and_read_frame(match, eve)
    assert "words" not in await pending_frames(later)
    await muting.send_message(type="mute", mute="")
    frames = await muting.next_frame() + await pending_frames(muting)
    assert "more rude words" in frames
    assert "more loud words" in frames
    for browser in (muting, other, same, later):
        await browser.disconnect()


@pytest.mark.django_db(transaction=True)
async def test_a_visitors_socket_obeys_the_browser_and_cannot_mute_for_a_person(match: Match) -> None:
    browser = await connect_and_read_frame(match, cookies={"muted-tables": f"other.{match.slug}"})
    await say(match=match, user=await in_thread(User.objects.get)(name="Ann"), text="more rude words")
    assert "words" not in await pending_frames(browser)
    await browser.send_message(type="mute", mute="on")
    assert "You need a name" in await browser.next_frame()
    assert not await in_thread(MutedTable.objects.exists)()
    await browser.disconnect()
