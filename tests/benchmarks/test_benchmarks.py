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
from benchmarks.attack import ATTACKS, Figures, Waits
from benchmarks.attackers import KINDS
from benchmarks.floor import Site
from benchmarks.fuzz import Findings
from benchmarks.health import Sample
from benchmarks.hostile_frames import Frames, Place
from benchmarks.hostile_pages import Ask, Pages
from benchmarks.players import Screen
from benchmarks.wire import NOTHING, TEXT, Answer, Line, frame, request

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"


@asynccontextmanager
async def answering(*answers: bytes) -> AsyncIterator[Line]:
    """A connection to a server that gives these answers, one a request, and then cuts the line."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    line = await Line.open(server.sockets[0].getsockname()[1], "127.0.0.2")
    yield line
    line.close()
    server.close()


async def test_answers_of_every_shape_are_read_to_their_end() -> None:
    ask, peek = request("GET", "/", {"Host": "a"}), request("HEAD", "/", {})
    length = b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n"
    async with answering(b"HTTP/1.1 100 Continue\r\n\r\n" + CHUNKED, length, length + b"xyz", CHUNKED) as line:
        assert (await line.ask(ask)).body == b"abcde"
        assert (await line.ask(peek)).status == 404
        answer = await line.ask(ask)
        assert (answer.status, answer.headers, answer.body) == (404, {"content-length": "3"}, b"xyz")
        assert (await line.ask(ask)).body == b"abcde"
        assert await line.ask(ask) == NOTHING


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_what_other_implementations_read(size: int) -> None:
    payload = bytes(range(256)) * (size // 256 + 1)
    stream = StreamReader()
    stream.feed_data(frame(payload[:size], TEXT, last=False))
    parsing = Frame.parse(stream.read_exact, mask=True)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    assert (done.value.value.data, done.value.value.fin) == (payload[:size], False)


def figures(*, moves: int = 200, wait: float = 0.005, memory: float = 100.0, errors: int = 0) -> Figures:
    return Figures(Waits(10, 200, [0.005] * 200), Waits(10, moves, [wait] * moves), memory, errors=errors)


def test_an_attack_is_held_within_what_is_promised() -> None:
    assert figures(moves=180, wait=0.01, memory=300).verdict() == "passed"
    assert figures(moves=179).verdict() == "moves"
    assert figures(wait=0.011).verdict() == "wait"
    assert figures(memory=301, errors=1).verdict() == "memory, errors"
    assert figures(moves=0).verdict() == "moves, wait"


def test_every_attack_has_its_attackers() -> None:
    assert {attack.kind for attack in ATTACKS.values()} == set(KINDS)


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


def requests(seed: int, count: int = 300) -> list[Ask]:
    pages = Pages(WORLD, "localhost:1", Random(seed))
    return [pages.next() for _ in range(count)]


def bursts(seed: int) -> list[tuple[Place, str]]:
    talk = Frames(WORLD, Random(seed))
    return [(talk.place(), talk.message(SHOWN)) for _ in range(300)]


@pytest.mark.parametrize("draw", [requests, bursts])
def test_the_same_seed_draws_the_same(draw: Callable[[int], object]) -> None:
    assert draw(1) == draw(1) != draw(2)


def test_requests_end_where_they_say() -> None:
    for ask in requests(3):
        head, _blank, body = ask.data.partition(b"\r\n\r\n")
        headers = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
        if headers.get(b"Transfer-Encoding") == b"chunked":
            assert body.endswith(b"0\r\n\r\n")
        else:
            assert len(body) == int(headers.get(b"Content-Length", 0))


def test_every_kind_of_visitor_asks_for_every_address_and_answers_a_table_as_it_is() -> None:
    text = {ask.what.split(" ", 1)[1] for ask in requests(4, 1500)}
    kinds = ("visitor", "guest", "account", "staff", "player", "nobody")
    assert text == {f"{pattern} as {kind}" for pattern, _captures in WORLD["addresses"] for kind in kinds}
    messages = [message for _place, message in bursts(5)]
    assert any('"v": 7' in message and '"move": "6-4"' in message for message in messages)


def test_sockets_are_opened_with_odd_queries_and_too_many_parameters() -> None:
    paths = [place.path for place, _message in bursts(8) if place.what.startswith(("match", "review"))]
    queries = [query for path in paths if (query := path.partition("?")[2])]
    assert any(query.startswith(("at=", "as=")) for query in queries)
    assert any(query.count("&") > 1000 for query in queries)


def test_lists_of_the_administration_are_asked_for_lookups_and_actions() -> None:
    sent = [ask.data for ask in requests(7, 1500) if "admin/" in ask.what]
    assert any(b"created_at__year=" in data.partition(b"\r\n")[0] for data in sent)
    assert any(b"action=hide" in data and b"_selected_action=" in data for data in sent)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (Answer(404, {}), ""),
        (Answer(503, {}), ""),
        (NOTHING, ""),
        (Answer(302, {"location": "/accounts/login/?next=//evil.example/"}), ""),
        (Answer(500, {}), "500"),
        (Answer(302, {"location": "//evil.example/"}), "a redirect elsewhere"),
        (Answer(200, {}, b'<a href="https://evil.example/rules/">'), "a link elsewhere"),
        (Answer(200, {"x-injected": "evil.example"}), "an injected header"),
    ],
)
def test_what_an_answer_must_not_be_is_a_failure(answer: Answer, wrong: str) -> None:
    values = Findings()
    values.judge(Ask(b"GET / HTTP/1.1\r\n\r\n", "GET / as visitor"), answer)
    assert [failure.partition(":")[0] for failure in values.failures] == [wrong] * bool(wrong)


def test_a_socket_closed_as_broken_is_a_failure() -> None:
    values = Findings()
    for code in (1000, 1009, 4404):
        values.close(Place("/", "", "match as guest", has_table=True), code.to_bytes(2))
    assert values.failures == []
    values.close(Place("/", "", "match as guest", has_table=True), (4500).to_bytes(2))
    assert len(values.failures) == 1


def test_what_grows_after_the_warm_up_is_named() -> None:
    level = [Sample(at, 100 + min(at, 30), 60 + at % 7) for at in range(100)]
    assert health.growth(level) == health.growth([Sample(at, 1000 * at, 0) for at in range(10)]) == []
    assert health.growth([Sample(at, 100 + at, 60) for at in range(100)]) == ["memory"]
    assert health.growth([Sample(at, 100, 60 + 3 * at) for at in range(100)]) == ["descriptors"]


def test_a_player_reads_the_moves_off_a_frame_and_sees_the_one_that_was_made(tmp_path: Path) -> None:
    site, screen = Site(tmp_path, size=4000), Screen("http://localhost", "2-one")
    screen.receive(site.frame(site.table("2-one"), 0), 1.0)
    assert (screen.version, screen.status, screen.bytes) == (1, "running", 4000)
    assert screen.moves
    site.move(site.table("2-one"), 0, {"v": 1, "move": screen.moves[0]})
    screen.receive(site.frame(site.table("2-one"), 0), 2.0)
    assert (screen.version, screen.moves) == (2, [])
