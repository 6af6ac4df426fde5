"""A guest who was seated under a suggested name takes another one at the table."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.lobby import tables
from games.match import selectors
from games.models import Message
from games.services import naming, seating
from tests.games.lobby.test_tables import refused, running, table
from tests.games.tables import person


@pytest.fixture
def gail() -> User:
    return person("Robin 66", is_guest=True)


def test_the_seat_and_the_person_have_the_new_name(gail: User) -> None:
    match = table(gail)
    naming.rename_guest(match=match, user=gail, name="  Gail ")
    assert seating.seats_of(match)[0].name == User.objects.get(pk=gail.pk).name == "Gail"


@pytest.mark.stack
def test_the_lines_of_the_chat_have_the_new_name_too(gail: User, ann: User) -> None:
    match = table(gail)
    Message.objects.create(match=match, user=gail, name="Robin 66", text="hello")
    Message.objects.create(match=match, user=ann, name="Ann", text="hello")
    naming.rename_guest(match=match, user=gail, name="Gail")
    assert [line.name for line in selectors.chat_lines(match.pk)] == ["Gail", "Ann"]


def test_renaming_works_during_the_match(gail: User) -> None:
    match = running(gail)
    naming.rename_guest(match=match, user=gail, name="Gail")
    assert seating.seats_of(match)[0].name == "Gail"


def test_nobody_takes_a_name_that_looks_like_another_at_the_table(gail: User, ann: User) -> None:
    match = table(gail)
    tables.sit(match=match, user=ann)
    User.objects.filter(pk=ann.pk).update(is_guest=True)
    refused("name_taken", naming.rename_guest, match=match, user=gail, name="ann")
    assert seating.seats_of(match)[0].name == "Robin 66"


@pytest.mark.parametrize("name", ["", "A", "x" * 21, "admin", "Masha"])
def test_name_rules_apply(gail: User, name: str) -> None:
    User.objects.create_user("masha", name="Masha")
    match = table(gail)
    refused("bad_request", naming.rename_guest, match=match, user=gail, name=name)
    assert User.objects.get(pk=gail.pk).name == "Robin 66"


def test_an_account_changes_its_name_in_the_settings_only(ann: User) -> None:
    refused("bad_request", naming.rename_guest, match=table(ann), user=ann, name="Anna")


def test_only_players_can_be_renamed(gail: User, ann: User) -> None:
    refused("not_seated", naming.rename_guest, match=table(ann), user=gail, name="Gail")
