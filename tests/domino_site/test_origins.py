"""Only the site's own pages open sockets."""

from __future__ import annotations

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django import Settings

from domino_site.origins import OriginCheck, is_allowed
from domino_site.proxy_headers import ProxyHeaders


def scope(origin: str | None, host: str = "localhost:8000", scheme: str = "ws", **more: str) -> dict[str, Any]:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    headers += [(name.replace("_", "-").encode(), value.encode()) for name, value in more.items()]
    return {"type": "websocket", "scheme": scheme, "headers": headers}


def test_the_own_page_may() -> None:
    assert is_allowed(scope("http://localhost:8000"))
    assert is_allowed(scope("https://localhost", host="localhost", scheme="wss"))


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        "http://evil.example",
        "http://localhost",
        "http://localhost:8001",
        "https://localhost:8000",
        "http://localhost:8000.evil.example",
        "http://127.0.0.1:8000",
    ],
)
def test_another_origin_may_not(origin: str | None) -> None:
    assert not is_allowed(scope(origin))


def test_a_host_that_is_not_ours_makes_no_origin() -> None:
    """A foreign name that is made to point at us (DNS rebinding) agrees with itself."""
    assert not is_allowed(scope("http://evil.example", host="evil.example"))


def test_two_origins_are_none() -> None:
    asked = scope("http://localhost:8000")
    asked["headers"].append((b"origin", b"http://evil.example"))
    assert not is_allowed(asked)


async def allowed_to_the_site(asked: dict[str, Any]) -> bool:
    """Say whether a socket may be opened as the whole site gets it."""
    answers: list[bool] = []

    async def site(scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        answers.append(is_allowed(scope))

    await ProxyHeaders(site)(asked, None, None)
    return answers[0]


async def test_a_trusted_proxy_says_that_the_browser_speaks_tls(settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    assert await allowed_to_the_site(scope("https://localhost", host="localhost", x_forwarded_proto="https"))
    assert not await allowed_to_the_site(scope("https://localhost", host="localhost", x_forwarded_proto="http"))


async def test_without_a_proxy_its_header_means_nothing() -> None:
    assert not await allowed_to_the_site(scope("https://localhost", host="localhost", x_forwarded_proto="https"))


def test_named_origins_replace_the_own_one(settings: Settings) -> None:
    settings.SOCKET_ORIGINS = ["https://dominoes.example", "https://play.dominoes.example:444/"]
    assert is_allowed(scope("https://dominoes.example"))
    assert is_allowed(scope("https://play.dominoes.example:444"))
    assert not is_allowed(scope("http://localhost:8000"))


async def test_a_refused_socket_never_reaches_the_application() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("reached")

    socket = WebsocketCommunicator(OriginCheck(application), "/ws/lobby/", headers=[(b"host", b"testserver")])
    connected, _code = await socket.connect()
    assert not connected
