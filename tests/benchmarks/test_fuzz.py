"""The fuzzer: what it sends is drawn from its seed, and what is wrong it finds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from benchmarks import health
from benchmarks.fuzz import Findings
from benchmarks.health import Sample
from benchmarks.hostile_frames import Frames, Place
from benchmarks.hostile_pages import Ask, Pages
from benchmarks.wire import NOTHING, Answer

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
    paths = [place.path for place, _message in bursts(6) if place.what.startswith(("match", "review"))]
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
