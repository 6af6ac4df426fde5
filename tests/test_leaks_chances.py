"""The chances to win reach spectators' sockets and nobody else, and follow from what spectators see.

No page contains them. Another estimate changes no byte that a player receives. Tiles that spectators cannot see, and
what spectators of a match with a delay have not seen yet, change no estimate. Each proof finds a planted leak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
import time_machine
from pytest_django import Settings

from games import bots
from games.engine.rules import Rules
from games.match import snapshots
from games.match.snapshots import Snapshot
from games.models import Match
from games.rendering.zones import Frame
from games.sockets import chance_estimator, match_broadcasts, shared_frames
from games.sockets.shared_frames import RenderedMatch
from games.spectators import chances, delayed
from games.words import offered_variants
from tests.games.socket_browser import connect_to_table, in_thread
from tests.test_leaks import GAMES, page_of, play_into_round
from tests.test_leaks_delay import NOON, delayed_table, go_on, play_into
from tests.viewers import Viewer, all_viewers, form_addresses, match_addresses, responses, start_rated_match
from tests.worlds import clear_match_caches, hidden_tiles_swapped

pytestmark = pytest.mark.seed(1)
PLAYOUTS = 4


@pytest.fixture(autouse=True)
def offered(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer chances. Estimates are made by the tests alone."""
    settings.CHANCES_CPU_PERCENT = 5
    monkeypatch.setattr(chance_estimator.ChanceEstimator, "request", lambda *_arguments: None)


def store_estimate(match: Match, percentage: int) -> None:
    """Store an estimate for the newest version."""
    snapshot = snapshots.current_snapshot(match.pk)
    rest = (100 - percentage) / 100 / (match.seat_count - 1)
    chances.store_estimate(snapshot, (percentage / 100, *[rest] * (match.seat_count - 1)))
    shared_frames.forget_chances(match.pk)


def viewers_at(match: Match) -> list[Viewer]:
    """Return two players and two people outside."""
    return [viewer for viewer in all_viewers(match) if viewer.name in ("seat 0", "seat 1", "anonymous", "spectator")]


# Pages


def changed_pages(viewer: Viewer, match: Match) -> set[str]:
    """Return the addresses whose pages another estimate changes."""
    addresses = [*set(match_addresses(match)).difference(form_addresses(match)), "/", "/tv/boards/"]
    before = responses(viewer, addresses)
    store_estimate(match, 73)
    after = responses(viewer, addresses)
    store_estimate(match, 31)
    return {address for address in addresses if before[address] != after[address]}


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_names")
def test_no_page_contains_a_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("pages")
    with time_machine.travel(NOON, tick=False):
        match = start_rated_match(offered_variants()["kozel"], 2)
        play_into_round(1, match, chance)
        store_estimate(match, 31)
        for viewer in viewers_at(match)[::3]:
            assert changed_pages(viewer, match) == set(), viewer.name
        with monkeypatch.context() as planted:
            plant_in_score(planted)
            assert page_of(match) in changed_pages(viewer, match)


def plant_in_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show the chance of the first seat among the facts of every view."""
    original_view = snapshots.Snapshot.view

    def view(self: Snapshot, seat: int | None) -> object:
        seen = original_view(self, seat)
        percentages = chances.chance_percentages(self)
        return seen and replace(seen, boneyard_size=(percentages or (0,))[0])

    monkeypatch.setattr(snapshots.Snapshot, "view", view)


# Sockets


async def first_frames(match: Match, viewers: list[Viewer]) -> dict[str, str]:
    """Return the first frame of a new socket of each viewer."""
    frames = {}
    for viewer in viewers:
        browser = await connect_to_table(match, viewer.user)
        frames[viewer.name] = await browser.next_frame()
        await browser.disconnect()
    return frames


async def changed_frames(match: Match, viewers: list[Viewer]) -> set[str]:
    """Return the viewers whose frames another estimate changes."""
    await in_thread(store_estimate)(match, 31)
    before = await first_frames(match, viewers)
    await in_thread(store_estimate)(match, 73)
    after = await first_frames(match, viewers)
    return {name for name in before if before[name] != after[name]}


def in_every_frame(original_frame: Callable[..., Frame]) -> Callable[..., Frame]:
    def frame(self: RenderedMatch, seat: int | None, display: object, *arguments: object, **_options: object) -> Frame:
        return original_frame(self, seat, display, *arguments)._replace(chances=self._chances_zones("en"))

    return frame


@pytest.mark.django_db(transaction=True)
async def test_only_spectators_receive_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("sockets")
    match = await in_thread(start_rated_match)(offered_variants()["kozel"], 2)
    await in_thread(play_into_round)(1, match, chance)
    viewers = await in_thread(viewers_at)(match)
    assert await changed_frames(match, viewers) == {"anonymous", "spectator"}
    monkeypatch.setattr(RenderedMatch, "frame", in_every_frame(RenderedMatch.frame))
    assert await changed_frames(match, viewers) == {viewer.name for viewer in viewers}


@pytest.mark.django_db(transaction=True)
async def test_a_spectator_at_the_address_of_a_player_receives_no_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, address = Random("addresses"), ("192.0.2.1", 1)
    match = await in_thread(start_rated_match)(offered_variants()["kozel"], 2)
    await in_thread(play_into_round)(1, match, chance)
    player, *_others = await in_thread(viewers_at)(match)
    player_browser = await connect_to_table(match, player.user, client=address)
    await player_browser.next_frame()

    async def frame_with(percentage: int) -> str:
        await in_thread(store_estimate)(match, percentage)
        browser = await connect_to_table(match, None, client=address)
        frame = await browser.next_frame()
        await browser.disconnect()
        return frame

    assert await frame_with(31) == await frame_with(73)
    monkeypatch.setattr(match_broadcasts, "may_see_chances", lambda _viewer, _snapshot: True)
    assert await frame_with(31) != await frame_with(73)
    await player_browser.disconnect()


# What estimates depend on


def estimate(match: Match) -> tuple[list[float], tuple[int, ...] | None]:
    """Return the estimate for spectators as it is made now, and the percentages before."""
    snapshot = delayed.snapshot_for(match.pk, None)
    position, seed = chance_estimator.visible_position(snapshot), chance_estimator.estimate_seed(snapshot)
    return bots.estimate_chances(position, PLAYOUTS, seed), chances.chance_percentages(snapshot)


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_hidden_tiles_change_no_estimate(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("hidden")
    match = start_rated_match(rules, max(rules.seat_counts))
    play_into_round(1, match, chance)

    def estimates_of_two_worlds() -> tuple[object, object]:
        clear_match_caches()
        real = estimate(match)
        with hidden_tiles_swapped(match, None, chance):
            return real, estimate(match)

    real, altered = estimates_of_two_worlds()
    assert real == altered
    with monkeypatch.context() as planted:
        planted.setattr(chance_estimator, "visible_position", with_open_hands)
        real, altered = estimates_of_two_worlds()
        assert real != altered


def with_open_hands(snapshot: Snapshot) -> object:
    return replace(snapshot, open_hands=True).view(None)


@pytest.mark.django_db
@pytest.mark.parametrize("delay", ["120", "round", "open"])
def test_a_delayed_match_has_the_chances_of_the_visible_version(delay: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(f"delay {delay}")
    with time_machine.travel(NOON, tick=False) as clock:
        match, _viewer = delayed_table(offered_variants()["kozel"], delay)
        play_into(2, match, chance, clock)
        if delay == "120":
            clock.shift(118)  # spectators have not seen the last two moves
        store_estimate(match, 31)
        before = estimate(match)
        go_on(match, chance)
        clear_match_caches()
        store_estimate(match, 73)
        assert estimate(match) == before
        if delay == "120":
            monkeypatch.setattr(chances, "estimate_key", lambda snapshot: snapshot.table.match_id)
            store_estimate(match, 73)
            assert estimate(match)[1] != before[1]
        else:  # spectators see another round, to which no estimate of this one applies
            monkeypatch.setattr(delayed, "sees_delayed", lambda *_arguments: False)
            assert estimate(match)[0] != before[0]
