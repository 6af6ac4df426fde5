"""Nothing that a visitor sends decides where the links of the site lead."""

from __future__ import annotations

import functools
import gc
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import Client
from django.test.utils import override_script_prefix

from games.models import Match
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.wire import ServerConnection, http_request, websocket_request

EVIL = {
    "Daphne_Root_Path": "https://evil.example",
    "X_Script_Name": "https://evil.example",
    "Script_Name": "https://evil.example",
    "X_Forwarded_Host": "evil.example",
    "X_Forwarded_Server": "evil.example",
    "X_Forwarded_Prefix": "/evil.example",
    "X_Forwarded_Port": "666",
    "X_Original_URL": "/evil.example",
    "X_Rewrite_URL": "/evil.example",
    "Forwarded": "host=evil.example;proto=evil",
}
pytestmark = pytest.mark.django_db(transaction=True)
in_thread = sync_to_async


@pytest.fixture
def people(db: None) -> list[Any]:
    return [tables.person("Ann", email="ann@example.org"), tables.person("Bob")]


def clear_caches() -> None:
    """Empty what functions of the site keep for the process."""
    for value in gc.get_objects():
        if type(value) is functools._lru_cache_wrapper and value.__module__.startswith(("games.", "accounts.")):
            value.cache_clear()


def log_in(user: Any) -> str:
    client = tables.browser_of(user)
    return f"sessionid={client.cookies['sessionid'].value}"


def played_out(people: list[Any]) -> Match:
    match = tables.running_table(people)
    tables.play_until(match, lambda state: bool(state.match_over))
    return match


async def page(path: str, **headers: str) -> str:
    answer = await ServerConnection().exchange(http_request("GET", path, b"", **headers))
    assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
    return answer.decode()


async def frame(match: Match, cookie: str, **headers: str) -> str:
    line = ServerConnection()
    line.send(websocket_request(f"/ws/match/{match.slug}/", Cookie=cookie, **headers))
    heard = await line.receive_until(b"</hx-partial>")
    await line.disconnect()
    return heard.decode(errors="replace")


async def test_password_mail_links_to_this_site(people: list[Any]) -> None:
    await in_thread(people[0].set_password)("old")
    await in_thread(people[0].save)()
    form = await ServerConnection().exchange(http_request("GET", "/accounts/password/reset/"))
    token = form.partition(b'name="csrfmiddlewaretoken" value="')[2][:64].decode()
    cookie = form.partition(b"csrftoken=")[2].partition(b";")[0].decode()
    body = f"email=ann@example.org&csrfmiddlewaretoken={token}".encode()
    await ServerConnection().exchange(
        http_request("POST", "/accounts/password/reset/", body, Cookie=f"csrftoken={cookie}", **EVIL)
    )
    (message,) = mail.outbox
    assert "http://localhost/accounts/password/reset/key/" in message.body
    assert "evil.example" not in message.body


@pytest.mark.parametrize("first", [EVIL, {}], ids=["cold", "warm"])
async def test_links_in_pages_and_frames_ignore_forged_headers(people: list[Any], first: dict[str, str]) -> None:
    """The first request fills a cache that all others read."""
    running, over = await in_thread(tables.running_table)(people), await in_thread(played_out)(people)
    await in_thread(create_finished_match)(people)
    cookie = await in_thread(log_in)(people[0])
    clear_caches()
    for headers in (first, EVIL, {}):
        seen = [
            await page(f"/match/{running.slug}/", Cookie=cookie, **headers),
            await page(f"/match/{over.slug}/scores/", Cookie=cookie, **headers),
            await page(f"/match/{over.slug}/review/", Cookie=cookie, **headers),
            await page("/matches/", **headers),
            await page("/", **headers),
            await frame(running, cookie, **headers),
            await frame(over, cookie, **headers),
        ]
        assert [text for text in seen if "evil.example" in text] == []
        assert f'href="/match/{over.slug}/verify/"' in seen[-1]
        assert f'href="/people/{people[1].pk}/"' in seen[0]


@pytest.mark.parametrize("value", ["h\xe9", "%E9%FF", "//evil.example", "x" * 3000])
async def test_forged_headers_cause_no_server_error(value: str, caplog: pytest.LogCaptureFixture) -> None:
    assert await page("/rules/", Daphne_Root_Path=value, Forwarded=value, X_Forwarded_For=value)
    assert caplog.records == []


@pytest.mark.parametrize("target", ["http://evil.example/rules/", "@evil.example/", ".evil.example/", "*"])
async def test_only_paths_of_this_site_are_accepted(target: str) -> None:
    """Joined to the host, as when who asks by HTTP is sent on to HTTPS, another address would come of it."""

    async def site(**_asked: Any) -> None:
        raise AssertionError("reached")

    assert (await ServerConnection(site).exchange(http_request("GET", target))).startswith(b"HTTP/1.1 400")


def test_root_path_of_a_request_is_not_cached(people: list[Any], client: Client) -> None:
    match = played_out(people)
    client.force_login(people[0])
    paths = [f"/match/{match.slug}/", f"/match/{match.slug}/scores/", "/matches/", "/", "/rules/kozel/"]
    clear_caches()
    with override_script_prefix("/evil/"):
        for path in paths:
            assert 'href="/evil/' in client.get(path).content.decode(), "a page has links of its own"
    assert [path for path in paths if "/evil/" in client.get(path).content.decode()] == []
