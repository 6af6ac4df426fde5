"""What a frame brings to a browser that shows an older one makes it show the new one, and is little."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from games.engine.evolve import fold
from games.engine.playout import playout
from games.engine.rules import Rules
from games.engine.view import view_for
from games.rendering.changes import Frame
from games.words import offered
from tests.engine.matches import last_choices
from tests.games.rendering.positions import FOUR_HANDS, RULES, dealt, frame_of, table_of

PARTIAL = re.compile('<hx-partial id="(.*?)">(.*?)</hx-partial>')
GAMES = [pytest.param(rules, id=key) for key, rules in offered().items()]


def frames(rules: Rules, viewer: int | None, moves: int = 24) -> Iterator[Frame]:
    """Yield the frames of one viewer from the open table to the end of a match."""
    seats = max(rules.seat_counts)
    options = last_choices(rules, seats)
    table = table_of(seats, variant=rules.key, options=tuple(options.items()))
    yield frame_of(replace(table, status="open"), None, viewer)
    events = playout(rules, seats, options, "changed", leave_after=moves)
    for version in range(1, len(events) + 1):
        state = fold(events[:version])
        now = replace(table, version=version, revision=version)
        yield frame_of(now, view_for(rules, state, viewer))


def zones(frame: Frame) -> dict[str, str]:
    return dict(frame.shared.markup | frame.own.markup)


def shown_after(before: dict[str, str], text: str) -> dict[str, str]:
    """Return the zones of a browser after it has replaced each element that a text names."""
    shown = dict(before)
    for name, html in PARTIAL.findall(text):
        if name in shown:
            shown[name] = html
            continue
        (zone,) = (zone for zone in shown if f' id="{name}"' in shown[zone])
        shown[zone] = shown[zone].replace(element(shown[zone], name), html)
    return shown


def element(html: str, name: str) -> str:
    """Return the element with an id."""
    begun = re.search(rf'<(\w+) id="{name}"', html)
    assert begun
    depth = 0
    for tag in re.finditer(rf"<(/?){begun[1]}\b", html[begun.start() :]):
        depth += -1 if tag[1] else 1
        if not depth:
            return html[begun.start() :][: html[begun.start() :].index(">", tag.start()) + 1]
    raise AssertionError(f"{name} is not closed")


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("viewer", [0, None])
def test_each_frame_follows_from_any_older_one_by_what_it_brings(rules: Rules, viewer: int | None) -> None:
    made = list(frames(rules, viewer))
    for number, frame in enumerate(made):
        assert shown_after(dict.fromkeys(zones(frame), ""), frame.whole) == zones(frame)
        for before in {max(0, number - 1), max(0, number - 5)}:
            assert shown_after(zones(made[before]), frame.since(made[before])) == zones(frame)


def test_a_question_about_an_absent_player_comes_and_goes_with_its_answers() -> None:
    view = view_for(RULES, dealt(FOUR_HANDS), 1)
    timers: list[dict[str, Any]] = [{}, *({"due_kind": "hold", "deadline_ms": ms} for ms in (15_000, 60_000))]
    waiting, asked, waits = (frame_of(table_of(turn_started_ms=0, **timer), view) for timer in timers)
    assert [zones(frame)["hand"].count('form="vote"') for frame in (waiting, asked, waits)] == [0, 3, 2]
    for before, after in pairwise((waiting, asked, waits, waiting)):
        assert shown_after(zones(before), after.since(before)) == zones(after)


@pytest.mark.parametrize("rules", GAMES)
def test_what_a_move_changes_is_much_less_than_the_table(rules: Rules) -> None:
    made = list(frames(rules, None))[2:]
    changed = sum(len(after.since(before)) for before, after in pairwise(made))
    assert changed < 0.6 * sum(len(frame.whole) for frame in made[1:])


def test_nothing_is_brought_to_a_browser_that_shows_the_same() -> None:
    one, other = (frame_of(table_of(), None, 0) for _ in range(2))
    assert one.since(one) == other.since(one) == ""
