"""A branch tells nothing before its time: while a match runs, and while spectators may not know its end."""

from __future__ import annotations

from random import Random

import pytest
import time_machine
from django.urls import reverse

from games.engine.rules import Rules
from games.models import Match
from games.review import reviewed
from games.words import offered
from tests.test_leaks import GAMES, betrayed
from tests.test_leaks_delay import NOON, changed, delayed_table, play_into
from tests.test_leaks_review import ReviewedMatch, reviewed_match
from tests.viewers import Viewer, body, tries
from tests.worlds import another_world

pytestmark = pytest.mark.seed(1)


def told(viewer: Viewer, looked: ReviewedMatch) -> dict[str, str]:
    """Return what is answered to questions for branches from the last step."""
    last = looked.steps[-1].number
    address = reverse("match-branch", args=[looked.match.slug])
    moves = tries(looked.state, viewer.seat)
    queries = [f"?at={last}{more}" for more in ("", "&bots=steady", *(f"&moves={move}" for move in moves))]
    said = {query: body(viewer.client.get(address + query)).decode() for query in queries}
    for query in queries[:2]:
        for pressed in ({"rest": ""}, {"move": moves[-1]}):
            answer = viewer.client.post(address + query, pressed, follow=True)
            said[f"{query} {pressed}"] = body(answer).decode()
    return said


def told_differently(viewer: Viewer, looked: ReviewedMatch, chance: Random) -> tuple[dict[str, str], bool]:
    here = told(viewer, looked)
    with another_world(looked.match, viewer.seat, chance):
        return here, list(here.values()) != list(told(viewer, looked).values())


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES[:2])
def test_a_running_match_has_no_branch_that_could_tell_a_hidden_tile(rules: Rules) -> None:
    chance = Random("branch")
    with time_machine.travel(NOON, tick=False):
        looked = reviewed_match(rules, chance)
        for viewer in (*looked.viewers[:2], *looked.viewers[-3:]):
            said, different = told_differently(viewer, looked, chance)
            assert all("There is nothing to review here" in text for text in said.values()), viewer.name
            assert not different, viewer.name
            spoken = [text for query, text in said.items() if "moves=" not in query]  # others name what was asked
            assert [betrayed(text, looked.state, viewer.seat) for text in spoken] == [set()] * len(spoken), viewer.name


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES[:2])
def test_a_branch_of_a_running_match_is_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    looked = reviewed_match(rules, chance)
    monkeypatch.setattr(reviewed, "is_over", lambda _viewer, _match: True)
    viewer = looked.viewers[1]
    said, different = told_differently(viewer, looked, chance)
    assert different
    assert betrayed(said[f"?at={looked.steps[-1].number}"], looked.state, viewer.seat)


@pytest.mark.django_db
def test_a_branch_before_spectators_may_know_the_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """That there is none is shown by the proof for all pages of a delayed match."""
    monkeypatch.setattr(reviewed, "is_over", lambda _viewer, match: match.status not in Match.UNFINISHED)
    chance = Random("delay 120")
    with time_machine.travel(NOON, tick=False) as clock:
        match, viewer = delayed_table(offered()["kozel"], "120")
        play_into(1, match, chance, clock)
        clock.shift(120)  # spectators see the first steps
        assert changed(match, viewer, chance, "branch")
