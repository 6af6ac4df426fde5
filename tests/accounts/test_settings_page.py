"""The settings page: stored in the account, and applied to all pages."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from tests.games.tables import browser_of, running_table

SETTINGS = "/accounts/settings/"
SWITCHES = ("sound", "two_taps", "auto_draw", "clock_digits", "lists_watchers", "followable")
LOOKS = {"theme": "dark", "felt": "claret", "tiles": "colours", "may_invite": "followed"}
FIELDS = {"name": "Maria", "colour": "pink", "language": "hu"} | LOOKS | dict.fromkeys(SWITCHES, "on")


def test_visitors_must_log_in(client: Client) -> None:
    assert client.get(SETTINGS).headers["Location"] == "/accounts/login/?next=/accounts/settings/"


def test_all_settings_are_stored(as_masha: Client, masha: User) -> None:
    assert as_masha.post(SETTINGS, FIELDS).headers["Location"] == SETTINGS
    masha.refresh_from_db()
    assert {field: getattr(masha, field) for field in FIELDS} == FIELDS | dict.fromkeys(SWITCHES, True)


def test_tables_know_how_the_person_plays(as_masha: Client, masha: User) -> None:
    address = f"/match/{running_table([masha], bots=1).slug}/"
    attributes = ("data-two-taps", "data-auto-draw", "data-digits")
    assert not any(name in as_masha.get(address).content.decode() for name in attributes)
    as_masha.post(SETTINGS, FIELDS)
    assert all(name in as_masha.get(address).content.decode() for name in attributes)


def test_a_guest_has_the_same_settings(client: Client, guest: User) -> None:
    client.post(SETTINGS, FIELDS)
    guest.refresh_from_db()
    assert (guest.name, guest.theme, guest.is_guest) == ("Maria", "dark", True)


def test_pages_have_the_language_and_look_of_the_person(as_masha: Client) -> None:
    as_masha.post(SETTINGS, FIELDS)
    page = as_masha.get("/accounts/data/", headers={"accept-language": "it"})
    assert '<html lang="hu" data-theme="dark" data-felt="claret" data-tiles="colours">' in page.content.decode()
    as_masha.post(SETTINGS, FIELDS | {"felt": "green", "tiles": "bone"})
    assert '<html lang="hu" data-theme="dark">' in as_masha.get("/accounts/data/").content.decode()
    assert page.headers["Content-Language"] == "hu"


def test_language_survives_the_log_out_and_can_be_reset(as_masha: Client) -> None:
    as_masha.post(SETTINGS, FIELDS)
    as_masha.post("/accounts/logout/")
    assert '<html lang="hu"' in as_masha.get("/accounts/login/").content.decode()
    as_masha.post("/accounts/login/", {"login": "masha", "password": "seven-spotted-goats"})
    as_masha.post(SETTINGS, FIELDS | {"language": ""})
    page = as_masha.get(SETTINGS, headers={"accept-language": "it"}).content.decode()
    assert '<html lang="it"' in page


def test_language_selector_is_stored_in_the_account(as_masha: Client, masha: User) -> None:
    answer = as_masha.post("/i18n/setlang/", {"language": "cs", "next": "/rules/"})
    assert answer.headers["Location"] == "/cs/rules/"
    masha.refresh_from_db()
    assert masha.language == "cs"
    elsewhere = browser_of(masha)
    assert '<html lang="cs"' in elsewhere.get(SETTINGS).content.decode()


def test_language_selector_is_a_cookie_for_visitors(client: Client) -> None:
    answer = client.post("/i18n/setlang/", {"language": "pl", "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/pl/"
    assert answer.cookies[settings.LANGUAGE_COOKIE_NAME].value == "pl"
    assert '<html lang="pl"' in client.get("/accounts/login/").content.decode()


@pytest.mark.parametrize("language", ["", "xx", "../../etc", "x" * 500])
def test_an_unknown_language_changes_nothing(as_masha: Client, masha: User, language: str) -> None:
    assert as_masha.post("/i18n/setlang/", {"language": language}).status_code == 302
    masha.refresh_from_db()
    assert masha.language == ""


def test_link_cannot_change_the_language(client: Client) -> None:
    assert client.get("/i18n/setlang/?language=pl").status_code == 405


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "Admin"}, "name"),
        ({"name": ""}, "name"),
        ({"colour": "beige"}, "colour"),
        ({"language": "xx"}, "language"),
        ({"theme": "neon"}, "theme"),
        ({"felt": "mud"}, "felt"),
        ({"tiles": '"><script>'}, "tiles"),
    ],
)
def test_bad_input_has_an_error_at_its_field_and_changes_nothing(
    as_masha: Client, masha: User, change: dict[str, str], field: str
) -> None:
    page = as_masha.post(SETTINGS, FIELDS | change).content.decode()
    assert f'id="id_{field}_error"' in page
    assert '<bdi translate="no">Masha</bdi>' in page, "the header still shows the name in force"
    masha.refresh_from_db()
    assert (masha.name, masha.language) == ("Masha", "")


def test_form_cannot_change_other_fields_of_the_account(as_masha: Client, masha: User) -> None:
    as_masha.post(
        SETTINGS, FIELDS | {"is_staff": "on", "is_guest": "on", "username": "root", "email": "x@example.org"}
    )
    masha.refresh_from_db()
    assert (masha.is_staff, masha.is_guest, masha.username, masha.email) == (
        False,
        False,
        "masha",
        "masha@example.org",
    )


def test_older_name_that_breaks_the_rules_can_be_kept(as_masha: Client, masha: User) -> None:
    User.objects.update(name="admin")
    as_masha.post(SETTINGS, FIELDS | {"name": "admin"})
    masha.refresh_from_db()
    assert masha.colour == "pink"
