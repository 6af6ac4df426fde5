"""Account pages: accessible to everybody, and working without scripts."""

from __future__ import annotations

import re
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.people import submit
from tests.browser.visitor import PHONE, THEMES, Visitor
from tests.server import Server

PASSWORD = "seven-spotted-goats"
CODE_SECONDS = 30


def sign_up(visitor: Visitor, username: str) -> None:
    """Fill in the form that creates an account, for visitors or guests."""
    visitor.page.get_by_label("User name").fill(username)
    visitor.page.get_by_label("Email address").fill(f"{username}@example.org")
    visitor.page.get_by_label("Password", exact=True).fill(PASSWORD)
    visitor.page.get_by_label("Password, again").fill(PASSWORD)


def confirm_address(site: Server, username: str) -> None:
    rows = f"EmailAddress.objects.filter(email='{username}@example.org')"
    site.run_code(f"from allauth.account.models import EmailAddress; {rows}.update(verified=True)")


def test_account_pages_and_two_step_log_in_are_accessible(visitor: Visitor, site: Server) -> None:
    username = people.new_name("masha")
    visitor.visit("/accounts/signup/")
    sign_up(visitor, username)
    submit(visitor, "Sign up")
    expect(visitor.page.get_by_role("banner")).to_contain_text(username)
    complaints = {}
    for path in ("/accounts/settings/", "/accounts/email/", "/accounts/password/change/", "/accounts/data/"):
        visitor.visit(path)
        complaints[path] = visitor.page_problems([PHONE])
    confirm_address(site, username)
    visitor.visit("/accounts/2fa/totp/activate/")
    complaints["reauthenticate"] = visitor.page_problems([PHONE])
    visitor.page.get_by_label("Password").fill(PASSWORD)
    submit(visitor, "Continue")
    complaints["activate"] = visitor.page_problems(THEMES)
    secret = visitor.page.locator("main code").inner_text()
    visitor.page.get_by_label("Code from the app").fill(
        format_hotp_value(hotp_value(secret, int(time.time()) // CODE_SECONDS))
    )
    submit(visitor, "Turn on")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    complaints["codes"] = visitor.page_problems([PHONE])
    for path in ("/accounts/2fa/", "/accounts/2fa/totp/deactivate/", "/accounts/2fa/recovery-codes/generate/"):
        visitor.visit(path)
        complaints[path] = visitor.page_problems([PHONE])
    assert complaints == {page: [] for page in complaints}


def test_form_with_errors_is_accessible(visitor: Visitor) -> None:
    visitor.visit("/accounts/signup/")
    sign_up(visitor, "admin")
    submit(visitor, "Sign up")
    name = visitor.page.get_by_label("User name")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description(re.compile("could be mistaken for the site’s own"))
    assert visitor.page_problems(THEMES) == []
