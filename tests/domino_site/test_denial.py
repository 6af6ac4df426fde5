"""Sockets at addresses that do not exist are refused like pages there: without an error of ours."""

from __future__ import annotations

import pytest
from channels.layers import get_channel_layer

from tests.wire import Line, upgrade


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "path",
    [
        "/ws/anything/",
        "/ws/match/",
        "/ws/match/a.b/",
        f"/ws/match/{'a' * 51}/",
        f"/ws/review/{'a' * 3000}/",
        "/ws/lobby/more/",
        "/",
        "/%00",
        "/ws/match/%E9/",
    ],
)
async def test_an_unknown_socket_is_denied(path: str, caplog: pytest.LogCaptureFixture) -> None:
    line = Line()
    line.say(upgrade(path))
    assert (await line.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 403 ")
    assert caplog.records == []
    assert not getattr(get_channel_layer(), "channels", None), "nothing was made for it"


@pytest.mark.parametrize(
    "wrong", [{"Sec_WebSocket_Key": "short"}, {"Sec_WebSocket_Version": "7"}, {"Connection": "close"}]
)
async def test_a_handshake_that_is_none_leaves_nothing(wrong: dict[str, str]) -> None:
    async def site(**_asked: object) -> None:
        raise AssertionError("reached")

    line = Line(site)
    line.say(upgrade("/ws/lobby/", **wrong))
    assert line.heard.startswith(b"HTTP/1.1 400 ")
    assert line.closed
    await line.hang_up()
