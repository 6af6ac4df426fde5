"""Everybody sees who is a guest: at the table, in both chats, among those who watch, in the lobby and the history."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from accounts.models import User
from games.chat import posting
from games.lobby import open_tables
from games.models import Match
from games.presence.people import people_of_attendees
from games.rendering.spectators import spectators_zones
from games.review.shared_rendering import names_text
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.games.presence.windows import Window


@pytest.fixture
def people() -> list[User]:
    return [tables.person("Gail", is_guest=True), tables.person("Ann")]


class Words(HTMLParser):
    """The words of a page, which is what a screen reader says of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def read(html: str) -> str:
    return " ".join(Words(html).words)


def page(match: Match, name: str = "") -> str:
    return Client().get(f"/match/{match.slug}/{name}").content.decode()


def part(html: str, key: str) -> str:
    """Return what an element with this id says."""
    match_of_tag = re.search(rf'<(\w+) id="{key}"(.*?)</\1>', html, re.DOTALL)
    return read(match_of_tag[0])


def test_guests_are_marked_at_the_table_and_in_its_review(people: list[User]) -> None:
    match = tables.running_table(people, bots=1)
    for html in (page(match), page(match, "review/")):
        assert re.match("Gail .*guest", part(html, "seat0"))
        assert "guest" not in part(html, "seat1")
        assert " bot" in part(html, "seat2")
        assert "guest" not in part(html, "seat2")


def test_a_majority_of_guests_is_marked_only_in_rated_matches(people: list[User]) -> None:
    assert " guest" not in part(page(tables.running_table(people[:1], bots=1)), "seats")
    people.append(tables.person("Zoe", is_guest=True))
    for rated in (False, True):
        match = tables.running_table(people, rated=rated)
        assert match.rated == rated
        assert (" guest" in part(page(match), "seats")) == rated


def test_held_seat_is_marked_as_such(people: list[User]) -> None:
    match = tables.running_table(people)
    tables.hold_seat(match, people[0])
    assert "bot for now" in part(page(match), "seat0")
    assert "guest" not in part(page(match), "seat0")


def test_guests_are_marked_in_both_chats(people: list[User]) -> None:
    match = tables.running_table(people)
    lines = [posting.post_message(match=match, user=user, text="hello") for user in people]
    lines += [posting.post_message(match=match, user=tables.person("Zoe", is_guest=True), text="hi")]
    html = page(match)
    parts = [part(html, f"m{line.pk}") for line in lines]
    assert parts == ["Gail (guest) hello ⚑", "Ann hello ⚑", "Zoe (guest) hi ⚑"]


def test_guests_are_marked_among_spectators(people: list[User]) -> None:
    spectators = people_of_attendees([Window(user=user).attendee for user in people])
    assert (
        read(spectators_zones(spectators, "en", shows_names=True).markup["spectator-names"]) == "Ann and Gail (guest)"
    )


def test_guests_are_marked_in_shared_reviews(people: list[User]) -> None:
    assert names_text(people_of_attendees([Window(user=user).attendee for user in people])) == "Ann, Gail (guest)"


def test_guests_are_marked_in_the_lobby(people: list[User]) -> None:
    tables.running_table(people, bots=1)
    (line,) = open_tables.load_lists().running
    assert [(seat.name, seat.kind, seat.is_guest) for seat in line.seats[:2]] == [
        ("Gail", "human", True),
        ("Ann", "human", False),
    ]
    assert not line.seats[2].is_guest
    assert "Gail guest" in read(Client().get("/").content.decode())


def test_guests_are_marked_in_the_history(people: list[User]) -> None:
    create_finished_match(people)
    assert re.search(r"Gail guest .*Ann (?!guest)", read(Client().get("/matches/").content.decode()))


def test_former_guests_are_not_marked(client: Client) -> None:
    client.post("/accounts/guest/", {"name": "Gail", "colour": "red"})
    gail = User.objects.get(is_guest=True)
    match = tables.running_table([gail, tables.person("Ann")])
    assert " guest" in part(page(match), "seat0")
    password = {"password1": "seven-spotted-goats", "password2": "seven-spotted-goats"}
    client.post("/accounts/signup/", {"username": "gail", "email": "gail@example.org", **password})
    assert not User.objects.get(pk=gail.pk).is_guest
    assert "guest" not in part(page(match), "seat0")
