"""A match of every variant by forms and links alone, from the first visit to the checked record.

So that the first round is the last one, the score is set to what it was at the end of a match played at random;
``make matches`` plays whole ones, too.
"""

from __future__ import annotations

import json
from itertools import cycle, islice
from random import Random

import pytest
from django.db.models import F
from django.utils import timezone

from games.engine.events import RoundEnded, StandingSet
from games.engine.notation import import_match
from games.engine.playout import playout
from games.engine.proof import verify
from games.engine.rules import Rules
from games.match import record
from games.models import Match
from games.words import offered_variants
from tests.engine.matches import tables
from tests.plain_browser import Button, PlainBrowser

pytestmark = pytest.mark.seed(1)

VARIANTS = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]
REFRESH = '<meta http-equiv="refresh"'
MOST_ROUNDS_OF_LOOKING = 5000
MOST_MOVES = 300


def button(browser: PlainBrowser, form: str = "", **attributes: str) -> Button:
    """Return the first button with these attributes."""
    matching = [candidate for candidate in browser.page.buttons if attributes.items() <= candidate.attributes.items()]
    return next(candidate for candidate in matching if form in ("", candidate.form))


def become_guest(browser: PlainBrowser, name: str) -> None:
    """Fill in the page that asks for a name."""
    form = next(key for key, form in browser.page.forms.items() if "name" in form.fields)
    browser.page.forms[form].fields["name"] = name
    browser.press(button(browser, form))


def shortest(rules: Rules, seats: int) -> dict[str, str]:
    """Return the options with which a random match is the shortest: there are some with which it need not end."""
    chosen = [options for count, options in tables(rules) if count == seats]
    return min(chosen, key=lambda options: len(playout(rules, seats, options, "short", leave_after=MOST_MOVES)))


def open_table(rules: Rules) -> PlainBrowser:
    """Open the smallest table of a variant as a stranger."""
    seats = min(rules.seat_counts)
    host = PlainBrowser(f"/?game={rules.key}")
    host.go(next(link for link in host.page.links if link == f"/tables/new/?game={rules.key}"))
    name, form = next(item for item in host.page.forms.items() if "seats" in item[1].fields)
    form.fields |= {"seats": str(seats)}
    form.fields |= {f"option_{option}": choice for option, choice in shortest(rules, seats).items()}
    host.press(button(host, name))
    become_guest(host, "Host")
    return host


def move_near_the_end(host: PlainBrowser, rules: Rules) -> None:
    """Set the score as it stood after the last round of a random match: the next one is the last again."""
    match = Match.objects.get(slug=host.address.strip("/").rpartition("/")[2])
    events = playout(rules, match.seat_count, match.options, "short", leave_after=MOST_MOVES)
    last = [event for event in events if isinstance(event, RoundEnded)][-1]
    version = record.append(match.pk, match.version, [StandingSet(last.standing, 0)], timezone.now())
    Match.objects.filter(pk=match.pk).update(version=version, revision=F("revision") + 1)
    host.reload()


def join(address: str, name: str) -> PlainBrowser:
    """Come by the address of a table and take a seat."""
    browser = PlainBrowser(address)
    browser.press(button(browser, "sit"))
    become_guest(browser, name)
    return browser


def useful_buttons(browser: PlainBrowser) -> list[Button]:
    """Return the buttons that make the game go on: places of a chosen tile, or tiles and acts, or being ready."""
    acts = [candidate for candidate in browser.page.buttons if candidate.form == "move" and candidate.has_class("act")]
    places = [candidate for candidate in acts if "id" not in candidate.attributes]
    tiles = [candidate for candidate in browser.page.buttons if candidate.has_class("fits")]
    ready = [candidate for candidate in browser.page.buttons if candidate.form == "ready"]
    return places or tiles or acts or ready


def play_until_idle(browsers: list[PlainBrowser]) -> PlainBrowser:
    """Play until somebody whose turn it is holds a tile that does not fit."""
    for browser in islice(cycle(browsers), MOST_MOVES):
        browser.reload()
        while buttons := useful_buttons(browser):
            if any(is_idle(candidate) for candidate in browser.page.buttons):
                return browser
            browser.press(buttons[0])
    raise AssertionError("every tile fits always")


def is_idle(button: Button) -> bool:
    """Return whether this is a tile that does not fit, in the hand of the player to move."""
    return button.attributes.get("aria-label", "").endswith("does not fit")


def is_over(browser: PlainBrowser) -> bool:
    return any(link.endswith("/record/") for link in browser.page.links)


@pytest.mark.django_db
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.matches)], ids=["last-round", "whole"])
@pytest.mark.parametrize("rules", VARIANTS)
def test_a_match_is_played_from_the_first_visit_to_the_record_without_a_script(rules: Rules, whole: bool) -> None:
    chance = Random("no script")
    host = open_table(rules)
    browsers = [host, *(join(host.address, f"Friend {seat}") for seat in range(1, min(rules.seat_counts)))]
    host.reload()
    host.press(button(host, id="start"))
    if not whole:
        move_near_the_end(host, rules)
    for _ in range(MOST_ROUNDS_OF_LOOKING):
        for browser in browsers:
            browser.reload()
            while buttons := useful_buttons(browser):
                browser.press(chance.choice(buttons))
            assert REFRESH in browser.page.html or is_over(browser)
        if all(map(is_over, browsers)):
            break
    address = next(link for link in host.page.links if link.endswith("/record/"))
    events = import_match(json.loads(host.client.get(address).content))
    assert type(events[-1]).__name__ == "SecretRevealed"
    assert verify(events) == []


@pytest.mark.django_db
@pytest.mark.parametrize("rules", [offered_variants()["kozel"], offered_variants()["triominoes"]])
def test_unplayable_tile_shows_the_rule(rules: Rules) -> None:
    host = open_table(rules)
    browsers = [host, *(join(host.address, f"Friend {seat}") for seat in range(1, min(rules.seat_counts)))]
    host.reload()
    host.press(button(host, id="start"))
    mover = play_until_idle(browsers)
    mover.press(next(candidate for candidate in mover.page.buttons if is_idle(candidate)))
    notice = mover.page.html.partition('id="notice"')[2].partition("</div>")[0]
    assert f"/rules/{rules.key}/#{rules.key}." in notice
