"""No two accounts have names that look alike, and no guest takes an account's."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from accounts.selectors import is_name_taken
from tests.accounts.conftest import PASSWORD, logged_in_user

SIGNUP = {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD}
SETTINGS = {"colour": "green", "theme": "light", "felt": "green", "tiles": "bone", "may_invite": "all"}
TAKEN = "This name, or one that looks like it, belongs to somebody else."


@pytest.mark.parametrize("name", ["Masha", "masha", "MASHA", "Мasha", "Rnasha", "ᴍᴀꜱʜᴀ", "Masha ✔", "ma sha"])
def test_guests_cannot_take_names_that_look_like_an_accounts(client: Client, masha: User, name: str) -> None:
    page = client.post("/accounts/guest/", {"name": name, "colour": "red"}).content.decode()
    assert TAKEN in page or "Use only one alphabet" in page
    assert logged_in_user(client) is None


def test_name_with_a_number_is_free(client: Client, masha: User) -> None:
    client.post("/accounts/guest/", {"name": "Masha 27", "colour": "red"})
    assert logged_in_user(client).name == "Masha 27"


def test_account_owns_its_user_name_and_its_name(client: Client, masha: User) -> None:
    masha.name = "Baba Yaga"
    masha.save(update_fields=["name"])
    assert is_name_taken("baba-yaga")
    assert is_name_taken("MASHA")
    assert not is_name_taken("masha", by=masha.pk)


def test_sign_up_refuses_a_name_that_looks_like_anothers(client: Client, masha: User) -> None:
    page = client.post("/accounts/signup/", SIGNUP | {"username": "rnasha"}).content.decode()
    assert TAKEN in page
    assert User.objects.count() == 1


def test_settings_refuse_similar_names_but_not_ones_own(as_masha: Client, masha: User) -> None:
    User.objects.create_user("petya", name="Petya")
    assert TAKEN in as_masha.post("/accounts/settings/", SETTINGS | {"name": "PETYA"}).content.decode()
    as_masha.post("/accounts/settings/", SETTINGS | {"name": "masha!"})
    masha.refresh_from_db()
    assert (masha.name, masha.name_skeleton) == ("masha!", "rnasha")


def test_name_of_an_absent_guest_is_free(client: Client, guest: User) -> None:
    assert not is_name_taken("Petya")


def test_guest_with_a_name_taken_meanwhile_gets_the_user_name(client: Client, guest: User) -> None:
    User.objects.create_user("other", name="Petya")
    client.post("/accounts/signup/", SIGNUP | {"username": "somebody"})
    guest.refresh_from_db()
    assert (guest.name, guest.is_guest) == ("somebody", False)


def test_accounts_with_similar_older_names_keep_them(as_masha: Client, masha: User) -> None:
    User.objects.create_user("other", name="Masha")
    as_masha.post("/accounts/settings/", SETTINGS | {"name": "Masha"})
    masha.refresh_from_db()
    assert (masha.name, masha.colour) == ("Masha", "green")
