"""Pages of accounts have one title, one heading, labelled fields, and nothing inline."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from accounts.models import Sanction, User

FOR_VISITORS = [
    "/accounts/guest/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/done/",
    "/accounts/password/reset/key/1-c0ffee-0123456789/",
    "/accounts/confirm-email/",
    "/accounts/confirm-email/nonsense/",
    "/accounts/inactive/",
]
FOR_GUESTS = [
    "/accounts/guest/upgrade/",
    "/accounts/login/",
    "/accounts/logout/",
    "/accounts/settings/",
    "/accounts/data/",
]
FOR_ACCOUNTS = [
    "/accounts/settings/",
    "/accounts/tokens/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/data/",
    "/accounts/logout/",
    "/accounts/reauthenticate/",
    "/accounts/suspended/",
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
]
WITH_TWO_STEPS = [
    "/accounts/2fa/",
    "/accounts/2fa/totp/deactivate/",
    "/accounts/2fa/recovery-codes/",
    "/accounts/2fa/recovery-codes/generate/",
    "/accounts/2fa/reauthenticate/",
]


class Page(HTMLParser):
    """The title, headings, ids and fields of a page; ``problems`` must be empty."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.text: dict[str, list[str]] = {"title": [], "h1": []}
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.described: set[str] = set()
        self.fields: list[dict[str, str | None]] = []
        self.problems: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.inside.append(tag)
        if tag in self.text:
            self.text[tag].append("")
        if "id" in attributes:
            self.ids.append(attributes["id"] or "")
        if tag == "label":
            self.labelled.add(attributes.get("for") or "")
        if tag in {"input", "select", "textarea"} and attributes.get("type") != "hidden":
            self.fields.append(attributes)
            self.described.update((attributes.get("aria-describedby") or "").split())
        if tag == "img" and not attributes.get("alt"):
            self.problems.append("img without alt")
        self.problems += [f"{tag} {name}" for name in attributes if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in attributes):
            self.problems.append(f"inline {tag}")

    def handle_data(self, data: str) -> None:
        for tag in self.text:
            if self.inside and self.inside[-1] == tag:
                self.text[tag][-1] += data.strip()


def check(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.headers.get("Location"))
    page = Page(answer.content.decode())
    assert page.problems == []
    assert len(page.text["title"]) == 1
    assert page.text["title"][0].endswith("· Dominoes online")
    assert len(page.text["title"][0]) > len("· Dominoes online")
    assert len(page.text["h1"]) == 1
    assert page.text["h1"][0]
    assert len(page.ids) == len(set(page.ids)), sorted(page.ids)
    assert page.described <= set(page.ids)
    assert [field for field in page.fields if field.get("id") not in page.labelled] == []
    assert [field for field in page.fields if field.get("placeholder")] == []
    assert "account.css" in answer.content.decode()
    assert "Sign In" not in answer.content.decode(), "the words of the site, not of a package"


@pytest.mark.parametrize("address", FOR_VISITORS)
def test_pages_for_visitors(client: Client, address: str) -> None:
    check(client, address)


@pytest.mark.parametrize("address", FOR_GUESTS)
def test_pages_for_guests(client: Client, guest: User, address: str) -> None:
    check(client, address)


@pytest.mark.parametrize("address", FOR_ACCOUNTS)
def test_pages_for_accounts(reauthenticated_masha: Client, masha: User, address: str) -> None:
    if "suspended" in address:
        Sanction.objects.create(user=masha, kind="suspend", reason="spam")
    check(reauthenticated_masha, address)


@pytest.mark.parametrize("address", WITH_TWO_STEPS)
def test_pages_of_the_two_step_log_in(reauthenticated_masha: Client, masha: User, address: str) -> None:
    TOTP.activate(masha, generate_totp_secret())
    RecoveryCodes.activate(masha)
    check(reauthenticated_masha, address)


def test_page_of_the_second_step(client: Client, masha: User) -> None:
    TOTP.activate(masha, generate_totp_secret())
    client.post("/accounts/login/", {"login": "masha", "password": "seven-spotted-goats"})
    check(client, "/accounts/2fa/authenticate/")


def test_page_of_a_confirmation_link(client: Client, masha: User) -> None:
    EmailAddress.objects.update(verified=False)
    check(client, f"/accounts/confirm-email/{EmailConfirmationHMAC(EmailAddress.objects.get()).key}/")


@pytest.mark.parametrize("address", ["/accounts/guest/", "/accounts/login/", "/accounts/signup/"])
def test_empty_form_marks_all_fields_with_errors(client: Client, address: str) -> None:
    text = client.post(address, {}).content.decode()
    page = Page(text)
    wrong = [field for field in page.fields if field.get("aria-invalid") == "true" and field.get("type") != "radio"]
    assert wrong
    for field in wrong:
        assert f"{field['id']}_error" in (field["aria-describedby"] or "").split()
    assert page.described <= set(page.ids)


def test_pages_with_personal_data_are_not_cached(as_masha: Client) -> None:
    for address in ("/accounts/settings/", "/accounts/data/", "/accounts/data/export/"):
        assert "no-store" in as_masha.get(address).headers["Cache-Control"]
