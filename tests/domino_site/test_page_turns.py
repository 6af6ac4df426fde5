"""Pages of one address that are asked for all at once."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from pytest_django import Settings

from domino_site import page_turns
from domino_site.page_turns import PageTurns
from infrastructure.limit_settings import places

HERE, THERE = "192.0.2.1", "192.0.2.2"


class Kitchen:
    """An application whose answers begin, and end, when the test says so."""

    def __init__(self) -> None:
        self.at_work: list[str] = []
        self.begins, self.ends = asyncio.Event(), asyncio.Event()
        self.pages = PageTurns(self)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.at_work.append(scope["path"])
        await self.begins.wait()
        if scope["path"] == "broken":
            raise RuntimeError("planted")
        await send({"type": "http.response.start"})
        await self.ends.wait()
        await send({"type": "http.response.body"})

    def ask(self, path: str, address: str = HERE) -> asyncio.Task[None]:
        return asyncio.create_task(self.pages({"path": path, "client": [address, 1]}, None, taken))


async def taken(message: Any) -> None:
    pass


async def soon() -> None:
    """Let everybody do what can be done now."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def two_at_a_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PLACES = {"pages": places("2 address")}
    monkeypatch.setattr(page_turns, "LONGEST_REST", 0.0)


async def test_one_address_waits_for_its_turn_and_others_do_not() -> None:
    kitchen = Kitchen()
    asked = [kitchen.ask(path) for path in "abc"] + [kitchen.ask("d", THERE)]
    await soon()
    assert kitchen.at_work == ["a", "b", "d"]
    kitchen.begins.set()
    await soon()
    assert kitchen.at_work == ["a", "b", "d", "c"]  # nobody waits for a slow browser
    kitchen.ends.set()
    await asyncio.gather(*asked)


async def test_a_page_that_breaks_or_is_given_up_leaves_its_place() -> None:
    kitchen = Kitchen()
    broken, given_up, third, fourth = [kitchen.ask(path) for path in ("broken", "b", "c", "d")]
    await soon()
    given_up.cancel()
    await soon()
    assert kitchen.at_work == ["broken", "b", "c"]
    kitchen.begins.set()
    kitchen.ends.set()
    with pytest.raises(RuntimeError, match="planted"):
        await broken
    await asyncio.gather(third, fourth)
    del broken, given_up, third, fourth
    gc.collect()
    assert not kitchen.pages.turns


async def test_after_a_page_the_others_have_as_much_time_as_it_took(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLACES = {"pages": places("1 address")}
    monkeypatch.setattr(page_turns, "LONGEST_REST", 60.0)
    kitchen = Kitchen()
    first, second = kitchen.ask("a"), kitchen.ask("b")
    await asyncio.sleep(0.02)
    kitchen.begins.set()
    kitchen.ends.set()
    await first
    await soon()
    assert kitchen.at_work == ["a"]
    await second


async def test_without_a_setting_nobody_waits(settings: Settings) -> None:
    settings.PLACES = {"pages": places("")}
    kitchen = Kitchen()
    asked = [kitchen.ask(path) for path in "abcd"]
    await soon()
    assert kitchen.at_work == ["a", "b", "c", "d"]
    kitchen.begins.set()
    kitchen.ends.set()
    await asyncio.gather(*asked)
