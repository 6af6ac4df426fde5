"""Pages of one address that are asked for all at once."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from django.conf import settings
from pytest_django import Settings

from domino_site import page_queue
from domino_site.page_queue import PageQueue
from infrastructure import limits
from infrastructure.limit_settings import parse_place_limits

HERE, THERE = "192.0.2.1", "192.0.2.2"


class Kitchen:
    """An application whose answers begin, and end, when the test says so."""

    def __init__(self) -> None:
        self.at_work: list[str] = []
        self.statuses: list[int] = []
        self.begins, self.ends = asyncio.Event(), asyncio.Event()
        self.pages = PageQueue(self)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.at_work.append(scope["path"])
        await self.begins.wait()
        if scope["path"] == "broken":
            raise RuntimeError("planted")
        await send({"type": "http.response.start"})
        await self.ends.wait()
        await send({"type": "http.response.body"})

    def ask(self, path: str, address: str = HERE, browser: str = "") -> asyncio.Task[None]:
        headers = [(b"cookie", f"{settings.CSRF_COOKIE_NAME}={browser}".encode())] if browser else []
        return asyncio.create_task(
            self.pages({"path": path, "client": [address, 1], "headers": headers}, None, self.get)
        )

    async def get(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.statuses.append(message.get("status", 200))


async def run_pending_tasks() -> None:
    """Let everybody do what can be done now."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def two_at_a_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PLACES = {"pages": parse_place_limits("2 address")}
    monkeypatch.setattr(limits, "MAX_PAUSE_SECONDS", 0.0)


async def test_only_pages_of_the_same_address_wait() -> None:
    kitchen = Kitchen()
    requests = [kitchen.ask(path) for path in "abc"] + [kitchen.ask("d", THERE)]
    await run_pending_tasks()
    assert kitchen.at_work == ["a", "b", "d"]
    kitchen.begins.set()
    await run_pending_tasks()
    assert kitchen.at_work == ["a", "b", "d", "c"]  # nobody waits for a slow browser
    kitchen.ends.set()
    await asyncio.gather(*requests)


async def test_failed_or_cancelled_page_frees_its_place() -> None:
    kitchen = Kitchen()
    broken, given_up, third, fourth = [kitchen.ask(path) for path in ("broken", "b", "c", "d")]
    await run_pending_tasks()
    given_up.cancel()
    await run_pending_tasks()
    assert kitchen.at_work == ["broken", "b", "c"]
    kitchen.begins.set()
    kitchen.ends.set()
    with pytest.raises(RuntimeError, match="planted"):
        await broken
    await asyncio.gather(third, fourth)
    del broken, given_up, third, fourth
    gc.collect()
    assert not kitchen.pages.queues


async def test_address_pauses_as_long_as_its_page_took(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PLACES = {"pages": parse_place_limits("1 address")}
    monkeypatch.setattr(limits, "MAX_PAUSE_SECONDS", 60.0)
    kitchen = Kitchen()
    first, second = kitchen.ask("a"), kitchen.ask("b")
    await asyncio.sleep(0.02)
    kitchen.begins.set()
    kitchen.ends.set()
    await first
    await run_pending_tasks()
    assert kitchen.at_work == ["a"]
    await second


async def test_no_page_waits_without_a_limit(settings: Settings) -> None:
    settings.PLACES = {"pages": parse_place_limits("")}
    kitchen = Kitchen()
    requests = [kitchen.ask(path) for path in "abcd"]
    await run_pending_tasks()
    assert kitchen.at_work == ["a", "b", "c", "d"]
    kitchen.begins.set()
    kitchen.ends.set()
    await asyncio.gather(*requests)


async def test_browser_with_many_pages_does_not_hold_up_the_others_at_its_address(settings: Settings) -> None:
    settings.PLACES = {"pages": parse_place_limits("1 address")}
    kitchen = Kitchen()
    requests = [kitchen.ask(f"greedy {number}", browser="greedy") for number in range(4)]
    requests += [kitchen.ask("modest", browser="modest"), kitchen.ask("new")]
    kitchen.begins.set()
    kitchen.ends.set()
    await asyncio.gather(*requests)
    assert kitchen.at_work == ["greedy 0", "greedy 1", "modest", "new", "greedy 2", "greedy 3"]


async def test_page_that_waits_five_seconds_holds_its_address_up_for_less_than_half_a_second(
    settings: Settings,
) -> None:
    settings.PLACES = {"pages": parse_place_limits("1 address")}
    kitchen = Kitchen()
    loop = asyncio.get_running_loop()
    slow = kitchen.ask("waits for a bot", browser="one")
    await asyncio.sleep(0)
    other, begun = kitchen.ask("other", browser="two"), loop.time()
    while len(kitchen.at_work) < 2:
        await asyncio.sleep(0.01)
        assert loop.time() < begun + 0.5
    kitchen.begins.set()
    kitchen.ends.set()
    await asyncio.gather(slow, other)


async def test_full_queue_drops_a_request_of_the_browser_with_the_most(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLACES = {"pages": parse_place_limits("1 address")}
    monkeypatch.setattr(page_queue, "MAX_WAITING", 3)
    kitchen = Kitchen()
    greedy = [kitchen.ask(f"greedy {number}", browser="greedy") for number in range(4)]
    await run_pending_tasks()
    assert kitchen.statuses == []
    modest = kitchen.ask("modest", browser="modest")
    await run_pending_tasks()
    assert (kitchen.statuses, greedy[3].done()) == ([503], True)
    kitchen.begins.set()
    kitchen.ends.set()
    await asyncio.gather(*greedy, modest)
    assert kitchen.at_work == ["greedy 0", "greedy 1", "modest", "greedy 2"]


async def test_cancelled_request_takes_no_turn(settings: Settings) -> None:
    settings.PLACES = {"pages": parse_place_limits("1 address")}
    kitchen = Kitchen()
    first, second, third = [kitchen.ask(path) for path in "abc"]
    await run_pending_tasks()
    second.cancel()
    kitchen.begins.set()
    kitchen.ends.set()
    await asyncio.gather(first, third)
    assert kitchen.at_work == ["a", "c"]
