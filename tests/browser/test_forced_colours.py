"""Forced colours (high contrast) replace all backgrounds: what they draw must stay visible."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.words import offered_variants
from tests.browser.conftest import NewVisitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PREPARE_TABLE = """
from tests.games import tables
from tests.browser.hands import PREPARE_TABLE
exec(PREPARE_TABLE)
ann, ben = tables.person("Ann"), tables.person("Ben")
answer = [session(ann), tables.running_table([ann, ben], variant="{}").slug]
"""
COLOURS = """element => {
    const { backgroundColor: own, color: text, outlineColor: edge } = getComputedStyle(element);
    const ground = Object.assign(document.createElement("i"), { className: "ground" });
    document.body.append(ground);
    ground.style.background = "Canvas";
    const canvas = getComputedStyle(ground).backgroundColor;
    ground.remove();
    return { canvas, own, text, edge };
}"""


def test_progress_and_faces_stay_visible(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor()
    visitor.page.emulate_media(forced_colors="active")
    for key in offered_variants():
        session, slug = site.run_code(PREPARE_TABLE.format(key))
        visitor.enter(session)
        visitor.visit(f"/match/{slug}/")
        expect(visitor.page.locator("#hand")).to_be_visible()
        face = visitor.page.locator("#seats .face").first.evaluate(COLOURS)
        assert face["own"] != face["canvas"], key
        for progress in visitor.page.locator(".seat > progress").all():
            seen = progress.evaluate(COLOURS)
            assert face["canvas"] == seen["own"] not in (seen["text"], seen["edge"]), key
