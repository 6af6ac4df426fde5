"""Nothing jumps during a match: the layout shift of two rounds, without any input of the player, stays small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

# Variant, seats and the seed of a short match with several rounds; the sizes of the windows that show it.
MATCHES = (
    (("kozel", 4, "3"), ((360, 740), (1440, 900))),
    (("all_fives", 2, "8"), ((740, 360), (820, 1180))),
    (("triominoes", 3, "23"), ((360, 740), (740, 360))),
)
MAX_SHIFT = 0.1  # for web vitals, a good score of the worst five seconds; here the limit of both rounds
# Shows frames one after the other as if the socket had brought them. Animations end before the next frame, as between
# the moves of a match: Chromium counts a new place as a shift if it starts another animation of the same element. The
# promise yields the sum of the layout shifts and the largest ones: their values, with the elements that moved and how
# far.
REPLAY = """frames => {
    const shifts = [];
    const name = (node) => node?.id || node?.className || node?.parentElement?.id || node?.nodeName;
    const describe = ({ node, previousRect: from, currentRect: to }) =>
        `${name(node)} ${Math.round(to.x - from.x)} ${Math.round(to.y - from.y)}`;
    const add = ({ value, sources }) => shifts.push([value, ...sources.map(describe)]);
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(add));
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const endsByItself = (animation) => animation.effect.getComputedTiming().endTime !== Infinity;
    const finishAnimations = async () => {
        const running = document.getAnimations().filter(endsByItself);
        for (const animation of running) animation.finish();
        if (running.length) await painted();
    };
    window.replayed = (async () => {
        await painted();
        observer.observe({ type: "layout-shift" });
        const sourceElement = document.getElementById("match");
        const shape = getComputedStyle(document.getElementById("board")).getPropertyValue("--shape") || "even";
        for (const text of frames[shape]) {
            await finishAnimations();
            await htmx.swap({ sourceElement, target: sourceElement, swap: "none swapEmpty:false", text });
            await painted();
        }
        await painted();
        const sum = shifts.reduce((total, [value]) => total + value, 0);
        const largest = shifts.sort(([one], [other]) => other - one).slice(0, 5);
        return [sum, largest.map((shift) => shift.join(", "))];
    })();
}"""


@pytest.mark.parametrize(("match_arguments", "sizes"), MATCHES, ids=["kozel", "all_fives", "triominoes"])
def test_layout_of_a_match_is_stable(
    new_visitor: NewVisitor, site: Server, match_arguments: tuple[str, int, str], sizes: Sequence[tuple[int, int]]
) -> None:
    match = site.run_code(f"from tests.browser import replay; answer = replay.prepare_replay(*{match_arguments})")
    visitors = [new_visitor(width=width, height=height, reduced_motion="no-preference") for width, height in sizes]
    for visitor in visitors:
        visitor.enter(match["session"])
        people.visit_table(visitor, match["address"])
        visitor.page.evaluate(REPLAY, match["frames"])
    results: dict[tuple[int, int], Any] = {
        size: visitor.page.evaluate("() => window.replayed") for size, visitor in zip(sizes, visitors, strict=True)
    }
    assert {size: largest for size, (total, largest) in results.items() if total > MAX_SHIFT} == {}
