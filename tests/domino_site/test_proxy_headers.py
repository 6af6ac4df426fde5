"""Who a client is behind a proxy, and by which scheme it came."""

from __future__ import annotations

from typing import Any

import pytest
from channels.testing import ApplicationCommunicator
from pytest_django import Settings

from domino_site.proxy_headers import ProxyHeaders

PROXY = ["192.0.2.200", 4711]


async def passed_on(*headers: tuple[str, str], kind: str = "http", **scope: Any) -> dict[str, Any]:
    """Return the scope that the site gets of a request with these headers, which came from the proxy's address."""
    seen: dict[str, Any] = {}

    async def site(scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        seen.update(scope)

    raw = [(name.encode(), value.encode("latin1")) for name, value in headers]
    asked = {"type": kind, "scheme": "http", "client": PROXY, "root_path": "", "headers": raw} | scope
    await ApplicationCommunicator(ProxyHeaders(site), asked).wait()
    return seen


@pytest.fixture
def behind_proxy(settings: Settings) -> None:
    settings.BEHIND_PROXY = True


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        ([("x-forwarded-for", "203.0.113.9")], "203.0.113.9"),
        ([("x-forwarded-for", "127.0.0.1, 203.0.113.9")], "203.0.113.9"),
        ([("x-forwarded-for", "127.0.0.1"), ("x-forwarded-for", "203.0.113.9")], "203.0.113.9"),
        ([("x-forwarded-for", "h\xe9,,203.0.113.9:5000")], "203.0.113.9"),
        ([("x-forwarded-for", "127.0.0.1, unknown")], PROXY[0]),
        ([("x-real-ip", "127.0.0.1"), ("forwarded", "for=127.0.0.1")], PROXY[0]),
        ([], PROXY[0]),
    ],
)
@pytest.mark.usefixtures("behind_proxy")
async def test_the_client_is_the_last_address_which_the_proxy_itself_saw(
    headers: list[tuple[str, str]], client: str
) -> None:
    assert (await passed_on(*headers))["client"][0] == client


async def test_without_a_proxy_nothing_of_it_is_believed_or_passed_on() -> None:
    told = [("x-forwarded-for", "127.0.0.1"), ("x-forwarded-proto", "https"), ("forwarded", "for=127.0.0.1")]
    seen = await passed_on(*told, ("host", "localhost"), ("x-forwarded-host", "evil.example"))
    assert (seen["client"], seen["scheme"]) == (PROXY, "http")
    assert seen["headers"] == [(b"host", b"localhost")]


@pytest.mark.parametrize(("told", "scheme"), [("https", "https"), ("http", "http"), ("https, http", "http")])
@pytest.mark.usefixtures("behind_proxy")
async def test_the_proxy_says_whether_the_browser_speaks_tls(told: str, scheme: str) -> None:
    seen = await passed_on(("x-forwarded-proto", told))
    assert (seen["scheme"], seen["headers"]) == (scheme, [])
    assert (await passed_on(("x-forwarded-proto", told), kind="websocket"))["scheme"] == scheme.replace("http", "ws")


async def test_the_site_stands_at_the_root_of_its_host() -> None:
    assert (await passed_on(root_path="https://evil.example"))["root_path"] == ""
