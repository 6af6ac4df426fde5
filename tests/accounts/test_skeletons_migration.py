"""Skeletons for the names that were there before them."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from accounts.models import User
from infrastructure import batches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]
migration = import_module("accounts.migrations.0004_fill_skeletons")


@pytest.fixture
def old() -> list[User]:
    """Seven people from before, two of whom look alike."""
    people = [User.objects.create(username=f"person{number}", name=f"Goat {number}") for number in range(6)]
    people.append(User.objects.create(username="other", name="GOAT 0"))
    User.objects.update(name_skeleton="", username_skeleton="")
    return people


def filled() -> list[str]:
    return list(User.objects.order_by("pk").values_list("name_skeleton", flat=True))


def test_everybody_gets_one_and_those_who_look_alike_stay(old: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches.in_batches, "__kwdefaults__", {"size": 3})
    migration.fill_in(apps, connection.schema_editor())
    assert filled() == ["goato", "goati", "goat2", "goat3", "goat4", "goat5", "goato"]
    assert set(User.objects.values_list("username", flat=True)) == {user.username for user in old}


def test_what_was_broken_off_goes_on_with_what_is_left(old: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches.in_batches, "__kwdefaults__", {"size": 3})
    read = []

    def fails_at_the_tenth(name: str) -> str:
        read.append(name)
        if len(read) == 10:
            raise KeyboardInterrupt
        return "x"

    with monkeypatch.context() as broken:
        broken.setattr(migration, "skeleton", fails_at_the_tenth)
        with pytest.raises(KeyboardInterrupt):
            migration.fill_in(apps, connection.schema_editor())
    assert filled() == ["x", "x", "x", "", "", "", ""], "the first batch is kept, the second is not half done"
    migration.fill_in(apps, connection.schema_editor())
    assert filled() == ["x", "x", "x", "goat3", "goat4", "goat5", "goato"]


def test_it_holds_no_table_for_all_its_time() -> None:
    assert migration.Migration.atomic is False
