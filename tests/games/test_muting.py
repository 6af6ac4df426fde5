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
from tests.games.socket_browser import in_thread, watch
from tests.games.sockets.test_spectator_chat import everything
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
def test_the_page_holds_no_line_until_it_is_taken_back(
    client: Client, match: Match, people: list[User], reader: int | None
) -> None:
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


def test_a_table_that_is_not_there_for_somebody_cannot_be_muted(client: Client, match: Match, ann: User) -> None:
    client.force_login(ann)
    Match.objects.filter(pk=match.pk).update(status="void")
    for slug in (match.slug, "nowhere"):
        assert client.post(f"/match/{slug}/mute/", {"mute": "on"}).status_code == 404
    assert client.get(f"/match/{match.slug}/mute/").status_code == 405
    assert not MutedTable.objects.exists()


@pytest.mark.stack
def test_it_goes_on_in_the_rematch_and_ends_there_too(client: Client, ann: User, ben: User) -> None:
    old = finished(ann, ben, seats=2)
    Message.objects.create(match=old, user=ben, name="Ben", text="rude words")
    posting.mute_table(match=old, user_id=ann.pk, muted=True)
    rematch.agree_to_rematch(match=old, by=ben)
    new = rematch.agree_to_rematch(match=old, by=ann)
    client.force_login(ann)
    assert "rude words" not in client.get(f"/match/{new.slug}/").content.decode()
    for match in (new, old):
        assert "rude words" in press(client, match, muted=False)


def test_what_one_has_muted_is_in_the_download_and_goes_with_the_person(client: Client, match: Match) -> None:
    ann = User.objects.get(name="Ann")
    posting.mute_table(match=match, user_id=ann.pk, muted=True)
    client.force_login(ann)
    data = json.loads(client.get("/accounts/data/export/").content)
    assert [row["table"] for row in data["muted_tables"]] == [match.slug]
    ann.delete()
    assert not MutedTable.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_no_frame_holds_a_line_for_who_mutes_and_all_do_for_others(match: Match, people: list[User]) -> None:
    ann, ben, eve, fay = people
    muting, other, same = await watch(match, eve), await watch(match, ben), await watch(match, eve)
    await muting.say(type="mute", mute="on")
    for browser in (muting, same):
        assert "This table is muted" in await browser.frame()
    await say(match=match, user=ann, text="more rude words")
    await say(match=match, user=fay, text="more loud words")
    await move(match)
    frames = await muting.frame() + await everything(muting)
    assert '<hx-partial id="sync"' in frames
    assert "words" not in frames
    assert "more rude words" in await other.frame() + await everything(other)
    later = await watch(match, eve)
    assert "words" not in await everything(later)
    await muting.say(type="mute", mute="")
    frames = await muting.frame() + await everything(muting)
    assert "more rude words" in frames
    assert "more loud words" in frames
    for browser in (muting, other, same, later):
        await browser.disconnect()


@pytest.mark.django_db(transaction=True)
async def test_a_visitors_socket_obeys_the_browser_and_cannot_mute_for_a_person(match: Match) -> None:
    browser = await watch(match, cookies={"muted-tables": f"other.{match.slug}"})
    await say(match=match, user=await in_thread(User.objects.get)(name="Ann"), text="more rude words")
    assert "words" not in await everything(browser)
    await browser.say(type="mute", mute="on")
    assert "You need a name" in await browser.frame()
    assert not await in_thread(MutedTable.objects.exists)()
    await browser.disconnect()
