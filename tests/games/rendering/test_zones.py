"""Every frame of whole matches: an update brings a browser from an older frame to a newer one, and is small."""

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
from games.rendering.zones import Frame
from games.words import offered_variants
from tests.engine.matches import last_choices
from tests.games.rendering.positions import FOUR_HANDS, RULES, dealt, frame_of, table_of

PARTIAL = re.compile('<hx-partial id="(.*?)">(.*?)</hx-partial>')
VISIBLE_TEXT = re.compile(r'>([^<]+)|aria-label="([^"]+)')
# Words that only other games use, because a game has one word for one thing.
WORDS_OF_OTHER_GAMES = {
    "kozel": r"boneyard|pool|passed|placed|laid|deal \d",
    "gamezz": r"bazaar|pool|knocked|placed|laid|deal \d",
    "all_fives": r"bazaar|pool|knocked|placed|laid|deal \d",
    "triominoes": r"bazaar|boneyard|knocked|played \d|play a tile|laid|deal \d",
    "rytmino": r"bazaar|boneyard|pool|knocked|played \d|play a tile|laid|\bled\b|round",
}
GAMES = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]


def frames(rules: Rules, viewer: int | None) -> Iterator[Frame]:
    """Yield the frames of one viewer from the open table to the end of a match of 24 moves."""
    seats = max(rules.seat_counts)
    options = last_choices(rules, seats)
    table = table_of(seats, variant=rules.key, options=tuple(options.items()))
    yield frame_of(replace(table, status="open"), None, viewer)
    events = playout(rules, seats, options, "changed", leave_after=24)
    for version in range(1, len(events) + 1):
        state = fold(events[:version])
        now = replace(table, version=version, revision=version)
        yield frame_of(now, view_for(rules, state, viewer))


def zones(frame: Frame) -> dict[str, str]:
    return dict(frame.shared.markup | frame.texts.markup | frame.own.markup)


def updated(before: dict[str, str], text: str) -> dict[str, str]:
    """Return the zones of a browser after it has applied an update."""
    after = dict(before)
    for name, html in PARTIAL.findall(text):
        if name in after:
            after[name] = html
            continue
        (zone,) = (zone for zone in after if f' id="{name}"' in after[zone])
        after[zone] = after[zone].replace(element(after[zone], name), html)
    return after


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
def test_update_turns_the_older_frame_into_the_new_one(rules: Rules, viewer: int | None) -> None:
    all_frames = list(frames(rules, viewer))
    for number, frame in enumerate(all_frames):
        assert updated(dict.fromkeys(zones(frame), ""), frame.full_update) == zones(frame)
        for before in {max(0, number - 1), max(0, number - 5)}:
            assert updated(zones(all_frames[before]), frame.update_from(all_frames[before])) == zones(frame)
        text = "\n".join(map("".join, VISIBLE_TEXT.findall("".join(zones(frame).values()))))
        assert not re.search(WORDS_OF_OTHER_GAMES[rules.key], text, re.IGNORECASE)


def test_a_vote_about_an_absent_player_comes_and_goes_with_its_buttons() -> None:
    view = view_for(RULES, dealt(FOUR_HANDS), 1)
    timers: list[dict[str, Any]] = [{}, *({"due_kind": "hold", "deadline_ms": ms} for ms in (15_000, 60_000))]
    turn, vote, waits = (frame_of(table_of(turn_started_ms=0, **timer), view) for timer in timers)
    assert [zones(frame)["hand"].count('form="vote"') for frame in (turn, vote, waits)] == [0, 3, 2]
    for before, after in pairwise((turn, vote, waits, turn)):
        assert updated(zones(before), after.update_from(before)) == zones(after)


@pytest.mark.parametrize("rules", GAMES)
def test_the_update_of_a_move_is_much_smaller_than_the_table(rules: Rules) -> None:
    all_frames = list(frames(rules, None))[2:]
    changed = sum(len(after.update_from(before)) for before, after in pairwise(all_frames))
    assert changed < 0.6 * sum(len(frame.full_update) for frame in all_frames[1:])


def test_the_update_to_an_equal_frame_is_empty() -> None:
    one, other = (frame_of(table_of(), None, 0) for _ in range(2))
    assert one.update_from(one) == other.update_from(one) == ""
