"""Forced colours (high contrast) replace all backgrounds: what they draw must stay visible."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.words import offered
from tests.browser.conftest import NewVisitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

LAY = """
from tests.games import tables
from tests.browser.hands import LAY
exec(LAY)
ann, ben = tables.person("Ann"), tables.person("Ben")
answer = [session(ann), tables.running_table([ann, ben], variant="{}").slug]
"""
COLOURS = """element => {
    const of = (pseudo) => getComputedStyle(element, pseudo);
    const ground = Object.assign(document.createElement("i"), { className: "ground" });
    document.body.append(ground);
    ground.style.background = "Canvas";
    const canvas = getComputedStyle(ground).backgroundColor;
    ground.remove();
    return { canvas, own: of().backgroundColor, image: of().backgroundImage,
             before: of("::before").backgroundColor, text: of().color, edge: of().outlineColor };
}"""


@pytest.mark.parametrize("key", offered())
def test_spare_time_progress_and_faces_stay_visible(new_visitor: NewVisitor, site: Server, key: str) -> None:
    rules: Rules = rules_for(key)
    visitor = new_visitor()
    visitor.changed = True
    session, slug = site.answer(LAY.format(rules.key))
    visitor.enter(session)
    visitor.page.emulate_media(forced_colors="active")
    visitor.visit(f"/match/{slug}/")
    expect(visitor.page.locator("#hand")).to_be_visible()
    spare, face = visitor.page.locator(".spare").first, visitor.page.locator("#seats .face").first
    colours = spare.evaluate(COLOURS)
    assert "gradient" in colours["image"]
    assert colours["before"] != colours["canvas"]
    assert face.evaluate(COLOURS)["own"] != colours["canvas"]
    for progress in visitor.page.locator(".seat > progress").all():
        seen = progress.evaluate(COLOURS)
        assert colours["canvas"] == seen["own"] not in (seen["text"], seen["edge"])
