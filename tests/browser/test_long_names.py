"""The longest names, without spaces, displace nothing anywhere."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import PHONE, Visitor, Window
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock", alone=True)  # all people are renamed

PREPARE_TABLE = """
import json
from accounts.models import User
from games.engine.evolve import fold
from games.models import Seat
from tests.games import finished, tables
from tests.games.reviewed import RECORDS, play_random_moves, read_events

people = [tables.person() for _ in range(4)]
over = {}
for game, name in {"kozel": "four-two-goats", "all_fives": "three"}.items():
    events = read_events(next(RECORDS.glob(f"{game}/{name}*.json")))
    start, places = events[0], fold(events).match_over.places
    over[game] = finished.create_finished_match(people[: start.seats], variant=game, places=places, events=events).slug
running = {game: play_random_moves(game, 12).slug for game in ("kozel", "all_fives", "triominoes")}
Seat.objects.update(name="W" * 30)
User.objects.update(name="W" * 30)
usual = play_random_moves("kozel", 40)
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
    ...[...document.querySelectorAll(".face-up svg")].filter((tile) => {
        const width = parseFloat(getComputedStyle(tile).width);  // while it turns up, too
        return tile.checkVisibility() && width && width < 8;  // 0 at the end of a match in a low window
    }),
].map((element) => element.outerHTML.slice(0, 80))"""
# Words of names that wrap, and names that are cut off.
BROKEN_NAMES = """() => [
    ...document.querySelectorAll(".score-table thead th, .chair > .face + span")
].flatMap((name) => {
    if (!name.checkVisibility() || name.textContent.includes("WWW")) return [];
    if (name.scrollWidth > name.clientWidth + 1 && name.clientWidth) return [name.textContent];
    const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
    return [...text.data.matchAll(/\\S+/g)].filter((word) => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
    }).map(String);
})"""
WINDOWS = (PHONE, Window("desk", 1280, 800))
FRAME = Window("frame", 480, 360)


@pytest.fixture(scope="module")
def sample(site: Server) -> dict[str, Any]:
    return site.run_code(PREPARE_TABLE)


def test_longest_names_displace_nothing(visitor: Visitor, sample: dict[str, Any]) -> None:
    matches = [*sample["over"].values(), *sample["running"].values()]
    pages = ["/", "/matches/", f"/people/{sample['person']}/", *(f"/match/{slug}/" for slug in matches)]
    pages += [f"/match/{slug}/{page}" for slug in sample["over"].values() for page in ("review/?at=40", "embed/")]
    pages += [f"/match/{sample['running']['triominoes']}/embed/"]
    problems = {}
    for page in pages:
        visitor.visit(page)
        for window in visitor.each_window([FRAME] if "embed" in page else WINDOWS):
            sideways = ["sideways"] * visitor.scrolls_sideways()
            problems[f"{page} {window.name}"] = visitor.page.evaluate(OUT_OF_PLACE) + sideways
    assert problems == {page: [] for page in problems}


def test_names_of_twenty_characters_are_whole_in_lobby_and_score_tables(
    visitor: Visitor, sample: dict[str, Any]
) -> None:
    problems = {}
    for page in ("/", f"/match/{sample['usual']}/", f"/match/{sample['usual']}/scores/"):
        visitor.visit(page)
        expect(visitor.page.get_by_text("Konstantinopolitanen").first).to_be_attached()
        for window in visitor.each_window(WINDOWS):
            problems[f"{page} {window.name}"] = visitor.page.evaluate(BROKEN_NAMES)
    assert problems == {page: [] for page in problems}
