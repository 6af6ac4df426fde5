"""A whole match of every game on a narrow phone in every language, with its review, rules and lesson: make matches.

Every run of the tests has the end of a round of one game in one language.
"""

from __future__ import annotations

from random import Random

import pytest
from django.utils import translation
from playwright.sync_api import expect

from games.engine.variants import rules_for
from games.words import offered_variants
from tests import seeds
from tests.browser import people, solo
from tests.browser.conftest import NewVisitor
from tests.browser.test_languages import CUT_BUTTONS, LANGUAGES
from tests.browser.test_lessons import play_lesson
from tests.browser.text_reader import TextReader
from tests.browser.visitor import Visitor
from tests.programs import ROOT
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.05")

PICTURES = ROOT / "test-results" / "languages"
MATCH_SECONDS = 1200
REVIEW_STEPS = 12
LAST_VERSIONS = 16  # moves and pauses from late in a round to the next one
GAMES = [*offered_variants()]
# Each language with its own game first, so that an early end has seen all of them.
CASES = [
    (language, GAMES[(at + turn) % len(GAMES)]) for turn in range(len(GAMES)) for at, language in enumerate(LANGUAGES)
]
# Ann is to move late in a round.
PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann")
match = stages.late_table(ann, "{key}")
match.messages.all().delete()  # they are what people write
match.refresh_from_db()
answer = [stages.log_in(ann), f"/match/{{match.slug}}/", match.version]
"""
STOP_MATCH = """
from games.models import Match
from games.services import play
play.stop_match(match_id=Match.objects.get(slug="{slug}").pk)
answer = None
"""


class Tour:
    """Goes through the pages of a game and looks at each: no cut button, and a picture of each."""

    def __init__(self, visitor: Visitor, language: str, key: str) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.name = f"{language}-{key}"
        self.language = language
        self.key = key
        self.cut_buttons: dict[str, list[str]] = {}
        PICTURES.mkdir(parents=True, exist_ok=True)

    def look(self, moment: str, *, full: bool = True) -> None:
        self.visitor.await_animations()
        if cut_buttons := self.page.evaluate(CUT_BUTTONS):
            self.cut_buttons[moment] = cut_buttons
        self.page.screenshot(path=PICTURES / f"{self.name}-{moment}.png", caret="initial", full_page=full)

    def open(self, path: str, moment: str) -> None:
        assert self.visitor.visit(path) == 200
        self.look(moment)

    def play_match(self) -> str:
        """Play a match against bots, and return the address of its table."""
        address = solo.start_match(self.page, self.visitor.network.url, rules_for(self.key))
        people.visit_table(self.visitor, address)
        solo.play_match(self.page, seconds=MATCH_SECONDS, versions=20)
        self.look("table")
        solo.play_match(self.page, seconds=MATCH_SECONDS)
        self.look("result")
        return address

    def look_at_pages(self, address: str) -> None:
        self.open(f"/rules/{self.key}/", "rules")
        self.review(address)
        with translation.override(self.language):
            play_lesson(self.visitor, self.key)

    def review(self, address: str) -> None:
        self.open(f"{address}review/", "review")
        for _step in range(REVIEW_STEPS):
            self.page.keyboard.press("ArrowRight")
            self.page.wait_for_timeout(100)
        self.look("review-step")

    def sign_up(self) -> None:
        """Be refused once, then create an account."""
        self.visitor.visit("/accounts/signup/")
        name = people.new_name("Zoe")
        fields = {"username": name, "email": f"{name}@example.org"}
        for password in ("1234", people.PASSWORD):
            fields |= {"password1": password, "password2": password}
            for field, value in fields.items():
                self.page.locator(f"[name={field}]").fill(value)
            self.look(f"signup-{len(password)}")
            with self.page.expect_navigation():
                self.page.locator("form:has([name=password2]) button:not([type=button])").click()
        expect(self.page.get_by_role("banner")).to_contain_text(name)
        self.look("signed-up")


def take_tour(new_visitor: NewVisitor, language: str, key: str) -> None:
    visitor = new_visitor(width=360, height=740, language=language)
    reader, tour = TextReader(visitor), Tour(visitor, language, key)
    tour.look_at_pages(tour.play_match())
    check(tour, reader)


def check(tour: Tour, reader: TextReader) -> None:
    (PICTURES / f"{tour.name}.txt").write_text("\n".join(sorted(reader.texts)))
    print(f"{tour.name}: {len(reader.texts)} texts")
    assert reader.english_texts(tour.language) == []
    assert reader.wide_pages == set()
    assert tour.cut_buttons == {}


@pytest.mark.matches
@pytest.mark.parametrize(("language", "key"), CASES)
def test_whole_match_and_its_pages_are_in_the_language(new_visitor: NewVisitor, language: str, key: str) -> None:
    take_tour(new_visitor, language, key)


def test_end_of_a_round_and_its_pages_are_in_the_language(new_visitor: NewVisitor, site: Server) -> None:
    """One game in one language, which the seed chooses: a whole match takes too long for every run."""
    language, key = Random(seeds.run_seed()).choice(CASES)
    visitor = new_visitor(width=360, height=740, language=language)
    reader, tour = TextReader(visitor), Tour(visitor, language, key)
    session, address, version = site.run_code(PREPARE_TABLE.format(key=key))
    visitor.enter(session)
    people.visit_table(visitor, address)
    solo.play_match(visitor.page, seconds=MATCH_SECONDS, versions=version + LAST_VERSIONS)
    site.run_code(STOP_MATCH.format(slug=address.split("/")[2]))  # in another process, of which the page hears nothing
    visitor.visit(address)
    expect(visitor.page.locator("#sync")).not_to_have_attribute("data-status", "running")
    tour.look("stopped")
    tour.look_at_pages(address)
    check(tour, reader)


@pytest.mark.matches
@pytest.mark.parametrize("language", LANGUAGES)
def test_sign_up_and_settings_are_in_the_language(new_visitor: NewVisitor, language: str) -> None:
    visitor = new_visitor(width=360, height=740, language=language)
    reader, tour = TextReader(visitor), Tour(visitor, language, "account")
    tour.sign_up()
    tour.open("/accounts/settings/", "settings")
    check(tour, reader)


@pytest.mark.parametrize(
    "planted", ["<p>Find the one clearly best move.</p>", "<button aria-label='How to play'>?</button>"]
)
def test_planted_english_is_found(new_visitor: NewVisitor, planted: str) -> None:
    visitor = new_visitor(width=360, height=740, language="hu")
    reader = TextReader(visitor)
    visitor.visit("/privacy/")
    visitor.page.evaluate("html => document.querySelector('main').insertAdjacentHTML('beforeend', html)", planted)
    visitor.page.wait_for_timeout(100)
    assert reader.english_texts("hu") != []
    assert reader.wide_pages == set()


def test_planted_width_is_found(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740, language="hu")
    reader = TextReader(visitor)
    visitor.visit("/privacy/")
    visitor.page.evaluate("() => document.querySelector('main').append('x'.repeat(200))")
    visitor.page.wait_for_timeout(100)
    assert reader.wide_pages == {"/privacy/"}
