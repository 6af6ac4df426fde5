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
from tests.games.finished import create_finished_match
from tests.games.lobby.test_tables import table
from tests.games.tables import open_table, person, running_table
from tests.viewers import content_without_tokens

PAGES = (
    *("match", "match-scores", "match-review", "match-record", "match-transcript", "match-verify"),
    *("match-embed", "match-social-preview"),
)


@pytest.fixture(autouse=True)
def blocked(ann: User, ben: User) -> None:
    """Ann has blocked Ben."""
    blocks.block(blocker=ann, blocked=ben)


def page_statuses(client: Client, user: User | None, match: Match) -> set[int]:
    """Return the codes of all pages of the match."""
    if user is not None:
        client.force_login(user)
    return {client.get(reverse(name, args=[match.slug])).status_code for name in PAGES}


def slugs(user: User) -> set[str]:
    lists = open_tables.load_lists("", access.restricted_viewer_id(user))
    return {line.slug for line in (*lists.open, *lists.running)}


class TestWatching:
    @pytest.mark.stack
    @pytest.mark.parametrize("make", [open_table, running_table])
    def test_blocked_person_gets_404_for_the_table(
        self, client: Client, ann: User, ben: User, make: Callable[[list[User]], Match]
    ) -> None:
        match = make([ann, person("Cat")])
        assert page_statuses(client, ben, match) == {404}
        assert client.post(reverse("match-chat", args=[match.slug]), {"text": "hi"}).status_code == 404

    def test_blocked_page_equals_that_of_an_unknown_table(self, client: Client, ann: User, ben: User) -> None:
        match = running_table([ann, person("Cat")])
        client.force_login(ben)
        shut, none = (
            content_without_tokens(client.get(f"/match/{slug}/")).decode() for slug in (match.slug, "nowhere")
        )
        assert shut.replace(match.slug, "nowhere") == none

    def test_blocker_can_watch_the_blocked_person(self, client: Client, ann: User, ben: User) -> None:
        match = running_table([ben, person("Cat")])
        for user in (ann, person("Dan")):
            client.force_login(user)
            assert client.get(reverse("match", args=[match.slug])).status_code == 200

    def test_people_at_the_same_table_stay(self, ann: User, ben: User) -> None:
        assert access.can_see(ben, running_table([ann, ben]))

    def test_staff_see_every_table(self, ann: User, ben: User) -> None:
        User.objects.filter(pk=ben.pk).update(is_staff=True)
        ben.refresh_from_db()
        match = running_table([ann, person("Cat")])
        assert access.can_see(ben, match)
        assert match.slug in slugs(ben)

    def test_a_finished_match_is_public_but_not_before_everybody_saw_its_end(self, ann: User, ben: User) -> None:
        match = create_finished_match([ann, person("Cat")])
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
    def test_lobby_hides_the_table_only_from_the_blocked_person(
        self, client: Client, ann: User, ben: User, make: Callable[[list[User]], Match]
    ) -> None:
        match = make([ann, person("Cat")])
        assert match.slug not in slugs(ben)
        assert match.slug in slugs(ann) & slugs(person("Dan"))
        client.force_login(ben)
        assert match.slug not in client.get("/").content.decode()

    def test_own_tables_stay_in_the_lobby(self, ann: User, ben: User) -> None:
        assert running_table([ann, ben]).slug in slugs(ben)

    def test_unblocked_people_share_the_cached_lists(self, ann: User, ben: User) -> None:
        assert access.restricted_viewer_id(ann) is None
        assert access.restricted_viewer_id(ben) == ben.pk


class TestSitting:
    def refused(self, call: Any, **arguments: Any) -> None:
        with pytest.raises(Refused) as caught:
            call(**arguments)
        assert caught.value.code == "no_table"

    def test_blocked_person_cannot_sit_down_without_a_reason(self, ann: User, ben: User) -> None:
        self.refused(tables.sit, match=table(ann), user=ben)

    def test_blocked_staff_cannot_sit_down(self, ann: User, ben: User) -> None:
        User.objects.filter(pk=ben.pk).update(is_staff=True)
        self.refused(tables.sit, match=table(ann), user=ben)

    def test_blocker_can_join_the_blocked_person(self, ann: User, ben: User) -> None:
        match = tables.sit(match=table(ben), user=ann)
        assert access.can_see(ben, match)
        assert tables.sit(match=match, user=ben) == match

    def test_quick_play_separates_both(self, ann: User, ben: User) -> None:
        first = quick_play.join_quick_game(user=ann, variant="kozel")
        second = quick_play.join_quick_game(user=ben, variant="kozel")
        assert first != second
        tables.stand_up(match=first, user=ann)
        assert quick_play.join_quick_game(user=ann, variant="kozel") != second
        assert quick_play.join_quick_game(user=person("Cat"), variant="kozel") == second

    def test_rematch_excludes_the_blocked_person(self, ann: User, ben: User) -> None:
        first, second = create_finished_match([ann, ben]), create_finished_match([ann, ben])
        for match in (first, second):
            match.seats.update(last_seen=timezone.now())
        rematch.agree_to_rematch(match=first, by=ann)
        self.refused(rematch.agree_to_rematch, match=first, by=ben)
        rematch.agree_to_rematch(match=second, by=ben)
        assert rematch.agree_to_rematch(match=second, by=ann).seats.filter(user=ben).exists()


class TestChat:
    def test_blocker_does_not_read_lines_of_the_blocked_person(self, client: Client, ann: User, ben: User) -> None:
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


def test_sitting_down_rechecks_blocked_spectators(ann: User, ben: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = table(person("Cat"))
    sent: list[Any] = []
    monkeypatch.setattr(announcements, "announce", sent.extend)
    tables.sit(match=match, user=ann)
    assert (groups.user_group(ben.pk), {"type": "user.recheck"}) in sent
