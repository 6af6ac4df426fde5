"""Hostile requests and frames against a site of its own, which must answer all of them and stay well.

``python benchmarks/fuzz.py [--requests 50000] [--frames 200000] [--seed 1] [--tree PATH] [--only sqlite] [--limits]``
exits with 1 if an answer was 500, the server's log tells of an exception, memory or descriptors still grow after the
warm-up, or something hung. What is sent is drawn from the seed; in which order it arrives is not. Limits are set so
high that they hide nothing; with ``--limits`` they are those of the site. Loopback only, from sixteen addresses.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import health  # noqa: E402
from benchmarks.hostile import ELSEWHERE  # noqa: E402
from benchmarks.hostile_frames import Frames, Place  # noqa: E402
from benchmarks.hostile_pages import Ask, Pages  # noqa: E402
from benchmarks.stacks import STACKS, started, without_limits  # noqa: E402
from benchmarks.wire import CLOSE, CUT, CUT_OFF, NOTHING, TEXT, Answer, Garbled, Line, frame  # noqa: E402
from tests.programs import python  # noqa: E402
from tests.server import Server  # noqa: E402

ADDRESSES = 16
ASKERS, TALKERS = 16, 32
BURST = 16
PATIENCE = 30.0
SHOWN_WITHIN = 10.0
PAUSE = 2.0
BROKEN = 4500
MOST_TOLD = 3
PROGRESS = 10
LED_AWAY = (f'href="https://{ELSEWHERE}'.encode(), f'action="https://{ELSEWHERE}'.encode())


@dataclass
class Findings:
    """What came back from one kind of attack."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    samples: list[health.Sample] = field(default_factory=list)
    sent: int = 0

    def judge(self, ask: Ask, answer: Answer) -> None:
        """Note an answer, and what is wrong with it."""
        self.answers["cut" if answer.status == CUT else str(answer.status)] += 1
        wrong = {
            "500": answer.status >= 500 and answer.status != 503,
            "an injected header": "x-injected" in answer.headers,
            "a redirect elsewhere": answer.headers.get("location", "").startswith(
                (f"https://{ELSEWHERE}", "//", "/\\")
            ),
            "a link elsewhere": any(link in answer.body for link in LED_AWAY),
        }
        self.failures += [f"{name}: {ask.what}: {ask.data[:300]!r}" for name, is_wrong in wrong.items() if is_wrong]

    def close(self, place: Place, payload: bytes) -> None:
        """Note the code with which a socket was closed."""
        code = int.from_bytes(payload[:2])
        self.answers[f"closed {code}"] += 1
        self.failures += [f"closed with {code}: {place.what}: {place.path}"] * (code == BROKEN)


async def pages(server: Server, world: dict[str, Any], count: int, seed: int, found: Findings) -> None:
    """Send so many requests, from sixteen addresses at once."""
    tickets = iter(range(count))
    clients = (Pages(world, f"localhost:{server.port}", Random(f"{seed} pages {number}")) for number in range(ASKERS))
    await asyncio.gather(*(ask_on(server.port, each, n, tickets, found) for n, each in enumerate(clients)))


async def ask_on(port: int, requests: Pages, number: int, tickets: Iterator[int], found: Findings) -> None:
    line, before = None, None
    for _ticket in tickets:
        line = line or await Line.open(port, address(number))
        ask = requests.next()
        found.sent += 1
        answer = await answer_to(ask, before, line, found)
        before = ask
        if answer.status == CUT or "close" in answer.headers.get("connection", "").lower():
            line.close()
            line, before = None, None


async def answer_to(ask: Ask, before: Ask | None, line: Line, found: Findings) -> Answer:
    try:
        answer = await asyncio.wait_for(line.ask(ask.data), PATIENCE)
    except TimeoutError:
        found.hangs.append(f"no answer in {PATIENCE:.0f} s: {ask.what}: {ask.data[:300]!r}")
        return NOTHING
    except Garbled as garbled:
        found.failures.append(f"garbled: {garbled} after {before}")
        return NOTHING
    found.judge(ask, answer)
    return answer


def address(client: int) -> str:
    return f"127.0.0.{client % ADDRESSES + 2}"


async def frames(server: Server, world: dict[str, Any], count: int, seed: int, found: Findings) -> None:
    """Send so many frames, over sockets of sixteen addresses at once."""
    tickets = iter(range(0, count, BURST))
    clients = (Frames(world, Random(f"{seed} frames {number}")) for number in range(TALKERS))
    await asyncio.gather(*(talk_on(server.port, each, n, tickets, found) for n, each in enumerate(clients)))


async def talk_on(port: int, talk: Frames, number: int, tickets: Iterator[int], found: Findings) -> None:
    for _ticket in tickets:
        place = talk.place()
        line = await Line.open(port, address(number))
        with suppress(*CUT_OFF):
            await talk_once(line, port, place, talk, found)
        line.close()


async def talk_once(line: Line, port: int, place: Place, talk: Frames, found: Findings) -> None:
    """Open a socket, look at what it shows, send a burst, and wait for the end of it."""
    headers = {
        "Host": f"localhost:{port}",
        "Origin": f"http://localhost:{port}",
        "Cookie": f"sessionid={place.session}",
    }
    try:
        status = await asyncio.wait_for(line.upgrade(place.path, headers), PATIENCE)
        found.answers["cut" if status == CUT else str(status)] += 1
        if status != 101:
            found.failures += [f"{status}: {place.what}: {place.path}"] * (status >= 500 and status != 503)
            return
        burst = talk.burst(BURST, await first_table(line, place))
        found.sent += len(burst)
        await line.send(b"".join(burst))
        await hear(line, place, found)
        await line.send(frame((1000).to_bytes(2), CLOSE))
        await asyncio.wait_for(drain(line, place, found), PATIENCE)
    except TimeoutError:
        found.hangs.append(f"no frame in time: {place.what}: {place.path}")


async def first_table(line: Line, place: Place) -> str:
    """Return the table that a socket shows first, "" where it shows none."""
    shown = b""
    while b"data-status" not in shown and place.has_table:
        opcode, shown = await asyncio.wait_for(line.frame(), SHOWN_WITHIN)
        if opcode == CLOSE:
            return ""
    return shown.decode(errors="replace")


async def hear(line: Line, place: Place, found: Findings) -> None:
    """Wait until most of a burst is answered; what nobody answers may take a moment, but only that."""
    heard = 0
    with suppress(TimeoutError):
        while heard < BURST // 2:
            opcode, payload = await asyncio.wait_for(line.frame(), PAUSE)
            heard += opcode == TEXT
            if opcode == CLOSE:
                found.close(place, payload)
    found.answers["frames back"] += heard


async def drain(line: Line, place: Place, found: Findings) -> None:
    """Read to the end, and note how it ended."""
    while True:
        opcode, payload = await line.frame()
        if opcode == CLOSE:
            found.close(place, payload)


Kind = Callable[[Server, dict[str, Any], int, int, Findings], Awaitable[None]]


async def attack(kind: Kind, server: Server, world: dict[str, Any], count: int, seed: int) -> Findings:
    """Send all of a kind, and look after the server meanwhile."""
    found = Findings()
    pid = server.pid
    beside = [
        asyncio.create_task(health.watch(pid, found.samples)),
        asyncio.create_task(health.probe(server.port, world["slugs"]["running"][0], found.hangs)),
        asyncio.create_task(progress(found, count)),
    ]
    try:
        await kind(server, world, count, seed, found)
    finally:
        for task in beside:
            task.cancel()
    for ended in await asyncio.gather(*beside, return_exceptions=True):
        if isinstance(ended, Exception):
            found.failures.append(f"the site could not be asked: {ended!r}")
    return found


async def progress(found: Findings, count: int) -> None:
    begun = time.monotonic()
    while True:
        await asyncio.sleep(PROGRESS)
        rate = found.sent / (time.monotonic() - begun)
        print(f"   {found.sent} of {count}, {rate:.0f}/s", file=sys.stderr, flush=True)


def tell(what: str, found: Findings, seconds: float) -> list[str]:
    """Print what came back, and return what is wrong."""
    answers = ", ".join(f"{name} x {count}" for name, count in sorted(found.answers.items()))
    wrong = [*found.failures, *found.hangs, *(f"{what}: {each} still grow" for each in health.growth(found.samples))]
    print(f"{found.sent} hostile {what} in {seconds:.0f} s ({found.sent / seconds:.0f}/s): {answers}")
    print(f"   memory/descriptors: {health.course(found.samples)}")
    print(f"   {len(found.failures)} failures, {len(found.hangs)} hangs", flush=True)
    return wrong


def run(server: Server, given: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with one stack."""
    world = furnish(server)
    wrong = []
    for what, kind, count in (("requests", pages, given.requests), ("frames", frames, given.frames)):
        begun = time.monotonic()
        found = asyncio.run(attack(kind, server, world, count, given.seed))
        wrong += tell(what, found, time.monotonic() - begun)
    logged = health.exceptions(server.log())
    return wrong + [f"in the log: {count} times {what}" for what, count in logged.most_common()]


def furnish(server: Server) -> dict[str, Any]:
    """Fill the database, by the code of the checkout that serves, and return what is there."""
    command = [python(server.root), str(ROOT / "benchmarks" / "fuzz_world.py")]
    environment = server.environment | {"PYTHONPATH": os.pathsep.join((str(server.root), str(ROOT)))}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    world: dict[str, Any] = json.loads(done.stdout)
    return world


def report(wrong: Sequence[str], log: Path) -> None:
    """Print what is wrong, the first few of each kind."""
    kinds: dict[str, list[str]] = {}
    for each in wrong:
        kinds.setdefault(each.partition(":")[0], []).append(each)
    for kind, found in kinds.items():
        print(f"   {len(found)} x {kind}")
        for each in found[:MOST_TOLD]:
            print(f"      {each}")
    print("held" if not wrong else f"NOT HELD, the log: {log}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--frames", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to fuzz (default: this one)")
    parser.add_argument("--only", choices=STACKS)
    parser.add_argument("--limits", action="store_true", help="leave the limits of the site as they are")
    given = parser.parse_args()
    held = True
    for name in [given.only] if given.only else STACKS:
        folder = Path(mkdtemp(prefix="dominoes-fuzz-"))
        root = given.tree.resolve()
        if not given.limits:
            without_limits(root)
        with started(name), Server(folder, root=root) as server:
            wrong = run(server, given)
        report(wrong, server.log_path)
        if not wrong:
            shutil.rmtree(folder)
        held &= not wrong
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
