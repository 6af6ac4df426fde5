"""Forms of pages that were open when somebody logged in, of browsers without cookies, and of other sites."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match, Seat
from tests.accounts.conftest import PASSWORD
from tests.games import tables
from tests.games.lobby.test_tables import table
from tests.games.tables import person

HERE = "http://testserver"
OWN_PAGE = {"sec-fetch-site": "same-origin", "origin": HERE, "sec-fetch-mode": "navigate"}


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True)


def token_of(browser: Client, page: str) -> str:
    match = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get(page).text)
    assert match
    return match[1]


def send(browser: Client, path: str, token: str, page: str = "/", follow: bool = True, **fields: str) -> Any:
    headers = OWN_PAGE | {"referer": HERE + page}
    return browser.post(path, fields | {"csrfmiddlewaretoken": token}, headers=headers, follow=follow)


def log_in(browser: Client) -> Any:
    page = "/accounts/login/"
    return send(browser, page, token_of(browser, page), page, login="masha", password=PASSWORD)


def notices(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def test_page_opened_before_becoming_a_guest_still_works(browser: Client) -> None:
    match = table(person("Host"), visibility="link")
    page = f"/match/{match.slug}/"
    token = token_of(browser, page)
    send(browser, "/play/", token_of(browser, "/"), variant="kozel")
    send(browser, f"{page}sit/", token, page)
    assert Seat.objects.filter(match=match, user__is_guest=True).exists()


@pytest.mark.parametrize("page", ["/?game=kozel", "/matches/?from=2026-01-01"])
def test_page_opened_before_a_login_is_reloaded_with_the_reason(browser: Client, masha: User, page: str) -> None:
    token = token_of(browser, page)
    log_in(browser)
    answer = send(browser, "/tables/new/", token, page, variant="kozel", preset="duel")
    assert answer.redirect_chain == [(page, 303)]
    assert notices(answer) == ["You logged in as Masha after opening that page. Nothing was sent. Please try again."]
    assert not Match.objects.exists()
    again = send(browser, "/tables/new/", token_of(browser, page), page, variant="kozel", preset="duel")
    assert again.redirect_chain == [(f"/match/{Match.objects.get().slug}/", 302)]


def test_visitor_with_an_outdated_page_gets_the_reason(browser: Client) -> None:
    token = token_of(browser, "/")
    browser.cookies.clear()
    browser.get("/accounts/login/")
    assert notices(send(browser, "/accounts/theme/", token, theme="dark")) == [
        "That page was out of date. Nothing was sent. Please try again."
    ]


def test_what_was_typed_is_shown(browser: Client, masha: User) -> None:
    match = tables.running_table([masha, person("Ben")])
    page = f"/match/{match.slug}/"
    token = token_of(browser, page)
    log_in(browser)
    answer = send(browser, f"{page}chat/", token, page, text="Good <b>luck</b>!")
    assert notices(answer)[1:] == ["You wrote: Good <b>luck</b>!"]
    assert "Good &lt;b&gt;luck" in answer.text


def test_outdated_login_form_redirects_logged_in_people(browser: Client, masha: User) -> None:
    page = "/accounts/login/?next=/matches/"
    token = token_of(browser, page)
    log_in(browser)
    answer = send(browser, page, token, page, login="masha", password=PASSWORD)
    assert answer.redirect_chain == [("/matches/", 302)]
    assert notices(answer) == []


def test_browser_without_cookies_gets_an_explanation() -> None:
    token = token_of(Client(), "/")
    answer = send(Client(enforce_csrf_checks=True), "/play/", token, "/?game=kozel", variant="kozel")
    assert answer.status_code == 403
    assert "Allow cookies for this site and try again" in answer.text
    assert '<a class="button" href="/?game=kozel">' in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "cross-site", "origin": "https://evil.example", "referer": "https://evil.example/"},
        {"sec-fetch-site": "same-site", "referer": f"{HERE}/"},
        {"origin": "null", "referer": f"{HERE}/"},
        {"referer": "http://testserver.evil.example/"},
        {"referer": "http://["},
        {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"},
    ],
)
def test_forms_of_other_sites_and_of_scripts_are_refused(browser: Client, headers: dict[str, str]) -> None:
    browser.get("/accounts/login/")
    answer = browser.post("/play/", {"next": "/matches/"}, headers=headers)
    assert answer.status_code == 403
    assert "It did not come from a page of this site" in answer.text


@pytest.mark.parametrize(
    ("page", "leads_to"),
    [
        ("https://evil.example/", "/matches/"),
        (f"{HERE}//evil.example/", "/"),
        (f"{HERE}/\\evil.example", "/"),
        ("javascript:alert(1)", "/matches/"),
        ("http://[", "/matches/"),
        (f"{HERE}/tv/?x=1#y", "/tv/?x=1"),
        ("", "/matches/"),
    ],
)
def test_no_form_leads_to_another_site(browser: Client, page: str, leads_to: str) -> None:
    browser.get("/accounts/login/")
    headers = {"sec-fetch-site": "same-origin", "referer": page}
    answer = browser.post("/play/", {"next": "/matches/"}, headers=headers)
    assert (answer.status_code, answer.headers["Location"]) == (303, leads_to)


def test_a_part_of_a_page_reloads_the_page(browser: Client) -> None:
    browser.get("/accounts/login/")
    headers = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "hx-request": "true"}
    assert browser.post("/play/", headers=headers).headers["HX-Refresh"] == "true"
