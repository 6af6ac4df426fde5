"""Broken connections of players: many at once, from different addresses and accounts, are a fault of the site."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.presence.lost_connections import LostConnections
from games.presence.pages import pages
from tests.games.presence.windows import Window, person

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def player(user_id: int, address: str = "") -> Window:
    """Return a page of a player, by default at an address of their own."""
    return Window(user=person(user_id, "Ann"), seated=True, browser=(address or f"10.0.0.{user_id}", ""))


def losses_of(
    lost: list[Window], *, open_pages: list[Window] | None = None, apart: timedelta = timedelta(0)
) -> LostConnections:
    """Break the connections of the lost ones one after the other while the other pages are open."""
    losses = LostConnections()
    for page in open_pages or []:
        pages().join("match.slug", page)
    for number, page in enumerate(lost):
        address, user_id = page.browser[0], page.user_id
        assert user_id is not None
        losses.add(address, user_id, NOON + number * apart)
    return losses


def players(number: int, *, first: int = 0) -> list[Window]:
    return [player(user_id) for user_id in range(first, first + number)]


@pytest.mark.parametrize(
    ("lost", "everybody", "many"), [(11, 40, True), (10, 40, False), (8, 8, True), (7, 7, False), (8, 31, True)]
)
def test_quarter_and_eight_players_are_many(lost: int, everybody: int, many: bool) -> None:
    losses = losses_of(players(lost), open_pages=players(everybody - lost, first=lost))
    assert (losses.mass_loss_since(NOON + SECOND) == NOON) is many


def test_losses_are_forgotten_after_ten_seconds() -> None:
    assert losses_of(players(8)).mass_loss_since(NOON + 10 * SECOND) is None


def test_losses_spread_over_more_than_ten_seconds_are_not_many() -> None:
    losses = losses_of(players(12), open_pages=players(28, first=12), apart=SECOND)
    assert losses.mass_loss_since(NOON + 12 * SECOND) is None


def test_players_who_are_back_count_once_among_all() -> None:
    losses = losses_of(players(8), open_pages=players(32))
    assert losses.mass_loss_since(NOON) is None  # 8 of 32, although 8 + 32 connections were open


def test_spectators_do_not_count() -> None:
    spectators = [Window(browser=(f"10.0.1.{number}", "")) for number in range(100)]
    assert losses_of(players(8), open_pages=spectators).mass_loss_since(NOON) == NOON


def test_all_connections_of_one_address_count_as_one_loss() -> None:
    pages = [player(user_id, "10.0.0.1") for user_id in range(300)]
    assert losses_of(pages).mass_loss_since(NOON) is None
    assert losses_of(players(7, first=900) + pages).mass_loss_since(NOON) == NOON


def test_all_addresses_of_one_account_count_as_one_loss() -> None:
    assert losses_of([player(7, f"10.0.0.{number}") for number in range(12)]).mass_loss_since(NOON) is None
