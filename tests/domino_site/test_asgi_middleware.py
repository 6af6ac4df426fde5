"""What requests and sockets pass before Django and the consumers."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from threading import Event
from time import sleep
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from channels.testing import ApplicationCommunicator, HttpCommunicator, WebsocketCommunicator
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from domino_site import asgi_middleware
from domino_site.asgi import application
from domino_site.asgi_middleware import (
    OriginCheck,
    ProcessAbandonedForms,
    RetryDuringOutage,
    TrustedScope,
    has_allowed_origin,
    user_of_session,
)
from games.lobby.quick_play import join_quick_game
from games.models import Match
from games.views import seats
from tests.games import tables
from tests.wire import ServerConnection, http_request, websocket_request

PROXY = ["192.0.2.200", 4711]


@pytest.fixture
def behind_proxy(settings: Settings) -> None:
    settings.BEHIND_PROXY = True


async def trusted(*headers: tuple[str, str], kind: str = "http", **scope: Any) -> dict[str, Any]:
    """Return the scope that the site gets of a request with these headers, which came from the proxy's address."""
    seen: dict[str, Any] = {}

    async def site(scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        seen.update(scope)

    raw = [(name.encode(), value.encode("latin1")) for name, value in headers]
    full_scope = {"type": kind, "scheme": "http", "client": PROXY, "root_path": "", "headers": raw} | scope
    await ApplicationCommunicator(TrustedScope(site), full_scope).wait()
    return seen


class TestTrustedScope:
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
    async def test_client_is_the_last_address_in_the_proxys_header(
        self, headers: list[tuple[str, str]], client: str
    ) -> None:
        assert (await trusted(*headers))["client"][0] == client

    async def test_proxy_headers_are_removed_and_ignored_without_a_proxy(self) -> None:
        sent = [("x-forwarded-for", "127.0.0.1"), ("x-forwarded-proto", "https"), ("forwarded", "for=127.0.0.1")]
        seen = await trusted(*sent, ("host", "localhost"), ("x-forwarded-host", "evil.example"))
        assert (seen["client"], seen["scheme"]) == (PROXY, "http")
        assert seen["headers"] == [(b"host", b"localhost")]

    @pytest.mark.parametrize(("sent", "scheme"), [("https", "https"), ("http", "http"), ("https, http", "http")])
    @pytest.mark.usefixtures("behind_proxy")
    async def test_proxy_reports_the_scheme(self, sent: str, scheme: str) -> None:
        seen = await trusted(("x-forwarded-proto", sent))
        assert (seen["scheme"], seen["headers"]) == (scheme, [])
        socket = await trusted(("x-forwarded-proto", sent), kind="websocket")
        assert socket["scheme"] == scheme.replace("http", "ws")

    async def test_site_is_at_the_root_of_its_host(self) -> None:
        assert (await trusted(root_path="https://evil.example"))["root_path"] == ""

    async def test_only_the_charset_is_removed_from_a_content_type(self) -> None:
        sent = 'multipart/form-data; boundary="x"; charset=utf-16; other=1'
        seen = await trusted(("content-type", sent), ("x", "; charset=hex"))
        headers = [(b"content-type", b'multipart/form-data; boundary="x"; other=1'), (b"x", b"; charset=hex")]
        assert seen["headers"] == headers

    @pytest.mark.parametrize(
        "charset", ["utf-16", "hex", "undefined", "idna", "unicode_escape", "CHARSET*=utf-8''hex"]
    )
    @pytest.mark.parametrize(
        ("kind", "body"),
        [
            ("application/x-www-form-urlencoded", b"text=%ff"),
            (
                "multipart/form-data; boundary=x",
                b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\xff\r\n--x--\r\n',
            ),
        ],
    )
    async def test_form_without_a_token_is_refused_with_any_charset(
        self, kind: str, body: bytes, charset: str
    ) -> None:
        content_type = f"{kind}; {charset if '=' in charset else f'charset={charset}'}"
        cookie = (b"cookie", b"csrftoken=" + b"a" * 32)
        headers = [(b"host", b"localhost"), cookie, (b"content-type", content_type.encode())]
        communicator = HttpCommunicator(application, "POST", "/accounts/login/", body, headers)
        assert (await communicator.get_response(timeout=10))["status"] == 403


BODY = {"type": "http.request", "body": b"a", "more_body": True}
LAST = {"type": "http.request", "body": b"b"}
DISCONNECT = {"type": "http.disconnect"}


def quick_game_form() -> tuple[bytes, str]:
    """Return the body of the form that starts a quick game, and the cookie of its browser."""
    client = Client()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get("/").text)
    assert token
    body = f"variant=kozel&csrfmiddlewaretoken={token[1]}".encode()
    return body, f"csrftoken={client.cookies['csrftoken'].value}"


class TestAbandonedForms:
    @pytest.mark.django_db(transaction=True)
    async def test_second_press_gets_the_answer_of_the_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        at_work = Event()

        def join_slowly(**options: Any) -> Match:
            at_work.set()
            sleep(0.2)
            return join_quick_game(**options)

        monkeypatch.setattr(seats, "join_quick_game", join_slowly)
        body, cookie = await sync_to_async(quick_game_form)()
        first = ServerConnection()
        first.send(http_request("POST", "/play/", body, Cookie=cookie))
        await sync_to_async(at_work.wait)(10)
        await first.disconnect()
        answer = await ServerConnection().exchange(http_request("POST", "/play/", body, Cookie=cookie))
        match = await Match.objects.aget()
        assert f"Location: /match/{match.slug}/".encode() in answer
        assert b"sessionid=" in answer
        assert await User.objects.acount() == 1

    @pytest.mark.parametrize(
        ("method", "messages", "received"),
        [
            ("POST", [BODY, LAST, DISCONNECT], [BODY, LAST]),
            ("POST", [BODY, DISCONNECT], [BODY, DISCONNECT]),
            ("GET", [LAST, DISCONNECT], [LAST, DISCONNECT]),
        ],
    )
    async def test_only_a_complete_form_outlives_its_connection(
        self, method: str, messages: list[Any], received: list[Any]
    ) -> None:
        seen: list[Any] = []

        async def site(_scope: Any, receive: Any, _send: Any) -> None:
            while not seen or seen[-1] != DISCONNECT:
                seen.append(await asyncio.wait_for(receive(), 0.05))

        async def receive() -> Any:
            return messages.pop(0)

        async def send(_message: Any) -> None: ...

        with suppress(TimeoutError):
            await ProcessAbandonedForms(site)({"method": method}, receive, send)
        assert seen == received


def socket_scope(origin: str | None, host: str = "localhost:8000", scheme: str = "ws") -> dict[str, Any]:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    return {"type": "websocket", "scheme": scheme, "headers": headers}


class TestOriginCheck:
    def test_own_page_is_allowed(self) -> None:
        assert has_allowed_origin(socket_scope("http://localhost:8000"))
        assert has_allowed_origin(socket_scope("https://localhost", host="localhost", scheme="wss"))

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
    def test_other_origin_is_refused(self, origin: str | None) -> None:
        assert not has_allowed_origin(socket_scope(origin))

    def test_foreign_host_is_no_origin(self) -> None:
        """With DNS rebinding, a foreign name that leads to us equals its own origin."""
        assert not has_allowed_origin(socket_scope("http://evil.example", host="evil.example"))

    def test_two_origins_are_refused(self) -> None:
        scope = socket_scope("http://localhost:8000")
        scope["headers"].append((b"origin", b"http://evil.example"))
        assert not has_allowed_origin(scope)

    @pytest.mark.parametrize(
        ("trusts_proxy", "scheme", "allowed"), [(True, "https", True), (True, "http", False), (False, "https", False)]
    )
    async def test_only_a_trusted_proxy_makes_an_origin_secure(
        self, settings: Settings, *, trusts_proxy: bool, scheme: str, allowed: bool
    ) -> None:
        settings.BEHIND_PROXY = trusts_proxy
        sent = ("host", "localhost"), ("origin", "https://localhost"), ("x-forwarded-proto", scheme)
        assert has_allowed_origin(await trusted(*sent, kind="websocket")) is allowed

    def test_configured_origins_replace_the_own_one(self, settings: Settings) -> None:
        settings.SOCKET_ORIGINS = ["https://dominoes.example", "https://play.dominoes.example:444/"]
        assert has_allowed_origin(socket_scope("https://dominoes.example"))
        assert has_allowed_origin(socket_scope("https://play.dominoes.example:444"))
        assert not has_allowed_origin(socket_scope("http://localhost:8000"))

    async def test_refused_socket_never_reaches_the_application(self) -> None:
        async def unreachable(scope: Any, receive: Any, send: Any) -> None:
            raise AssertionError("reached")

        socket = WebsocketCommunicator(OriginCheck(unreachable), "/ws/lobby/", headers=[(b"host", b"testserver")])
        connected, _code = await socket.connect()
        assert not connected


class TestDeny:
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
    async def test_unknown_address_is_refused(self, path: str, caplog: pytest.LogCaptureFixture) -> None:
        line = ServerConnection()
        line.send(websocket_request(path))
        assert (await line.receive_until(b"\r\n\r\n")).startswith(b"HTTP/1.1 403 ")
        assert caplog.records == []
        assert not getattr(get_channel_layer(), "channels", None), "no channel was created for it"

    @pytest.mark.parametrize(
        "wrong", [{"Sec_WebSocket_Key": "short"}, {"Sec_WebSocket_Version": "7"}, {"Connection": "close"}]
    )
    async def test_invalid_handshake_leaves_nothing(self, wrong: dict[str, str]) -> None:
        async def unreachable(**_asked: object) -> None:
            raise AssertionError("reached")

        line = ServerConnection(unreachable)
        line.send(websocket_request("/ws/lobby/", **wrong))
        assert line.received.startswith(b"HTTP/1.1 400 ")
        assert line.closed
        await line.disconnect()


async def test_socket_that_opens_waits_until_the_database_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_middleware, "OUTAGE_RETRY_SECONDS", (0, 0.01))
    tries = []

    async def site(scope: dict[str, Any], _receive: object, _send: object) -> str:
        tries.append(scope)
        if len(tries) < 3:
            raise OperationalError("the connection is closed")
        return "served"

    assert await RetryDuringOutage(site)({"type": "websocket"}, None, None) == "served"
    assert len(tries) == 3


@pytest.fixture
def client_of_ann() -> Client:
    return tables.browser_of(tables.person("Ann"))


async def open_socket(client: Client) -> None:
    line = ServerConnection()
    line.send(websocket_request("/ws/lobby/", Cookie=f"sessionid={client.cookies['sessionid'].value}"))
    await line.receive_until(b"</hx-partial>")
    await line.disconnect()


def user_of_page(client: Client) -> str:
    request = HttpRequest()
    request.session = client.session
    return str(get_user(request))


@pytest.mark.django_db(transaction=True)
class TestSocketUsers:
    @pytest.mark.parametrize("has_fallback", [True, False])
    async def test_guest_outlives_a_change_of_the_key(
        self, client_of_ann: Client, settings: Settings, has_fallback: bool
    ) -> None:
        """A page that was open meanwhile reconnects its socket before any other page is loaded."""
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = (
            "a new key " * 6,
            [settings.SECRET_KEY] if has_fallback else [],
        )
        user = str(await user_of_session(client_of_ann.session))
        await open_socket(client_of_ann)
        assert await Session.objects.acount() == 1, "a socket ends no session"
        assert user == await sync_to_async(user_of_page)(client_of_ann)
        assert (user == "AnonymousUser") is not has_fallback

    async def test_changed_password_ends_the_session(self, client_of_ann: Client) -> None:
        user = await user_of_session(client_of_ann.session)
        assert isinstance(user, User)
        user.set_password("another")
        await user.asave()
        assert (await user_of_session(client_of_ann.session)).is_anonymous

    async def test_visitor_is_anonymous(self) -> None:
        assert (await user_of_session({})).is_anonymous
