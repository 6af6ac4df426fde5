"""Sockets that come and go at every stage of their lives, beside tables that are played: nothing of them may stay.

``python -m benchmarks.churn [--stack services] [--sockets 1500] [--at-once 200] [--tables 8] [--before CHECKOUT]``
opens sockets of people and visitors and aborts each somewhere between half a handshake and a proper goodbye. It prints
what the process holds, as ``/metrics`` tells, before, right after, and when it has had ten seconds to notice.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import stacks
from benchmarks.health import OVERDUE, exceptions, sample
from benchmarks.players import Screen, Table, seed
from benchmarks.wire import CUT_OFF, Line, frame
from tests.programs import ROOT
from tests.server import Server

SETTLED_SECONDS = 15
STAY = ("dominoes_sockets", "dominoes_layer_held")
SPECTATORS = """
from games.models import SpectatorCount
print("spectators", sum(SpectatorCount.objects.values_list("watchers", flat=True)))
"""

Stage = Callable[[Line, str, dict[str, str]], Awaitable[None]]


async def half_asked(line: Line, path: str, headers: dict[str, str]) -> None:
    line.writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgr".encode())


async def asked(line: Line, path: str, headers: dict[str, str]) -> None:
    upgrading = asyncio.ensure_future(line.upgrade(path, headers))
    await asyncio.sleep(0.002)
    upgrading.cancel()


async def open_only(line: Line, path: str, headers: dict[str, str]) -> None:
    await line.upgrade(path, headers)


async def shown(line: Line, path: str, headers: dict[str, str]) -> None:
    await line.upgrade(path, headers)
    await line.frame()


async def acting(line: Line, path: str, headers: dict[str, str]) -> None:
    await shown(line, path, headers)
    for act in ({"type": "seen"}, {"type": "choose", "tile": "6-6"}, {"type": "hint", "hints": "on"}):
        await line.send(frame(json.dumps(act).encode()))


async def goodbye(line: Line, path: str, headers: dict[str, str]) -> None:
    await shown(line, path, headers)
    await line.send(frame(b"\x03\xe8", 8))
    await asyncio.sleep(0.05)


STAGES: tuple[Stage, ...] = (half_asked, asked, open_only, shown, acting, goodbye)


async def come_and_go(server: Server, tables: Sequence[dict[str, Any]], number: int) -> None:
    chance = Random(number)
    table = chance.choice(tables)
    headers = {"Host": f"localhost:{server.port}", "Origin": server.url}
    if chance.random() < 0.5:
        headers["Cookie"] = f"sessionid={chance.choice(table['sessions'])}"
    with suppress(*CUT_OFF):
        line = await Line.open(server.port)
        try:
            async with asyncio.timeout(30):
                await STAGES[number % len(STAGES)](line, f"/ws/match/{table['slug']}/", headers)
        finally:
            line.writer.transport.abort()


async def churn(server: Server, tables: Sequence[dict[str, Any]], sockets: int, at_once: int) -> None:
    room = asyncio.Semaphore(at_once)

    async def one(number: int) -> None:
        async with room:
            await come_and_go(server, tables, number)

    done = await asyncio.gather(*map(one, range(sockets)), return_exceptions=True)
    print("failed to come:", sum(isinstance(each, Exception) for each in done), flush=True)


def held(server: Server) -> dict[str, float]:
    """Return what /metrics tells of sockets and the layer."""
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    found = re.findall(r"^(dominoes_\w+)(\{.*\})? (\S+)$", text, re.MULTILINE)
    return {name.removeprefix("dominoes_") + labels: float(number) for name, labels, number in found if name in STAY}


def tell(server: Server, when: str) -> None:
    now = sample(server.pid)
    known = ", ".join(f"{name} {number:.0f}" for name, number in held(server).items())
    print(f"{when}: {now.memory:.0f} MB, {now.descriptors} descriptors, {known}", flush=True)


async def play(server: Server, seeded: Sequence[dict[str, Any]], given: argparse.Namespace) -> None:
    tables = [Table([Screen(server.url, t["slug"], s) for s in t["sessions"]], Random(1), pause=0.5) for t in seeded]
    for table in tables:
        await table.open()
    playing = asyncio.gather(
        *(table.play(until=time.perf_counter() + 600) for table in tables), return_exceptions=True
    )
    await asyncio.sleep(3)
    await asyncio.to_thread(tell, server, "before")
    began = time.perf_counter()
    for _round in range(given.rounds):
        await churn(server, seeded, given.sockets, given.at_once)
        await asyncio.to_thread(tell, server, f"after {time.perf_counter() - began:.0f} s")
    await asyncio.sleep(SETTLED_SECONDS)
    await asyncio.to_thread(tell, server, "when it has settled, tables still played")
    playing.cancel()
    await asyncio.gather(*(table.close() for table in tables))
    await asyncio.gather(playing, return_exceptions=True)
    await asyncio.sleep(SETTLED_SECONDS)
    await asyncio.to_thread(tell, server, "when everybody has gone")
    print(await asyncio.to_thread(server.manage, "shell", "--no-imports", "-c", SPECTATORS), end="")
    print(f'"{OVERDUE}": {server.log().count(OVERDUE)}; errors: {dict(exceptions(server.log()))}')


def run(root: Path, given: argparse.Namespace) -> None:
    print(root, flush=True)
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), root=root) as server:
        asyncio.run(play(server, seed(server, tables=given.tables), given))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stack", choices=sorted(stacks.STACKS), default="services")
    parser.add_argument("--sockets", type=int, default=1500)
    parser.add_argument("--at-once", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--before", type=Path, help="another checkout, measured first")
    given = parser.parse_args()
    with stacks.started(given.stack):
        for root in filter(None, (given.before, ROOT)):
            stacks.without_limits(root)
            run(root, given)


if __name__ == "__main__":
    main()
