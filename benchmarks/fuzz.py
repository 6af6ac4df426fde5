"""Hostile requests and frames against a site of its own, which must answer all of them and stay healthy.

``python benchmarks/fuzz.py [--requests 50000] [--frames 200000] [--seed 1] [--only sqlite] [--limits]`` exits
with 1 if an answer was 500, the server's log contains an exception, memory or descriptors still grow after the
warm-up, or something hung. Everything that is sent follows from the seed; the order of its arrival does not. Rate
limits are off so that they hide nothing, unless ``--limits`` is given. Loopback only, from sixteen addresses.
"""

from __future__ import annotations

import argparse
import asyncio
import json
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

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import health
from benchmarks.hostile import ELSEWHERE
from benchmarks.hostile_frames import Frames, Place
from benchmarks.hostile_pages import Ask, Pages
from benchmarks.stacks import STACKS, started, without_limits
from benchmarks.wire import CLOSE, CUT, CUT_OFF, NOTHING, TEXT, Answer, Garbled, Line, frame
from tests.programs import ROOT
from tests.server import Server

ADDRESSES = 16
PAGE_CLIENTS, SOCKET_CLIENTS = 16, 80
# A socket takes 20 messages at once and then 5 a second, so a burst follows every few seconds.
FRAMES_PER_BURST, BURST_SECONDS = 16, 3.2
BURSTS_PER_SOCKET = 16
SOCKETS_OPENED_PER_SECOND = 5
HANG_SECONDS = 30.0
FIRST_FRAME_SECONDS = 10.0
SOCKET_BROKEN = 4500  # the close code for a bug of the site
OVERDUE = "took too long to shut down"  # logged of a socket whose task had to be killed
PRINTED_OF_A_KIND = 3
FOREIGN_LINKS = (f'href="https://{ELSEWHERE}'.encode(), f'action="https://{ELSEWHERE}'.encode())


@dataclass
class Findings:
    """Answers to one kind of attack, and everything that is wrong with them."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    samples: list[health.Sample] = field(default_factory=list)
    sent: int = 0

    def judge(self, ask: Ask, answer: Answer) -> None:
        """Count an answer and note its failures."""
        self.answers["cut" if answer.status == CUT else str(answer.status)] += 1
        location = answer.headers.get("location", "")
        checks = {
            "500": answer.status >= 500 and answer.status != 503,
            "an injected header": "x-injected" in answer.headers,
            "a redirect elsewhere": location.startswith((f"https://{ELSEWHERE}", "//", "/\\")),
            "a link elsewhere": any(link in answer.body for link in FOREIGN_LINKS),
        }
        self.failures += [f"{name}: {ask.what}: {ask.data[:300]!r}" for name, is_wrong in checks.items() if is_wrong]

    def close(self, place: Place, payload: bytes) -> None:
        """Count the code with which a socket was closed."""
        code = int.from_bytes(payload[:2])
        self.answers[f"closed {code}"] += 1
        self.failures += [f"closed with {code}: {place.what}: {place.path}"] * (code == SOCKET_BROKEN)


async def pages(server: Server, world: dict[str, Any], count: int, seed: int, findings: Findings) -> None:
    """Send requests from sixteen addresses at once."""
    tickets = iter(range(count))
    clients = [Pages(world, f"localhost:{server.port}", Random(f"{seed} pages {n}")) for n in range(PAGE_CLIENTS)]
    await asyncio.gather(*(ask_on(server.port, client, n, tickets, findings) for n, client in enumerate(clients)))


async def ask_on(port: int, requests: Pages, number: int, tickets: Iterator[int], findings: Findings) -> None:
    line, before = None, None
    for _ticket in tickets:
        line = line or await Line.open(port, address(number))
        ask = requests.next()
        findings.sent += 1
        answer = await answer_to(ask, before, line, findings)
        before = ask
        if answer.status == CUT or "close" in answer.headers.get("connection", "").lower():
            line.close()
            line, before = None, None


async def answer_to(ask: Ask, before: Ask | None, line: Line, findings: Findings) -> Answer:
    try:
        answer = await asyncio.wait_for(line.ask(ask.data), HANG_SECONDS)
    except TimeoutError:
        findings.hangs.append(f"no answer in {HANG_SECONDS:.0f} s: {ask.what}: {ask.data[:300]!r}")
        return NOTHING
    except Garbled as garbled:
        findings.failures.append(f"garbled: {garbled} after {before}")
        return NOTHING
    findings.judge(ask, answer)
    return answer


def address(client: int) -> str:
    return f"127.0.0.{client % ADDRESSES + 2}"


async def frames(server: Server, world: dict[str, Any], count: int, seed: int, findings: Findings) -> None:
    """Send frames over sockets of sixteen addresses at once."""
    clients = [Frames(world, Random(f"{seed} frames {n}")) for n in range(SOCKET_CLIENTS)]
    await asyncio.gather(*(talk_on(server.port, client, n, count, findings) for n, client in enumerate(clients)))


async def talk_on(port: int, talk: Frames, number: int, count: int, findings: Findings) -> None:
    await asyncio.sleep(number / SOCKETS_OPENED_PER_SECOND)
    while findings.sent < count:
        place = talk.place()
        line = await Line.open(port, address(number))
        with suppress(*CUT_OFF):
            await talk_once(line, port, place, talk, findings)
        line.close()


async def talk_once(line: Line, port: int, place: Place, talk: Frames, findings: Findings) -> None:
    """Open a socket, read what it shows, send bursts, and wait for its end."""
    site = f"localhost:{port}"
    headers = {"Host": site, "Origin": f"http://{site}", "Cookie": f"sessionid={place.session}"}
    try:
        status = await asyncio.wait_for(line.upgrade(place.path, headers), HANG_SECONDS)
        findings.answers["cut" if status == CUT else str(status)] += 1
        if status != 101:
            findings.failures += [f"{status}: {place.what}: {place.path}"] * (status >= 500 and status != 503)
            return
        table = await first_table(line, place)
        for _ in range(BURSTS_PER_SOCKET):
            burst = talk.burst(FRAMES_PER_BURST, table)
            findings.sent += len(burst)
            await line.send(b"".join(burst))
            table = await read_answers(line, place, findings) or table
        await line.send(frame((1000).to_bytes(2), CLOSE))
        await asyncio.wait_for(drain(line, place, findings), HANG_SECONDS)
    except TimeoutError:
        findings.hangs.append(f"no frame in time: {place.what}: {place.path}")


async def first_table(line: Line, place: Place) -> str:
    """Return the first frame that shows a table, "" if the socket shows none."""
    payload = b""
    while b"data-status" not in payload and place.has_table:
        opcode, payload = await asyncio.wait_for(line.frame(), FIRST_FRAME_SECONDS)
        if opcode == CLOSE:
            return ""
    return payload.decode(errors="replace")


async def read_answers(line: Line, place: Place, findings: Findings) -> str:
    """Read until the socket takes the next burst; return the last frame that shows a table, "" if none does."""
    table = ""
    with suppress(TimeoutError):
        async with asyncio.timeout(BURST_SECONDS):
            while True:
                opcode, payload = await line.frame()
                findings.answers["frames back"] += opcode == TEXT
                if opcode == CLOSE:
                    findings.close(place, payload)
                if b"data-status" in payload:
                    table = payload.decode(errors="replace")
    return table


async def drain(line: Line, place: Place, findings: Findings) -> None:
    """Read to the end, which raises one of CUT_OFF."""
    while True:
        opcode, payload = await line.frame()
        if opcode == CLOSE:
            findings.close(place, payload)


Kind = Callable[[Server, dict[str, Any], int, int, Findings], Awaitable[None]]


async def attack(kind: Kind, server: Server, world: dict[str, Any], count: int, seed: int) -> Findings:
    """Send everything of a kind and watch the server's health meanwhile."""
    findings = Findings()
    watching = [
        asyncio.create_task(health.watch(server.pid, findings.samples)),
        asyncio.create_task(health.probe(server.port, world["slugs"]["running"][0], findings.hangs)),
    ]
    try:
        await kind(server, world, count, seed, findings)
    finally:
        for task in watching:
            task.cancel()
    for result in await asyncio.gather(*watching, return_exceptions=True):
        if isinstance(result, Exception):
            findings.failures.append(f"the site could not be asked: {result!r}")
    return findings


def run(server: Server, arguments: argparse.Namespace) -> list[str]:
    """Attack one stack; return everything that is wrong with it."""
    world, failures = furnish(server), []
    for what, kind, count in (("requests", pages, arguments.requests), ("frames", frames, arguments.frames)):
        begin = time.monotonic()
        findings = asyncio.run(attack(kind, server, world, count, arguments.seed))
        seconds = time.monotonic() - begin
        answers = ", ".join(f"{name} x {number}" for name, number in sorted(findings.answers.items()))
        print(f"{findings.sent} hostile {what} ({findings.sent / seconds:.0f}/s): {answers}")
        print(f"   memory/descriptors: {health.course(findings.samples)}", flush=True)
        failures += [*findings.failures, *findings.hangs]
        failures += [f"{what}: {name} still grows" for name in health.growth(findings.samples)]
    overdue = [line for line in server.log().splitlines() if OVERDUE in line]
    return failures + [f"in the log: {line}" for line in [*server.errors(), *overdue]]


def furnish(server: Server) -> dict[str, Any]:
    """Fill the database and return its content."""
    command = [sys.executable, "-m", "benchmarks.fuzz_world"]
    output = subprocess.check_output(command, env=server.environment, cwd=ROOT, text=True)
    world: dict[str, Any] = json.loads(output)
    return world


def report(failures: Sequence[str], log: Path) -> None:
    """Print the first few failures of each kind."""
    kinds: dict[str, list[str]] = {}
    for failure in failures:
        kinds.setdefault(failure.partition(":")[0], []).append(failure)
    for kind, of_a_kind in kinds.items():
        print(f"   {len(of_a_kind)} x {kind}", *of_a_kind[:PRINTED_OF_A_KIND], sep="\n      ")
    print(f"NOT HELD, the log: {log}" if failures else "held", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--frames", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=STACKS)
    parser.add_argument("--limits", action="store_true", help="leave the limits of the site as they are")
    arguments = parser.parse_args()
    if not arguments.limits:
        without_limits()
    has_held = True
    for name in [arguments.only] if arguments.only else STACKS:
        folder = Path(mkdtemp(prefix="dominoes-fuzz-"))
        with started(name), Server(folder) as server:
            failures = run(server, arguments)
        report(failures, server.log_path)
        has_held &= not failures
        if not failures:
            shutil.rmtree(folder)
    return 0 if has_held else 1


if __name__ == "__main__":
    sys.exit(main())
