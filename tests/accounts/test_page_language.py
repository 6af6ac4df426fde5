"""Public pages have their language in the address. A reader's own choice wins over it, and it over the browser's."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import User

RULES = "/rules/kozel/"


def language_of(client: Client, address: str, browser_language: str = "") -> str:
    """Return the language of the page at the end of all redirects."""
    headers = {"accept-language": browser_language} if browser_language else {}
    page = client.get(address, headers=headers, follow=True).content.decode()
    return page.partition('<html lang="')[2][:2]


def test_address_decides_without_a_choice(client: Client) -> None:
    assert client.get(f"/hu{RULES}").status_code == 200
    assert language_of(client, f"/hu{RULES}") == "hu"
    assert language_of(client, f"/hu{RULES}", "pl") == "hu"
    assert language_of(client, RULES) == "en"


def test_address_without_a_language_leads_to_that_of_the_browser(client: Client) -> None:
    answer = client.get(f"{RULES}?x=1", headers={"accept-language": "pl"})
    assert (answer.status_code, answer["Location"]) == (302, f"/pl{RULES}?x=1")
    assert "Accept-Language" in answer["Vary"]
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(("choice", "location"), [("cs", f"/cs{RULES}"), ("en", RULES)])
def test_cookie_wins_over_the_address(client: Client, settings: Settings, choice: str, location: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = choice
    assert client.get(f"/hu{RULES}")["Location"] == location
    assert language_of(client, f"/hu{RULES}", "pl") == choice


def test_account_wins_over_cookie_and_address(client: Client, settings: Settings) -> None:
    client.force_login(User.objects.create(username="ann", language="it"))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "cs"
    assert client.get(f"/hu{RULES}")["Location"] == f"/it{RULES}"


def test_links_keep_the_language(client: Client) -> None:
    page = client.get("/hu/rules/").content.decode()
    assert f'href="/hu{RULES}"' in page
    assert f'href="{RULES}"' not in page


def test_other_pages_have_one_address_in_all_languages(client: Client) -> None:
    assert client.get("/hu/privacy/").status_code == 404
    assert client.get("/privacy/", headers={"accept-language": "hu"}).status_code == 200


def test_form_of_a_page_in_another_language_is_not_lost(client: Client, settings: Settings) -> None:
    """The reader chose another language in another window meanwhile."""
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "cs"
    assert client.post(f"/hu{RULES}").status_code == 405  # the page answers: no redirect, no 404


@pytest.mark.parametrize("address", ["/%2Felsewhere.example/rules/", "/hu//elsewhere.example/rules/", "/hu//rules/"])
def test_address_never_leads_elsewhere(client: Client, address: str) -> None:
    assert client.get(address, headers={"accept-language": "pl"}).status_code == 404


def test_administration_is_english_only(client: Client) -> None:
    client.force_login(User.objects.create(username="ann", language="it", is_staff=True, is_superuser=True))
    assert client.get("/admin/", headers={"accept-language": "hu"})["Content-Language"] == "en"


class TestLanguageOfMails:
    """Mails and notifications are written when nobody reads a page."""

    def test_is_that_of_the_last_page(self, client: Client) -> None:
        ann = User.objects.create(username="ann")
        client.force_login(ann)
        client.get("/privacy/", headers={"accept-language": "hu"})
        ann.refresh_from_db()
        assert ann.mail_language == "hu"
        client.get("/pl/rules/", headers={"accept-language": "hu"})
        ann.refresh_from_db()
        assert ann.mail_language == "pl"

    def test_is_the_chosen_one_rather_than_that_of_the_last_page(self) -> None:
        assert User(language="it", last_language="hu").mail_language == "it"

    def test_is_one_that_the_site_is_offered_in(self, settings: Settings) -> None:
        settings.LANGUAGES = [("en", "English"), ("cs", "Čeština")]
        assert User(language="it", last_language="cs").mail_language == "cs"
        assert User(language="it", last_language="hu").mail_language == "en"

    def test_is_not_that_of_the_administration(self, client: Client) -> None:
        ann = User.objects.create(username="ann", last_language="hu", is_staff=True, is_superuser=True)
        client.force_login(ann)
        client.get("/admin/")
        ann.refresh_from_db()
        assert ann.mail_language == "hu"

    def test_is_not_written_again(self, client: Client) -> None:
        client.force_login(User.objects.create(username="ann"))
        client.get("/privacy/")
        with CaptureQueriesContext(connection) as queries:
            client.get("/privacy/")
        assert not [query for query in queries if query["sql"].startswith("UPDATE")]
