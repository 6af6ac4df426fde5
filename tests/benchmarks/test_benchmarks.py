"""The attack, fuzz and floor benchmarks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.frames import Frame
from websockets.streams import StreamReader

from benchmarks import health
from benchmarks.attack import ATTACKS, AttackResults, MoveWaits
from benchmarks.attackers import ATTACKS_BY_KIND
from benchmarks.fuzz import Findings
from benchmarks.health import Sample
from benchmarks.hostile_frames import FrameGenerator, SocketTarget
from benchmarks.hostile_pages import HostileRequest, RequestGenerator
from benchmarks.minimal_server import MinimalSite
from benchmarks.players import Screen
from benchmarks.wire import NO_RESPONSE, TEXT, Connection, Response, encode_frame, encode_request

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"


@asynccontextmanager
async def answering(*answers: bytes) -> AsyncIterator[Connection]:
    """A connection to a server that gives these answers, one a request, and then cuts the line."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    line = await Connection.open(server.sockets[0].getsockname()[1], "127.0.0.2")
    yield line
    line.close()
    server.close()


async def test_responses_of_every_kind_are_read_completely() -> None:
    ask, peek = encode_request("GET", "/", {"Host": "a"}), encode_request("HEAD", "/", {})
    length = b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n"
    async with answering(b"HTTP/1.1 100 Continue\r\n\r\n" + CHUNKED, length, length + b"xyz", CHUNKED) as line:
        assert (await line.exchange(ask)).body == b"abcde"
        assert (await line.exchange(peek)).status == 404
        answer = await line.exchange(ask)
        assert (answer.status, answer.headers, answer.body) == (404, {"content-length": "3"}, b"xyz")
        assert (await line.exchange(ask)).body == b"abcde"
        assert await line.exchange(ask) == NO_RESPONSE


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_frames_are_readable_by_another_implementation(size: int) -> None:
    payload = bytes(range(256)) * (size // 256 + 1)
    stream = StreamReader()
    stream.feed_data(encode_frame(payload[:size], TEXT, last=False))
    parsing = Frame.parse(stream.read_exact, mask=True)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    assert (done.value.value.data, done.value.value.fin) == (payload[:size], False)


def figures(*, moves: int = 200, wait: float = 0.005, memory: float = 100.0, errors: int = 0) -> AttackResults:
    return AttackResults(
        MoveWaits(10, 200, [0.005] * 200), MoveWaits(10, moves, [wait] * moves), memory, errors=errors
    )


def test_verdict_names_the_missed_targets() -> None:
    assert figures(moves=180, wait=0.01, memory=300).verdict() == "passed"
    assert figures(moves=179).verdict() == "moves"
    assert figures(wait=0.011).verdict() == "wait"
    assert figures(memory=301, errors=1).verdict() == "memory, errors"
    assert figures(moves=0).verdict() == "moves, wait"


def test_every_attack_has_an_implementation() -> None:
    assert {attack.kind for attack in ATTACKS.values()} == set(ATTACKS_BY_KIND)


WORLD: dict[str, Any] = {
    "sessions": {"guest": ["g" * 32], "account": ["a" * 32], "staff": ["s" * 32]},
    "players": {"table": ["p" * 32], "empty": []},
    "slugs": {"open": ["empty"], "running": ["table"]},
    "addresses": [("match/%(slug)s/", ["slug"]), ("people/%(person_id)s/", ["person_id"]), ("admin/%(x)s/", ["x"])],
    "fields": ["text", "move"],
    "queries": ["at", "as"],
    "admin_queries": ["created_at__year", "id__in"],
    "admin_actions": ["hide"],
    "variants": ["kozel"],
    "acts": ["move", "chat"],
    "ids": [1, 2],
    "names": ["anna"],
    "password": "secret",
}
SHOWN = '<div data-status="running"><input name="v" value="7"><button class="fits" name="move" value="6-4">'


def requests(seed: int, count: int = 300) -> list[HostileRequest]:
    pages = RequestGenerator(WORLD, "localhost:1", Random(seed))
    return [pages.next_request() for _ in range(count)]


def bursts(seed: int) -> list[tuple[SocketTarget, str]]:
    talk = FrameGenerator(WORLD, Random(seed))
    return [(talk.next_target(), talk.random_message(SHOWN)) for _ in range(300)]


@pytest.mark.parametrize("draw", [requests, bursts])
def test_equal_seeds_generate_equal_requests(draw: Callable[[int], object]) -> None:
    assert draw(1) == draw(1) != draw(2)


def test_requests_have_a_correct_content_length() -> None:
    for ask in requests(3):
        head, _blank, body = ask.data.partition(b"\r\n\r\n")
        headers = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
        if headers.get(b"Transfer-Encoding") == b"chunked":
            assert body.endswith(b"0\r\n\r\n")
        else:
            assert len(body) == int(headers.get(b"Content-Length", 0))


def test_every_visitor_requests_every_address_and_messages_fit_the_table() -> None:
    text = {ask.description.split(" ", 1)[1] for ask in requests(4, 1500)}
    kinds = ("visitor", "guest", "account", "staff", "player", "nobody")
    assert text == {f"{pattern} as {kind}" for pattern, _captures in WORLD["addresses"] for kind in kinds}
    messages = [message for _place, message in bursts(5)]
    assert any('"v": 7' in message and '"move": "6-4"' in message for message in messages)


def test_sockets_are_opened_with_odd_queries_and_too_many_parameters() -> None:
    paths = [place.path for place, _message in bursts(8) if place.description.startswith(("match", "review"))]
    queries = [query for path in paths if (query := path.partition("?")[2])]
    assert any(query.startswith(("at=", "as=")) for query in queries)
    assert any(query.count("&") > 1000 for query in queries)


def test_admin_lists_get_lookups_and_actions() -> None:
    sent = [ask.data for ask in requests(7, 1500) if "admin/" in ask.description]
    assert any(b"created_at__year=" in data.partition(b"\r\n")[0] for data in sent)
    assert any(b"action=hide" in data and b"_selected_action=" in data for data in sent)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (Response(404, {}), ""),
        (Response(503, {}), ""),
        (NO_RESPONSE, ""),
        (Response(302, {"location": "/accounts/login/?next=//evil.example/"}), ""),
        (Response(500, {}), "500"),
        (Response(302, {"location": "//evil.example/"}), "a redirect elsewhere"),
        (Response(200, {}, b'<a href="https://evil.example/rules/">'), "a link elsewhere"),
        (Response(200, {"x-injected": "evil.example"}), "an injected header"),
    ],
)
def test_forbidden_responses_are_failures(answer: Response, wrong: str) -> None:
    values = Findings()
    values.check_response(HostileRequest(b"GET / HTTP/1.1\r\n\r\n", "GET / as visitor"), answer)
    assert [failure.partition(":")[0] for failure in values.failures] == [wrong] * bool(wrong)


def test_socket_closed_by_a_bug_is_a_failure() -> None:
    values = Findings()
    for code in (1000, 1009, 4404):
        values.check_close_code(SocketTarget("/", "", "match as guest", has_table=True), code.to_bytes(2))
    assert values.failures == []
    values.check_close_code(SocketTarget("/", "", "match as guest", has_table=True), (4500).to_bytes(2))
    assert len(values.failures) == 1


def test_growing_resources_are_named() -> None:
    level = [Sample(at, 100 + min(at, 30), 60 + at % 7) for at in range(100)]
    assert (
        health.growing_resources(level)
        == health.growing_resources([Sample(at, 1000 * at, 0) for at in range(10)])
        == []
    )
    assert health.growing_resources([Sample(at, 100 + at, 60) for at in range(100)]) == ["memory"]
    assert health.growing_resources([Sample(at, 100, 60 + 3 * at) for at in range(100)]) == ["descriptors"]


def test_player_reads_moves_from_a_frame_of_the_minimal_server(tmp_path: Path) -> None:
    site, screen = MinimalSite(tmp_path, size=4000), Screen("http://localhost", "2-one")
    screen.receive(site.frame(site.table("2-one"), 0), 1.0)
    assert (screen.version, screen.status, screen.bytes) == (1, "running", 4000)
    assert screen.moves
    site.move(site.table("2-one"), 0, {"v": 1, "move": screen.moves[0]})
    screen.receive(site.frame(site.table("2-one"), 0), 2.0)
    assert (screen.version, screen.moves) == (2, [])
