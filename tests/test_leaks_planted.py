"""Leaks that are planted are found: the proofs of test_leaks can fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from types import SimpleNamespace

import pytest
from channels.db import database_sync_to_async

from accounts.login import guests
from accounts.names import reserved
from accounts.names import rules as names_rules
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, pips, tile_text
from games.engine.view import View
from games.match import snapshots
from games.models import Match
from tests.test_leaks import (
    GAMES,
    WORLDS,
    betrayed,
    betrayed_by_pages,
    heard_differently,
    page_of,
    play_into_round,
    telling_seats,
    told_differently,
)
from tests.viewers import Viewer, everybody, table_of, told
from tests.worlds import hidden_from

pytestmark = pytest.mark.seed(1)

Said = dict[str, bytes]
in_thread = database_sync_to_async


@pytest.fixture
def no_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and colours proposed to guests are always the first ones."""
    first = SimpleNamespace(choice=lambda items: items[0], randbelow=lambda _count: 0)
    for module in (names_rules, guests, reserved):
        monkeypatch.setattr(module, "secrets", first)


def in_a_text(view: View, tile: Tile) -> View:
    return with_score(view, f"{view.seats[0].score} {tile_text(tile)}")


def in_an_attribute(view: View, tile: Tile) -> View:
    return with_score(view, f'<i data-held="t{"".join(map(str, tile))}"></i>')


def in_an_id(view: View, tile: Tile) -> View:
    return with_score(view, f'<i id="x{"".join(map(str, tile))}"></i>')


def in_a_number(view: View, tile: Tile) -> View:
    return replace(view, boneyard=view.boneyard + 100 + tile[0] * 10 + tile[-1])


def in_an_order(view: View, tile: Tile) -> View:
    """Turn the viewer's own tiles by the pips of the hidden one."""
    seats = list(view.seats)
    own = seats[view.viewer or 0]
    if own.hand:
        cut = pips(tile) % len(own.hand)
        seats[own.seat] = replace(own, hand=own.hand[cut:] + own.hand[:cut])
    return replace(view, seats=tuple(seats))


def with_score(view: View, score: str) -> View:
    return replace(view, seats=(replace(view.seats[0], score=score), *view.seats[1:]))


def plant(monkeypatch: pytest.MonkeyPatch, leak: Callable[[View, Tile], View]) -> None:
    """Let each view depend on the last tile that seat 1 must not see."""
    honest = snapshots.Snapshot.view

    def view(self: snapshots.Snapshot, seat: int | None) -> View | None:
        seen = honest(self, seat)
        hidden = hidden_from(self.state, 1) if self.state else []
        return leak(seen, hidden[-1]) if seen and hidden else seen

    monkeypatch.setattr(snapshots.Snapshot, "view", view)


def a_round(rules: Rules, chance: Random) -> tuple[Match, State, list[Viewer]]:
    match = table_of(rules, telling_seats(rules)[0])
    viewers = everybody(match)
    return match, play_into_round(1, match, chance), viewers


@pytest.mark.django_db
@pytest.mark.usefixtures("no_lots")
@pytest.mark.parametrize("leak", [in_a_text, in_an_attribute, in_an_id])
@pytest.mark.parametrize("rules", GAMES)
def test_a_spelt_leak_is_found_twice(
    rules: Rules, leak: Callable[[View, Tile], View], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random("planted")
    match, state, viewers = a_round(rules, chance)
    plant(monkeypatch, leak)
    ask = partial(told, viewers[1], [page_of(match)])
    worlds = (told_differently(viewers[1], match, chance, ask) for _ in range(WORLDS))
    said = next(here for here, different in worlds if different)
    assert betrayed_by_pages(said, match, state, viewers[1].seat)


@pytest.mark.django_db
@pytest.mark.usefixtures("no_lots")
@pytest.mark.parametrize("leak", [in_a_number, in_an_order])
@pytest.mark.parametrize("rules", GAMES)
def test_a_hidden_leak_is_found_in_another_world(
    rules: Rules, leak: Callable[[View, Tile], View], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random("planted")
    match, _state, viewers = a_round(rules, chance)
    plant(monkeypatch, leak)
    ask = partial(told, viewers[1], [page_of(match)])
    assert any(told_differently(viewers[1], match, chance, ask)[1] for _ in range(2 * WORLDS))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", GAMES)
async def test_a_leak_through_a_socket_is_found_twice(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    match, state, viewers = await in_thread(a_round)(rules, chance)
    plant(monkeypatch, in_an_attribute)
    worlds = 0
    while not (different := await heard_differently(viewers[1], match, state, chance)):
        worlds += 1
        assert worlds < WORLDS
    assert len(different) == 1
    assert betrayed(different[0], state, viewers[1].seat)
