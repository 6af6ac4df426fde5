"""What all pages go through, and how a NUL is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from channels.testing import WebsocketCommunicator
from django.test import AsyncClient, Client

from accounts.models import User
from domino_site.asgi import application

ADDRESSES = (
    "/?game=%00",
    "/?game=kozel%00",
    "/%00",
    "/match/%00/",
    "/rules/%00/",
    "/people/%00/",
    "/people/%00",
    "/matches/?player=%00",
    "/matches/?player=Ann%00&game=%00",
    "/admin/accounts/user/?q=%00",
    "/admin/games/match/?q=%00",
    "/admin/games/message/?q=a%00b",
    "/admin/games/match/%00/change/",
)


@pytest.mark.stack
@pytest.mark.parametrize("address", ADDRESSES)
def test_nul_in_an_address_is_a_bad_request(client: Client, address: str) -> None:
    client.force_login(User.objects.create_superuser("root", name="Root"))
    page = client.get(address)
    assert page.status_code == 400
    assert "Your request could not be understood" in page.content.decode()


def test_nul_in_a_cookie_is_a_bad_request(client: Client) -> None:
    assert client.get("/", headers={"cookie": "sessionid=" + "\0" * 32}).status_code == 400


def test_nul_in_a_form_is_refused_by_the_form(client: Client) -> None:
    page = client.post("/accounts/login/", {"login": "a\0b", "password": "a\0b"})
    assert (page.status_code, "Null characters" in page.content.decode()) == (200, True)


def test_escaped_percent_sign_is_allowed(client: Client) -> None:
    assert client.get("/rules/?game=%2500").status_code == 200


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "cookie", [b"sessionid=" + b"\0" * 32, rb'sessionid="\000abcdefghijkl"'], ids=["bare", "escaped"]
)
async def test_nul_in_a_cookie_opens_no_socket(cookie: bytes) -> None:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"cookie", cookie)]
    browser = WebsocketCommunicator(application, "/ws/lobby/", headers)
    connected, _code = await browser.connect(timeout=5)
    assert not connected


@pytest.mark.django_db(transaction=True)
async def test_a_page_changes_threads_six_times_at_most(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For Django's signals, all middleware, two that look at the view, the view, and the end."""
    changes = Counter[str]()
    change = SyncToAsync.__call__

    async def counted(self: SyncToAsync[Any, Any], *arguments: Any, **options: Any) -> Any:
        changes[str(getattr(self.func, "__qualname__", self.func))] += 1
        return await change(self, *arguments, **options)

    monkeypatch.setattr(SyncToAsync, "__call__", counted)
    assert (await async_client.get("/rules/")).status_code == 200
    assert changes.total() <= 6, changes
