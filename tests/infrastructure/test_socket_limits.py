"""More sockets than anybody needs, or faster than anybody opens them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from prometheus_client import REGISTRY
from pytest_django import Settings

from accounts.models import User
from infrastructure import socket_limits
from infrastructure.limit_settings import parse_place_limits, parse_rate_limits
from infrastructure.socket_limits import TRY_LATER_CODE, SocketRateLimit, client_by_account, client_by_address

HERE, THERE = "192.0.2.1", "192.0.2.2"


async def stay_open(scope: Any, receive: Any, send: Any) -> None:
    """Be a socket that stays open until its browser goes away."""
    assert (await receive())["type"] == "websocket.connect"
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


class Line(WebsocketCommunicator):
    scope: Any

    def __init__(self, address: str, user: User | None = None) -> None:
        counted = SocketRateLimit(SocketRateLimit(stay_open, client_by_account), client_by_address)
        super().__init__(counted, "/ws/lobby/")
        self.scope |= {"client": [address, 1], "user": user or AnonymousUser()}

    async def stays(self) -> bool:
        """Open the socket; return whether it was accepted."""
        before = count_closes()
        connected, _protocol = await self.connect()
        assert connected
        if await self.receive_nothing(0.001, 0.001):
            return True
        assert await self.receive_output() == {"type": "websocket.close", "code": TRY_LATER_CODE}
        assert count_closes() > before
        return False


def count_closes() -> float:
    return REGISTRY.get_sample_value("dominoes_socket_closes_total", {"code": str(TRY_LATER_CODE)}) or 0


async def stay(*lines: Line) -> list[bool]:
    return [await line.stays() for line in lines]


@pytest.fixture(autouse=True)
def limits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_limits, "REJECTION_DELAY_SECONDS", 0)
    settings.RATES = {"sockets": parse_rate_limits("3+1/h address, 2+1/h account")}
    settings.PLACES = {"sockets": parse_place_limits("2 address, 1 account")}


async def test_each_address_has_its_own_sockets(settings: Settings) -> None:
    settings.RATES = {"sockets": {}}
    first, *lines = [Line(HERE) for _ in range(4)]
    assert await stay(first, *lines) == [True, True, False, False]
    assert await stay(Line(THERE)) == [True]
    await first.disconnect()
    assert await stay(Line(HERE), Line(HERE)) == [True, False]


async def test_account_has_a_limit_across_addresses(settings: Settings) -> None:
    settings.RATES = {"sockets": {}}
    ann, ben = User(pk=1), User(pk=2)
    first = Line(HERE, ann)
    assert await stay(first, Line(THERE, ann), Line(THERE, ben)) == [True, False, True]
    await first.disconnect()
    assert await stay(Line(THERE, ann)) == [True]


async def test_visitors_leave_sockets_to_the_accounts_at_their_address(settings: Settings) -> None:
    settings.RATES = {"sockets": {}}
    settings.PLACES = {"sockets": parse_place_limits("4 address, 2 visitors, 3 account")}
    assert await stay(*[Line(HERE) for _ in range(3)]) == [True, True, False]
    assert await stay(Line(HERE, User(pk=1)), Line(HERE, User(pk=2)), Line(THERE)) == [True, True, True]


async def test_reconnecting_too_often_is_rejected() -> None:
    for opened in (True, True, True, False):
        line = Line(HERE)
        assert await line.stays() is opened
        if opened:
            await line.disconnect()
    assert await stay(Line(THERE)) == [True]


async def test_broken_socket_frees_its_place(settings: Settings) -> None:
    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("planted")

    settings.RATES = {"sockets": {}}
    scope = {"type": "websocket", "client": [HERE, 1]}
    for _ in range(3):
        with pytest.raises(RuntimeError, match="planted"):
            await SocketRateLimit(breaks, client_by_address)(scope, asyncio.Queue().get, asyncio.Queue().put)


async def test_rejected_socket_waits_and_can_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer at once would have thirty who come back at once ask seven hundred times a second."""
    monkeypatch.setattr(socket_limits, "REJECTION_DELAY_SECONDS", 3600)
    *first, late = [Line(HERE) for _ in range(3)]
    assert await stay(*first) == [True, True]
    await late.send_input({"type": "websocket.connect"})
    assert await late.receive_nothing(0.01, 0.001)
    await late.send_input({"type": "websocket.disconnect", "code": 1006})
    await late.wait(1)
