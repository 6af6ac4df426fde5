"""A whole match of every variant by forms and links alone, from the first visit to the checked record."""

from __future__ import annotations

import json
from itertools import cycle
from random import Random

import pytest

from games.engine.deal import verify
from games.engine.notation import import_match
from games.engine.rules import Rules
from games.words import offered
from tests.plain_browser import Button, PlainBrowser

VARIANTS = [pytest.param(rules, id=key) for key, rules in offered().items()]
REFRESH = '<meta http-equiv="refresh"'
MOST_ROUNDS_OF_LOOKING = 5000


@pytest.fixture(autouse=True)
def patient_site(settings):
    settings.FORMS_A_SECOND = 10_000


def button(browser: PlainBrowser, form: str = "", **wanted: str) -> Button:
    """Return the first button with these attributes."""
    found = [each for each in browser.page.buttons if wanted.items() <= each.attributes.items()]
    return next(each for each in found if form in ("", each.form))


def become_guest(browser: PlainBrowser, name: str) -> None:
    """Fill in the page that asks for a name."""
    form = next(key for key, form in browser.page.forms.items() if "name" in form.fields)
    browser.page.forms[form].fields["name"] = name
    browser.press(button(browser, form))


def open_table(rules: Rules) -> PlainBrowser:
    """Open the smallest table of a variant as a stranger."""
    host = PlainBrowser(f"/?game={rules.key}")
    form = next(key for key, form in host.page.forms.items() if form.fields.get("variant") == rules.key)
    host.press(button(host, form, value="duel"))
    become_guest(host, "Host")
    return host


def join(address: str, name: str) -> PlainBrowser:
    """Come by the address of a table and take a seat."""
    browser = PlainBrowser(address)
    browser.press(button(browser, "sit"))
    become_guest(browser, name)
    return browser


def useful(browser: PlainBrowser) -> list[Button]:
    """Return the buttons that make the game go on: the places of a tile, else tiles and acts, else being ready."""
    places = [each for each in browser.page.buttons if each.form == "move" and each.has_class("act")]
    tiles = [each for each in browser.page.buttons if each.has_class("fits")]
    ready = [each for each in browser.page.buttons if each.form == "ready"]
    return places or tiles or ready


def play_until_idle(browsers: list[PlainBrowser]) -> PlainBrowser:
    """Play until somebody whose turn it is holds a tile that does not fit."""
    for browser in cycle(browsers):
        browser.reload()
        buttons = useful(browser)
        if any(each.has_class("idle") for each in browser.page.buttons):
            return browser
        if buttons:
            browser.press(buttons[0])
    raise AssertionError("unreachable")


def is_over(browser: PlainBrowser) -> bool:
    return any(link.endswith("/record/") for link in browser.page.links)


@pytest.mark.django_db
@pytest.mark.parametrize("rules", VARIANTS)
def test_a_match_is_played_from_the_first_visit_to_the_record_without_a_script(rules: Rules):
    chance = Random("no script")
    host = open_table(rules)
    browsers = [host, *(join(host.address, f"Friend {seat}") for seat in range(1, min(rules.seat_counts)))]
    host.reload()
    host.press(button(host, id="start"))
    for _ in range(MOST_ROUNDS_OF_LOOKING):
        for browser in browsers:
            browser.reload()
            while buttons := useful(browser):
                browser.press(chance.choice(buttons))
            assert REFRESH in browser.page.html or is_over(browser)
        if all(map(is_over, browsers)):
            break
    record = next(link for link in host.page.links if link.endswith("/record/"))
    events = import_match(json.loads(host.client.get(record).content))
    assert type(events[-1]).__name__ == "SecretRevealed"
    assert verify(events) == []


@pytest.mark.django_db
@pytest.mark.parametrize("rules", VARIANTS)
def test_a_tile_that_cannot_be_played_is_answered_with_the_rule(rules: Rules):
    host = open_table(rules)
    browsers = [host, *(join(host.address, f"Friend {seat}") for seat in range(1, min(rules.seat_counts)))]
    host.reload()
    host.press(button(host, id="start"))
    mover = play_until_idle(browsers)
    mover.press(next(each for each in mover.page.buttons if each.has_class("idle")))
    notice = mover.page.html.partition('id="notice"')[2].partition("</div>")[0]
    assert f"/rules/{rules.key}/#{rules.key}." in notice
