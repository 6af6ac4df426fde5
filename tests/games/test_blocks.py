"""Blocked people can neither watch nor meet the player who blocked them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from games import access
from games.broadcast import announcements, groups
from games.chat import posting
from games.errors import Refused
from games.lobby import open_tables, quick_play, tables
from games.models import Match
from games.services import rematch
from tests.games.finished import finished
from tests.games.lobby.test_tables import table
from tests.games.tables import open_table, person, running_table
from tests.viewers import body

PAGES = (
    *("match", "match-scores", "match-review", "match-record", "match-transcript", "match-verify"),
    *("match-embed", "match-social-preview"),
)


@pytest.fixture(autouse=True)
def blocked(ann: User, ben: User) -> None:
    """Ann has blocked Ben."""
    blocks.block(blocker=ann, blocked=ben)


def told(client: Client, user: User | None, match: Match) -> set[int]:
    """Return the codes of all pages of the match."""
    if user is not None:
        client.force_login(user)
    return {client.get(reverse(name, args=[match.slug])).status_code for name in PAGES}


def slugs(user: User) -> set[str]:
    lists = open_tables.lists("", access.restricted_viewer(user))
    return {line.slug for line in (*lists.open, *lists.running)}


class TestWatching:
    @pytest.mark.stack
    @pytest.mark.parametrize("make", [open_table, running_table])
    def test_the_blocked_person_finds_no_such_table_while_it_lasts(
        self, client: Client, ann: User, ben: User, make: Callable[[list[User]], Match]
    ) -> None:
        match = make([ann, person("Cat")])
        assert told(client, ben, match) == {404}
        assert client.post(reverse("match-chat", args=[match.slug]), {"text": "hi"}).status_code == 404

    def test_that_page_says_what_it_says_of_any_table_that_is_not_there(
        self, client: Client, ann: User, ben: User
    ) -> None:
        match = running_table([ann, person("Cat")])
        client.force_login(ben)
        shut, none = (body(client.get(f"/match/{slug}/")).decode() for slug in (match.slug, "nowhere"))
        assert shut.replace(match.slug, "nowhere") == none

    def test_the_blocker_may_watch_the_blocked_and_others_may_watch_both(
        self, client: Client, ann: User, ben: User
    ) -> None:
        match = running_table([ben, person("Cat")])
        for user in (ann, person("Dan")):
            client.force_login(user)
            assert client.get(reverse("match", args=[match.slug])).status_code == 200

    def test_where_both_sit_both_stay(self, ann: User, ben: User) -> None:
        assert access.can_see(ben, running_table([ann, ben]))

    def test_staff_see_every_table(self, ann: User, ben: User) -> None:
        User.objects.filter(pk=ben.pk).update(is_staff=True)
        ben.refresh_from_db()
        match = running_table([ann, person("Cat")])
        assert access.can_see(ben, match)
        assert match.slug in slugs(ben)

    def test_a_finished_match_is_public_but_not_before_everybody_saw_its_end(self, ann: User, ben: User) -> None:
        match = finished([ann, person("Cat")])
        assert access.can_see(ben, match)
        match.public_at = timezone.now() + timedelta(minutes=1)
        match.save()
        assert not access.can_see(ben, match)

    def test_unblocking_opens_the_table(self, ann: User, ben: User) -> None:
        match = running_table([ann, person("Cat")])
        blocks.unblock(blocker=ann, blocked_id=ben.pk)
        assert access.can_see(ben, match)


class TestTheLobby:
    @pytest.mark.stack
    @pytest.mark.parametrize("make", [open_table, running_table])
    def test_it_lists_the_table_for_all_but_the_blocked(
        self, client: Client, ann: User, ben: User, make: Callable[[list[User]], Match]
    ) -> None:
        match = make([ann, person("Cat")])
        assert match.slug not in slugs(ben)
        assert match.slug in slugs(ann) & slugs(person("Dan"))
        client.force_login(ben)
        assert match.slug not in client.get("/").content.decode()

    def test_ones_own_tables_stay_in_it(self, ann: User, ben: User) -> None:
        assert running_table([ann, ben]).slug in slugs(ben)

    def test_who_is_blocked_by_nobody_shares_the_lists_of_all(self, ann: User, ben: User) -> None:
        assert access.restricted_viewer(ann) is None
        assert access.restricted_viewer(ben) == ben.pk


class TestSitting:
    def refused(self, call: Any, **arguments: Any) -> None:
        with pytest.raises(Refused) as caught:
            call(**arguments)
        assert caught.value.code == "no_table"

    def test_the_blocked_cannot_sit_down_and_are_not_told_why(self, ann: User, ben: User) -> None:
        self.refused(tables.sit, match=table(ann), user=ben)

    def test_not_even_as_staff(self, ann: User, ben: User) -> None:
        User.objects.filter(pk=ben.pk).update(is_staff=True)
        self.refused(tables.sit, match=table(ann), user=ben)

    def test_the_blocker_sits_down_where_the_blocked_sits_by_free_will(self, ann: User, ben: User) -> None:
        match = tables.sit(match=table(ben), user=ann)
        assert access.can_see(ben, match)
        assert tables.sit(match=match, user=ben) == match

    def test_quick_play_brings_them_together_neither_way(self, ann: User, ben: User) -> None:
        first = quick_play.join(user=ann, variant="kozel")
        second = quick_play.join(user=ben, variant="kozel")
        assert first != second
        tables.stand_up(match=first, user=ann)
        assert quick_play.join(user=ann, variant="kozel") != second
        assert quick_play.join(user=person("Cat"), variant="kozel") == second

    def test_a_rematch_is_for_the_blocked_only_where_the_blocker_is_not(self, ann: User, ben: User) -> None:
        first, second = finished([ann, ben]), finished([ann, ben])
        for match in (first, second):
            match.seats.update(last_seen=timezone.now())
        rematch.agree_to_rematch(match=first, by=ann)
        self.refused(rematch.agree_to_rematch, match=first, by=ben)
        rematch.agree_to_rematch(match=second, by=ben)
        assert rematch.agree_to_rematch(match=second, by=ann).seats.filter(user=ben).exists()


class TestChat:
    def test_the_blocker_does_not_read_the_blocked_at_the_same_table(
        self, client: Client, ann: User, ben: User
    ) -> None:
        match = running_table([ann, ben, person("Cat")])
        posting.post_message(match=match, user=ben, text="rude words")
        for reader, reads in ((ann, False), (ben, True)):
            client.force_login(reader)
            assert ("rude words" in client.get(f"/match/{match.slug}/").content.decode()) == reads

    def test_a_name_in_the_chat_and_at_a_seat_leads_to_the_persons_page(
        self, client: Client, ann: User, ben: User
    ) -> None:
        match = running_table([ann, ben])
        posting.post_message(match=match, user=ben, text="hello")
        for user in (ben, person("Cat")):
            client.force_login(user)
            page = client.get(f"/match/{match.slug}/").content.decode()
            assert page.count(f'href="{reverse("person", args=[ben.pk])}" target="_blank"') == 2
        assert client.get(reverse("person", args=[ben.pk])).status_code == 200


def test_who_sits_down_has_the_blocked_look_again(ann: User, ben: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = table(person("Cat"))
    sent: list[Any] = []
    monkeypatch.setattr(announcements, "announce", sent.extend)
    tables.sit(match=match, user=ann)
    assert (groups.user_group(ben.pk), {"type": "user.recheck"}) in sent
