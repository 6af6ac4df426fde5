"""The review of a running match tells no viewer a tile that is still hidden from them: the proofs of test_leaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest
import time_machine
from django.urls import reverse

from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.view import View
from games.match.table import Table
from games.models import Match
from games.rendering.sprites import sheet
from games.review import steps as review_steps
from games.review.past import Step
from tests.test_leaks import GAMES, betrayed, play_into_round, telling_seats
from tests.test_leaks_planted import in_a_number, in_a_text
from tests.viewers import Viewer, body, everybody, table_of
from tests.worlds import another_world, hidden_from

pytestmark = pytest.mark.seed(1)

PUBLIC = re.compile(r' id="(?:step|round|mark)-[-\d]+"|<path d="[^"]*"|<span>[^<]*(?=<a )|Person \d')
"""The numbers of steps and people, the lines of signs on buttons and the sums of rounds that are over are no tiles."""


PAGE, FRAMES = ANSWERS = ("match-review", "match-review-round")
"""The page of a step, and the steps of its round in one answer."""
Said = dict[tuple[str, Step], bytes]


@dataclass
class ReviewedMatch:
    """A running match in its second round, and the steps that are reviewed: one of each round, and the last."""

    match: Match
    state: State
    steps: list[Step]
    viewers: list[Viewer]


def reviewed_match(rules: Rules, chance: Random) -> ReviewedMatch:
    match = table_of(rules, telling_seats(rules)[0])
    viewers = [viewer for viewer in everybody(match) if viewer.name != "anonymous"]
    state = play_into_round(2, match, chance)
    past = review_steps.past(match.pk, match.version)
    _, second = sorted(past.rounds().values())
    steps = [past.step(second - 1), past.step((second + past.last) // 2), past.steps[-1]]
    return ReviewedMatch(match, state, steps, viewers)


def told(viewer: Viewer, looked: ReviewedMatch) -> Said:
    """Return what the pages of the steps, and the frames of their rounds, say to a viewer.

    From their own perspective and from everybody's. A round has the same frames whichever of its steps is asked for.
    """
    perspectives = ["public"] if viewer.seat is None else ["public", str(viewer.seat)]
    asked = [(PAGE, step) for step in looked.steps] + [(FRAMES, step) for step in (looked.steps[0], looked.steps[-1])]
    return {
        (name, step): b"".join(read(viewer, looked, name, step, each) for each in perspectives) for name, step in asked
    }


def read(viewer: Viewer, looked: ReviewedMatch, name: str, step: Step, perspective: str) -> bytes:
    """Return an answer; of frames their markup, and the rest of what comes with them."""
    address = reverse(name, args=[looked.match.slug])
    response = viewer.client.get(address, {"at": str(step.number), "as": perspective})
    if name == PAGE:
        return body(response)
    whole = response.json()
    frames = whole.pop("frames")
    return "".join([str(whole), *(html for frame in frames for html in frame.values())]).encode()


def told_differently(viewer: Viewer, looked: ReviewedMatch, chance: Random) -> tuple[Said, set[tuple[str, int]]]:
    here = told(viewer, looked)
    with another_world(looked.match, viewer.seat, chance):
        there = told(viewer, looked)
    return here, {(name, step.number) for (name, step), said in here.items() if there.get((name, step)) != said}


def spelt(said: Said, looked: ReviewedMatch, viewer: Viewer, names: tuple[str, ...] = ANSWERS) -> set[Tile]:
    """Return the hidden tiles that the answers of the running round spell. An older round lay open at its end."""
    drawn = sheet(looked.match.variant)
    pages = [
        text.decode().replace(drawn, "")
        for (name, step), text in said.items()
        if name in names and step.round == looked.state.round.number
    ]
    pages = [PUBLIC.sub("", text) for text in pages]
    return set().union(*(betrayed(text, looked.state, viewer.seat) for text in pages))


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_the_review_of_a_running_match_tells_no_hidden_tile(rules: Rules) -> None:
    chance = Random("review")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        looked = reviewed_match(rules, chance)
        for viewer in looked.viewers:
            said, different = told_differently(viewer, looked, chance)
            assert b'id="review-after"' in said[PAGE, looked.steps[-1]], viewer.name
            assert said[FRAMES, looked.steps[-1]].count(b'id="board"') > 1, viewer.name
            assert different == set(), viewer.name
            assert spelt(said, looked, viewer) == set(), viewer.name


def plant_open_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = review_steps.view_of
    monkeypatch.setattr(
        review_steps, "view_of", lambda table, state, seat, open_hands: honest(table, state, None, open_hands=True)
    )


def plant_leak(monkeypatch: pytest.MonkeyPatch, leak: Callable[[View, Tile], View], number: int) -> None:
    """Let each view depend on so many of the tiles that seat 1 must not see."""
    honest = review_steps.view_of

    def view_of(table: Table, state: State, seat: int | None, *, open_hands: bool) -> View:
        view = honest(table, state, seat, open_hands=open_hands)
        for tile in hidden_from(state, 1)[-number:]:
            view = leak(view, tile)
        return view

    monkeypatch.setattr(review_steps, "view_of", view_of)


def plant_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_leak(monkeypatch, in_a_text, 10)


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_a_leak_in_the_review_is_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is spelt is found twice, another in another world."""
    chance = Random("planted")
    looked = reviewed_match(rules, chance)
    viewer = looked.viewers[1]
    for plant in (plant_open_hands, plant_a_text):
        with monkeypatch.context() as planted:
            plant(planted)
            said, different = told_differently(viewer, looked, chance)
        for name in ANSWERS:
            assert name in dict(different), (plant.__name__, name)
            assert spelt(said, looked, viewer, (name,)), (plant.__name__, name)
    plant_leak(monkeypatch, in_a_number, 1)
    # The other tile may happen to have the same number, but not so often in a row.
    assert any(told_differently(viewer, looked, chance)[1] for _ in range(4))
