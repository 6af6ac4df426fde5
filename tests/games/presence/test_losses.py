"""Broken connections of players: many at once, from different addresses and accounts, are a fault of the site."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from games.presence.losses import Losses

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@dataclass(eq=False)
class Page:
    """A page at a match, by default of a player at an address of their own."""

    user_id: int | None
    address: str = ""
    seated: bool = True

    def __post_init__(self) -> None:
        self.address = self.address or f"10.0.0.{self.user_id}"


def losses_of(lost: list[Page], *, open_pages: list[Page] | None = None, apart: timedelta = timedelta(0)) -> Losses:
    """Open the pages, the lost ones too, and break the connections of the lost ones one after the other."""
    losses = Losses()
    losses.open.update(open_pages or [])
    with ExitStack() as sockets:
        for page in lost:
            sockets.enter_context(losses.counted(page))
        for number, page in enumerate(lost):
            losses.add(page, NOON + number * apart)
    return losses


def players(number: int, *, first: int = 0) -> list[Page]:
    return [Page(user_id) for user_id in range(first, first + number)]


@pytest.mark.parametrize(
    ("lost", "everybody", "many"), [(11, 40, True), (10, 40, False), (8, 8, True), (7, 7, False), (8, 31, True)]
)
def test_more_than_a_quarter_and_at_least_eight_players_are_many(lost: int, everybody: int, many: bool) -> None:
    losses = losses_of(players(lost), open_pages=players(everybody - lost, first=lost))
    assert (losses.since(NOON + SECOND) == NOON) is many


def test_losses_are_forgotten_after_ten_seconds() -> None:
    assert losses_of(players(8)).since(NOON + 10 * SECOND) is None


def test_losses_spread_over_more_than_ten_seconds_are_not_many() -> None:
    losses = losses_of(players(12), open_pages=players(28, first=12), apart=SECOND)
    assert losses.since(NOON + 12 * SECOND) is None


def test_players_who_are_back_count_once_among_all() -> None:
    losses = losses_of(players(8), open_pages=players(32))
    assert losses.since(NOON) is None  # 8 of 32, although 8 + 32 connections were open


def test_spectators_neither_count_as_losses_nor_among_those_who_could_be_lost() -> None:
    spectators = [Page(user_id, seated=False) for user_id in range(100, 200)]
    assert losses_of(spectators).since(NOON) is None
    assert losses_of(players(8), open_pages=spectators).since(NOON) == NOON


def test_all_connections_of_one_address_count_as_one_loss() -> None:
    pages = [Page(user_id, "10.0.0.1") for user_id in range(300)]
    assert losses_of(pages).since(NOON) is None
    assert losses_of(players(7, first=900) + pages).since(NOON) == NOON


def test_all_addresses_of_one_account_count_as_one_loss() -> None:
    assert losses_of([Page(7, f"10.0.0.{number}") for number in range(12)]).since(NOON) is None


def test_a_socket_that_ended_is_not_counted() -> None:
    assert losses_of(players(8)).open == set()
