"""Both checks of test_leaks find planted leaks: the search for spelled tiles, and the exchange of hidden tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, pips, tile_text
from games.engine.view import View
from games.match import snapshots
from games.models import Match
from tests.games.socket_browser import in_thread
from tests.test_leaks import (
    GAMES,
    WORLDS,
    compare_sockets,
    compare_worlds,
    leaked,
    leaked_by_pages,
    page_of,
    play_into_round,
    small_table,
)
from tests.viewers import Viewer, all_viewers, responses, start_rated_match
from tests.worlds import hidden_tiles

pytestmark = pytest.mark.seed(1)


def in_a_text(view: View, tile: Tile) -> View:
    return with_score(view, f"{view.seats[0].score} {tile_text(tile)}")


def in_an_attribute(view: View, tile: Tile) -> View:
    return with_score(view, f'<i data-held="t{"".join(map(str, tile))}"></i>')


def in_an_id(view: View, tile: Tile) -> View:
    return with_score(view, f'<i id="x{"".join(map(str, tile))}"></i>')


def in_a_number(view: View, tile: Tile) -> View:
    return replace(view, boneyard_size=view.boneyard_size + 100 + tile[0] * 10 + tile[-1])


def in_an_order(view: View, tile: Tile) -> View:
    """Rotate the viewer's own hand by the pips of the hidden tile."""
    seats = list(view.seats)
    own = seats[view.viewer or 0]
    if own.hand:
        cut = pips(tile) % len(own.hand)
        seats[own.seat] = replace(own, hand=own.hand[cut:] + own.hand[:cut])
    return replace(view, seats=tuple(seats))


def with_score(view: View, score: str) -> View:
    return replace(view, seats=(replace(view.seats[0], score=score), *view.seats[1:]))


def plant(monkeypatch: pytest.MonkeyPatch, leak: Callable[[View, Tile], View]) -> None:
    """Make every view depend on the last tile that seat 1 must not see."""
    original_view = snapshots.Snapshot.view

    def view(self: snapshots.Snapshot, seat: int | None) -> View | None:
        seen = original_view(self, seat)
        hidden = hidden_tiles(self.state, 1) if self.state else []
        return leak(seen, hidden[-1]) if seen and hidden else seen

    monkeypatch.setattr(snapshots.Snapshot, "view", view)


def match_in_a_round(rules: Rules, chance: Random) -> tuple[Match, State, Viewer]:
    """Return a match, its state, and the player at seat 1."""
    match = start_rated_match(rules, small_table(rules))
    viewer = all_viewers(match)[1]
    return match, play_into_round(1, match, chance), viewer


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_names")
@pytest.mark.parametrize("rules", GAMES)
def test_leaks_in_pages_are_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search finds spelled tiles. Exchanging the hidden tiles (another world) finds every leak."""
    chance = Random("planted")
    match, state, viewer = match_in_a_round(rules, chance)
    request = partial(responses, viewer, [page_of(match)])
    for leak in (in_a_text, in_an_attribute, in_an_id, in_a_number, in_an_order):
        with monkeypatch.context() as planted:
            plant(planted, leak)
            worlds = (compare_worlds(viewer, match, chance, request) for _ in range(2 * WORLDS))
            texts = next((texts for texts, different in worlds if different), None)
        assert texts is not None, leak.__name__
        if leak in (in_a_text, in_an_attribute, in_an_id):
            assert leaked_by_pages(texts, match, state, viewer.seat), leak.__name__


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", GAMES)
async def test_a_leak_through_a_socket_is_found_by_both_checks(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, state, viewer = await in_thread(match_in_a_round)(rules, chance)
    plant(monkeypatch, in_an_attribute)
    worlds = 0
    while not (different := await compare_sockets(viewer, match, state, chance)):
        worlds += 1
        assert worlds < WORLDS
    assert len(different) == 1
    assert leaked(different[0], state, viewer.seat)
