"""The longest names, which have no space, push nothing out of its place, wherever names stand."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import WINDOWS
from tests.browser.visitor import Visitor, Window
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock", alone=True)  # everybody is renamed

LAY = """
import json
from accounts.models import User
from games.engine.evolve import fold
from games.models import Seat
from tests.games import finished, tables
from tests.games.reviewed import RECORDS, played, read

people = [tables.person() for _ in range(4)]
over = {}
for game, name in {"kozel": "four-two-goats", "all_fives": "three"}.items():
    events = read(next(RECORDS.glob(f"{game}/{name}*.json")))
    start, places = events[0], fold(events).match_over.places
    over[game] = finished.finished(people[: start.seats], variant=game, places=places, events=events).slug
running = {game: played(game, 12).slug for game in ("kozel", "all_fives", "triominoes")}
Seat.objects.update(name="W" * 30)
User.objects.update(name="W" * 30)
usual = played("kozel", 40)
usual.visibility = "public"
usual.save(update_fields=["visibility"])
for seat, name in enumerate(("Maximilian K.", "Konstantinopolitanen", "Wilhelmina von Hohen", "Valentina")):
    usual.seats.filter(index=seat).update(name=name)
answer = {"over": over, "running": running, "person": people[0].pk, "usual": usual.slug}
"""
OUT_OF_PLACE = """() => [
    ...[...document.querySelectorAll(".score, .badge, .chair > .small, .round")].filter((mark) => {
        const box = mark.getBoundingClientRect();
        const line = parseFloat(getComputedStyle(mark).lineHeight) || 24;
        const cut = mark.clientWidth && mark.scrollWidth > mark.clientWidth + 1;
        return mark.checkVisibility() && box.width && (cut || box.height > 2 * line);
    }),
    ...[...document.querySelectorAll(".result, .places")].filter((box) => box.scrollWidth > box.clientWidth + 1),
    ...[...document.querySelectorAll(".face-up svg")].filter(
        (tile) => tile.checkVisibility() && parseFloat(getComputedStyle(tile).width) < 8,  // while it turns up, too
    ),
].map((element) => element.outerHTML.slice(0, 80))"""
BROKEN = """() => [...document.querySelectorAll(".score-table thead th, .chair > .face + span")].flatMap((each) => {
    if (!each.checkVisibility() || each.textContent.includes("WWW")) return [];
    if (each.scrollWidth > each.clientWidth + 1 && each.clientWidth) return [each.textContent];
    const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode();
    return [...text.data.matchAll(/\\S+/g)].filter((word) => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
    }).map(String);
})"""
"""Words of names that go on in another line, and names that are cut."""
FRAME = Window("frame", 480, 360)


@pytest.fixture(scope="module")
def laid(site: Server) -> dict[str, Any]:
    return site.answer(LAY)


def test_the_longest_names_push_nothing_away(visitor: Visitor, laid: dict[str, Any]) -> None:
    matches = [*laid["over"].values(), *laid["running"].values()]
    pages = ["/", "/matches/", f"/people/{laid['person']}/", *(f"/match/{slug}/" for slug in matches)]
    pages += [f"/match/{slug}/review/?at={at}" for slug in laid["over"].values() for at in (9, 40)]
    pages += [f"/match/{slug}/embed/" for slug in matches]
    found = {}
    for page in pages:
        visitor.visit(page)
        for window in visitor.in_each([FRAME] if "embed" in page else WINDOWS[:2]):
            sideways = ["sideways"] * visitor.scrolls_sideways()
            found[f"{page} {window.name}"] = visitor.page.evaluate(OUT_OF_PLACE) + sideways
    assert found == {page: [] for page in found}


def test_names_of_twenty_characters_are_read_whole_in_the_lobby_and_in_score_tables(
    visitor: Visitor, laid: dict[str, Any]
) -> None:
    found = {}
    for page in ("/", f"/match/{laid['usual']}/", f"/match/{laid['usual']}/scores/"):
        visitor.visit(page)
        expect(visitor.page.get_by_text("Konstantinopolitanen").first).to_be_attached()
        for window in visitor.in_each(WINDOWS[:2]):
            found[f"{page} {window.name}"] = visitor.page.evaluate(BROKEN)
    assert found == {page: [] for page in found}
