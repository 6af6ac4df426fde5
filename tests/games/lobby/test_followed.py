"""The tables of people whom one follows come first in one's lobby, on the page and over the socket."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import follows
from accounts.models import User
from games.lobby import open_tables
from games.lobby import tables as lobby_tables
from games.models import Match
from tests.games import tables
from tests.games.lobby.test_tables import table
from tests.games.socket_browser import Browser, in_thread


@pytest.mark.stack
def test_tables_of_followed_people_come_first(ann: User, ben: User) -> None:
    theirs = table(ann, seats=2)
    lobby_tables.sit(match=theirs, user=tables.person("Cat"))
    table_of_others = table(tables.person("Dan"))
    played, newer = tables.running_table([ann, ben]), tables.running_table([tables.person("Eve")], bots=1)
    Match.objects.update(visibility="public")
    lists = open_tables.load_lists("", None, frozenset({ann.pk}))
    assert [line.slug for line in lists.open] == [theirs.slug, table_of_others.slug]
    assert [line.slug for line in lists.running] == [played.slug, newer.slug]
    assert [seat.is_followed for seat in lists.running[0].seats] == [True, False]
    assert [line.slug for line in open_tables.load_lists().running] == [newer.slug, played.slug]


def test_tables_of_followed_people_are_never_cut_off(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_tables, "MAX_LISTED", 1)
    theirs = table(ann)
    table(tables.person("Dan"))
    assert [line.slug for line in open_tables.load_lists("", None, frozenset({ann.pk})).open] == [theirs.slug]


def test_unlisted_tables_and_held_seats_are_not_marked(ann: User, ben: User) -> None:
    followed = frozenset({ann.pk})
    assert open_tables.people_with_listed_seats(followed) == frozenset()
    hidden = table(ann, visibility="link")
    assert open_tables.people_with_listed_seats(followed) == frozenset()
    assert open_tables.load_lists("", None, followed).open == ()
    Match.objects.filter(pk=hidden.pk).update(visibility="public")
    assert open_tables.people_with_listed_seats(followed) == followed
    match = tables.running_table([ann, ben], visibility="public")
    tables.hold_seat(match, ann)
    assert not open_tables.load_lists("", None, followed).running[0].is_followed


def test_only_the_follower_sees_the_marks(client: Client, ann: User, ben: User) -> None:
    table(ann)
    follows.follow(follower=ben, followed=ann)
    for viewer, marked in ((ben, True), (tables.person("Cat"), False)):
        client.force_login(viewer)
        assert ("you follow" in client.get("/").content.decode()) == marked


@pytest.mark.django_db(transaction=True)
async def test_open_lobby_marks_them_after_a_new_follow(ann: User, ben: User) -> None:
    await in_thread(table)(ann)
    browser = Browser("/ws/lobby/", user=ben)
    await browser.connect()
    assert "you follow" not in await browser.next_frame()
    await in_thread(follows.follow)(follower=ben, followed=ann)
    assert "you follow" in await browser.next_frame()
    await in_thread(follows.unfollow)(follower=ben, followed_id=ann.pk)
    assert "you follow" not in await browser.next_frame()
    await browser.disconnect()
