"""What spectators say among themselves: who writes there, who reads it, and on which pages."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import blocks, services
from accounts.models import User
from accounts.sanctions import imposing
from games.broadcast import announcements, groups
from games.chat import posting
from games.chat import spectators as spectator_chat
from games.errors import Refused
from games.lobby import tables
from games.match import selectors
from games.models import Match, Message
from games.moderation import acts
from games.services import play
from games.spectators import delayed
from tests.games.finished import create_finished_match
from tests.games.tables import open_table, person, running_table

SECRET = "the left end is blocked for good"


@pytest.fixture
def players() -> list[User]:
    return [person("Ann"), person("Ben")]


@pytest.fixture
def eve() -> User:
    return person("Eve")


def say(match: Match, user: User, text: str = SECRET) -> Message:
    return posting.post_message(match=match, user=user, text=text)


def page(client: Client, user: User | None, match: Match, name: str = "match") -> str:
    client.logout()
    if user is not None:
        client.force_login(user)
    return client.get(reverse(name, args=[match.slug])).content.decode()


def refusal(match: Match, user: User) -> str:
    with pytest.raises(Refused) as caught:
        say(match, user)
    return caught.value.code


class TestWriting:
    def test_players_and_spectators_write_in_their_own_chats(self, players: list[User], eve: User) -> None:
        match = running_table(players)
        assert (say(match, players[0]).room, say(match, eve).room) == ("table", "spectators")
        assert [line.name for line in spectator_chat.load_spectator_chat(match.pk).lines] == ["Eve"]
        assert [line.name for line in selectors.chat_lines(match.pk)] == ["Ann"]

    def test_spectator_line_changes_no_revision(self, players: list[User], eve: User) -> None:
        match = running_table(players, delay="120")
        before = Match.objects.get(pk=match.pk).revision, delayed.snapshot_for(match.pk, eve.pk).stage_and_revision
        say(match, eve)
        assert (
            Match.objects.get(pk=match.pk).revision,
            delayed.snapshot_for(match.pk, eve.pk).stage_and_revision,
        ) == before
        assert selectors.count_chat_changes(match.pk, timezone.now()) == 0
        assert selectors.next_line_at(match.pk, timezone.now() - timedelta(hours=1)) is None

    def test_line_is_announced_to_spectators_without_its_text(
        self, players: list[User], eve: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = running_table(players)
        sent: list[Any] = []
        monkeypatch.setattr(announcements, "_publish_spectator_chat", sent.append)
        monkeypatch.setattr(announcements, "announce", sent.append)
        monkeypatch.setattr("django.db.transaction.on_commit", lambda call, **_options: call())
        say(match, eve)
        assert sent == [match.slug]
        group, message = announcements.spectator_chat_announcement(match.slug)
        assert group == groups.spectator_chat_group(match.slug) != groups.match_group(match.slug)
        assert message.keys() == {"type", "mark"}

    def test_mutes_suspensions_and_rate_limits_apply(self, players: list[User], eve: User) -> None:
        match = running_table(players)
        for _line in range(posting.MAX_LINES):
            say(match, eve)
        assert refusal(match, eve) == "too_fast"
        root = User.objects.create(username="root", is_staff=True, is_superuser=True)
        for kind, code in (("mute", "muted"), ("suspend", "suspended")):
            imposing.impose(moderator=root, user=eve, kind=kind, reason="spam", until=None)
            assert refusal(match, eve) == code

    def test_person_blocked_by_a_player_cannot_write(self, players: list[User], eve: User) -> None:
        match = running_table(players)
        blocks.block(blocker=players[0], blocked=eve)
        assert refusal(match, eve) == "no_table"

    def test_chat_closes_an_hour_after_the_end(self, players: list[User], eve: User) -> None:
        match = create_finished_match(players, at=timezone.now() - timedelta(minutes=59))
        say(match, eve)
        with time_machine.travel(timezone.now() + timedelta(minutes=2)):
            assert refusal(match, eve) == "finished"

    def test_plain_form_posts_for_guests_and_redirects_visitors(self, client: Client, players: list[User]) -> None:
        match = running_table(players)
        assert "Play as a guest to write" in page(client, None, match)
        client.post(reverse("guest"), {"name": "Gail", "colour": "red"})
        answer = client.post(reverse("match-chat", args=[match.slug]), {"text": SECRET}, follow=True)
        assert SECRET in answer.content.decode()
        assert Message.objects.get().room == "spectators"


class TestReading:
    def test_players_read_spectator_chat_only_after_the_end(
        self, client: Client, players: list[User], eve: User
    ) -> None:
        match = running_table(players)
        say(match, eve)
        say(match, players[0], "good luck")
        for user in (eve, person("Fay"), None):
            read = page(client, user, match)
            assert SECRET in read
            assert "good luck" in read
        for player in players:
            read = page(client, player, match)
            assert SECRET not in read
            assert "spectator-chat-title" not in read
            assert "good luck" in read
        play.stop_match(match_id=match.pk, reason="stopped")
        assert all(SECRET in page(client, user, match) for user in (*players, eve))

    def test_chat_is_live_at_delayed_tables(self, client: Client, players: list[User], eve: User) -> None:
        match = running_table(players, delay="120")
        say(match, eve)
        say(match, players[0], "good luck")
        read = page(client, person("Fay"), match)
        assert SECRET in read
        assert "good luck" not in read

    def test_players_read_it_at_the_real_end_of_a_delayed_match(
        self, client: Client, players: list[User], eve: User
    ) -> None:
        match = running_table(players, delay="120")
        say(match, eve)
        play.stop_match(match_id=match.pk, reason="stopped")
        assert SECRET in page(client, players[1], match)
        assert SECRET in page(client, eve, match)

    def test_new_player_no_longer_reads_it(self, client: Client, players: list[User], eve: User) -> None:
        match = open_table(players[:1], bots=1)
        match.seats.filter(bot="steady").update(bot="", name="")
        say(match, eve)
        fay = person("Fay")
        assert SECRET in page(client, fay, match)
        tables.sit(match=match, user=fay)
        assert SECRET not in page(client, fay, match)

    def test_lines_of_blocked_people_are_hidden(self, client: Client, players: list[User], eve: User) -> None:
        match = running_table(players)
        fay = person("Fay")
        blocks.block(blocker=fay, blocked=eve)
        say(match, eve)
        assert SECRET not in page(client, fay, match)
        assert SECRET in page(client, eve, match)

    @pytest.mark.stack
    def test_newest_lines_are_limited_and_escaped(self, client: Client, players: list[User], eve: User) -> None:
        match = running_table(players)
        lines = [Message(match=match, user=eve, name="<i>", text=f"n{n}.", room="spectators") for n in range(40)]
        Message.objects.bulk_create(lines)
        read = page(client, eve, match)
        assert "n39." in read
        assert "n9." not in read
        assert "<i>" not in read.partition('id="spectator-chat"')[2].partition("</section>")[0]


class TestModeration:
    @pytest.fixture
    def root(self) -> User:
        return User.objects.create(username="root", name="Root", is_staff=True, is_superuser=True)

    def test_a_hidden_line_disappears_and_changes_no_revision(
        self, client: Client, players: list[User], eve: User, root: User
    ) -> None:
        match = running_table(players)
        line = say(match, eve)
        before = Match.objects.get(pk=match.pk).revision
        assert SECRET in page(client, person("Fay"), match)
        acts.hide_message(moderator=root, message=line, reason="rude")
        assert SECRET not in page(client, person("Gil"), match)
        assert page(client, eve, match).count(SECRET) == 1  # a notice tells the writer which line it was
        assert Match.objects.get(pk=match.pk).revision == before

    def test_admin_hides_the_chat_from_a_moderator_who_plays(
        self, client: Client, players: list[User], eve: User
    ) -> None:
        match = running_table(players)
        say(match, eve)
        say(match, players[1], "good luck")
        User.objects.filter(pk=players[0].pk).update(is_staff=True)
        players[0].groups.add(Group.objects.get(name="Match moderators"))
        other = User.objects.create(username="other", is_staff=True)
        other.groups.add(Group.objects.get(name="Match moderators"))
        address = reverse("admin:games_message_changelist")
        line = reverse("admin:games_message_change", args=[Message.objects.get(text=SECRET).pk])
        for user, reads in ((players[0], False), (other, True)):
            client.force_login(user)
            listed = client.get(address).content.decode()
            assert "good luck" in listed
            assert (SECRET in listed) == reads
            assert (SECRET in client.get(f"{address}?room__exact=spectators").content.decode()) == reads
            assert (SECRET in client.get(line, follow=True).content.decode()) == reads


class TestOwnData:
    def test_download_has_the_chat_of_each_line(self, client: Client, players: list[User], eve: User) -> None:
        say(running_table(players), eve)
        client.force_login(eve)
        (row,) = json.loads(client.get("/accounts/data/export/").content)["messages"]
        assert (row["room"], row["text"]) == ("spectators", SECRET)

    @pytest.mark.stack
    def test_deleting_a_person_deletes_their_lines(self, players: list[User], eve: User) -> None:
        match = running_table(players)
        say(match, eve)
        before = Match.objects.get(pk=match.pk).revision
        services.delete_person(user=eve)
        assert spectator_chat.load_spectator_chat(match.pk).lines == ()
        assert Match.objects.get(pk=match.pk).revision == before
