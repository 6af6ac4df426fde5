"""The longest names, which have no space, push nothing out of its place, wherever names stand."""

from __future__ import annotations

import json

import pytest

from tests.browser.conftest import NewVisitor
from tests.browser.test_pages import WINDOWS
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

LAY = """
import json
from accounts.models import User
from games.engine.evolve import fold
from games.models import Seat
from tests.games import finished, tables
from tests.games.lookbacks import RECORDS, played, read

people = [tables.person() for _ in range(4)]
over = {}
for game, name in {"kozel": "four-two-goats", "all_fives": "three"}.items():
    events = read(next(RECORDS.glob(f"{game}/{name}*.json")))
    start, places = events[0], fold(events).match_over.places
    over[game] = finished.finished(people[: start.seats], variant=game, places=places, events=events).slug
running = {game: played(game, 12).slug for game in ("kozel", "all_fives", "triominoes")}
Seat.objects.update(name="W" * 30)
User.objects.update(name="W" * 30)
print("laid", json.dumps({"over": over, "running": running, "person": people[0].pk}))
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
        (tile) => tile.checkVisibility() && tile.getBoundingClientRect().width < 8,
    ),
].map((element) => element.outerHTML.slice(0, 80))"""
FRAME = {"width": 480, "height": 360}


@pytest.fixture(scope="module")
def laid(site: Server) -> dict:
    return json.loads(site.manage("shell", "--no-imports", "-c", LAY).split("laid ", 1)[1])


@pytest.mark.parametrize("window", WINDOWS[:2])
def test_the_longest_names_push_nothing_away(new_visitor: NewVisitor, laid: dict, window: dict) -> None:
    visitor = new_visitor(**window)
    matches = [*laid["over"].values(), *laid["running"].values()]
    pages = ["/", "/matches/", f"/people/{laid['person']}/", *(f"/match/{slug}/" for slug in matches)]
    pages += [f"/match/{slug}/review/?at={at}" for slug in laid["over"].values() for at in (9, 40)]
    pages += [f"/match/{slug}/embed/" for slug in matches]
    found = {}
    for page in pages:
        visitor.page.set_viewport_size(FRAME if "embed" in page else {name: window[name] for name in FRAME})
        visitor.visit(page)
        found[page] = visitor.page.evaluate(OUT_OF_PLACE) + ["sideways"] * visitor.scrolls_sideways()
    assert found == {page: [] for page in pages}
