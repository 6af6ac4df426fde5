"""What other sites show of a running match, its steps in a frame and its card, tells no tile that is still hidden."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games.engine.rules import Rules
from games.engine.tiles import Tile, tile_text
from games.engine.view import View
from games.models import Match
from tests.test_leaks import GAMES, betrayed
from tests.test_leaks_review import ReviewedMatch, plant_leak, reviewed_match
from tests.viewers import UNDRAWN
from tests.worlds import another_world

pytestmark = pytest.mark.seed(1)


def shown(looked: ReviewedMatch, client: Client) -> dict[str, str]:
    """Return the frames and the fingerprints of the cards: of no step, and of the steps looked at."""
    match, said = looked.match, {}
    for asked in ("", *(f"?at={step.number}" for step in looked.steps)):
        frame, card = (reverse(name, args=[match.slug]) + asked for name in ("match-embed", "match-social-preview"))
        said[frame] = client.get(frame).content.decode()
        said[card] = client.get(card, headers=UNDRAWN)["ETag"]
    return said


def shown_differently(looked: ReviewedMatch, client: Client, chance: Random) -> set[str]:
    here = shown(looked, client)
    with another_world(looked.match, None, chance):
        there = shown(looked, client)
    return {address for address in here if here[address] != there[address]}


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_frames_and_cards_of_a_running_match_tell_no_hidden_tile(rules: Rules) -> None:
    chance = Random("shared")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        looked = reviewed_match(rules, chance)
        seated = looked.viewers[0].client
        assert shown_differently(looked, seated, chance) == set()
        frame = seated.get(last_frame(looked.match)).content.decode()
        assert betrayed(frame, looked.state, None) == set()


def in_a_score(view: View, tile: Tile) -> View:
    first, *others = view.seats
    return replace(view, seats=(replace(first, score=tile_text(tile)), *others))


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES[:2])
def test_a_leak_into_them_is_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    looked = reviewed_match(rules, chance)
    plant_leak(monkeypatch, in_a_score, 1)
    frame = last_frame(looked.match)
    different = shown_differently(looked, Client(), chance)
    assert frame in different
    assert any("card.png?at=" in address for address in different)
    assert betrayed(Client().get(frame).content.decode(), looked.state, None)


def last_frame(match: Match) -> str:
    return reverse("match-embed", args=[match.slug])
