"""Hostile requests and frames against a site of its own, which must answer all of them and stay healthy.

``python benchmarks/fuzz.py [--requests 50000] [--api 50000] [--frames 200000] [--seed 1] [--only sqlite] [--limits]``
exits with 1 if a response was 500, the server's log contains an exception, memory or descriptors still grow after the
warm-up, or something hung. Everything that is sent follows from the seed; the order of its arrival does not. Rate
limits are off so that they hide nothing, unless ``--limits`` is given. Loopback only, from sixteen addresses.
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

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")

from benchmarks import health
from benchmarks.hostile import FOREIGN_HOST
from benchmarks.hostile_api import ApiRequestGenerator
from benchmarks.hostile_frames import FrameGenerator, SocketTarget
from benchmarks.hostile_pages import HostileRequest, RequestGenerator
from benchmarks.stacks import SERVICE_SETUPS, disable_limits, running_services
from benchmarks.wire import (
    CLOSE,
    CONNECTION_ERRORS,
    CONNECTION_LOST,
    NO_RESPONSE,
    TEXT,
    Connection,
    InvalidResponse,
    Response,
    encode_frame,
)
from tests.programs import ROOT
from tests.server import Server

ADDRESS_COUNT = 16
PAGE_CLIENTS, SOCKET_CLIENTS = 16, 80
# A socket takes 20 messages at once and then 5 a second, so a burst follows every few seconds.
FRAMES_PER_BURST, BURST_INTERVAL_SECONDS = 16, 3.2
BURSTS_PER_SOCKET = 16
SOCKETS_OPENED_PER_SECOND = 5
HANG_SECONDS = 30.0
FIRST_FRAME_SECONDS = 10.0
BUG_CLOSE_CODE = 4500  # the close code for a bug of the site
OVERDUE_LOG_TEXT = "took too long to shut down"  # logged of a socket whose task had to be killed
MAX_PRINTED_PER_KIND = 3
FOREIGN_LINKS = (f'href="https://{FOREIGN_HOST}'.encode(), f'action="https://{FOREIGN_HOST}'.encode())


@dataclass
class Findings:
    """Answers to one kind of attack, and everything that is wrong with them."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    samples: list[health.Sample] = field(default_factory=list)
    # For each endpoint of the API, the number of answers by status.
    answers_by_endpoint: dict[str, Counter[int]] = field(default_factory=dict)
    sent: int = 0

    def check_response(self, request: HostileRequest, response: Response) -> None:
        """Count a response and record its failures."""
        self.answers["cut" if response.status == CONNECTION_LOST else str(response.status)] += 1
        location = response.headers.get("location", "")
        checks = {
            "500": response.status >= 500 and response.status != 503,
            "an injected header": "x-injected" in response.headers,
            "a redirect elsewhere": location.startswith((f"https://{FOREIGN_HOST}", "//", "/\\")),
            "a link elsewhere": any(link in response.body for link in FOREIGN_LINKS),
        }
        self.failures += [f"{name}: {request}" for name, is_wrong in checks.items() if is_wrong]

    def check_close_code(self, target: SocketTarget, payload: bytes) -> None:
        """Count the code with which a socket was closed."""
        code = int.from_bytes(payload[:2])
        self.answers[f"closed {code}"] += 1
        self.failures += [f"closed with {code}: {target.description}: {target.path}"] * (code == BUG_CLOSE_CODE)


async def fuzz_pages(server: Server, world: dict[str, Any], count: int, seed: int, findings: Findings) -> None:
    """Send requests from sixteen addresses at once."""
    tickets = iter(range(count))
    clients = [
        RequestGenerator(world, f"localhost:{server.port}", Random(f"{seed} pages {n}")) for n in range(PAGE_CLIENTS)
    ]
    await asyncio.gather(
        *(send_requests(server.port, client, n, tickets, findings) for n, client in enumerate(clients))
    )


async def fuzz_api(server: Server, world: dict[str, Any], count: int, seed: int, findings: Findings) -> None:
    """Send requests to the API, with tokens and without, from sixteen addresses at once."""
    tickets = iter(range(count))
    clients = [
        ApiRequestGenerator(world, f"localhost:{server.port}", Random(f"{seed} api {n}")) for n in range(PAGE_CLIENTS)
    ]
    await asyncio.gather(
        *(send_requests(server.port, client, n, tickets, findings) for n, client in enumerate(clients))
    )


async def send_requests(
    port: int,
    requests: RequestGenerator | ApiRequestGenerator,
    number: int,
    tickets: Iterator[int],
    findings: Findings,
) -> None:
    connection, before = None, None
    for _ticket in tickets:
        connection = connection or await Connection.open(port, client_address(number))
        request = requests.next_request()
        findings.sent += 1
        response = await send_and_check(request, before, connection, findings)
        before = request
        if isinstance(requests, ApiRequestGenerator):
            requests.read_response(response)
            findings.answers_by_endpoint.setdefault(requests.endpoint, Counter())[response.status] += 1
        if response.status == CONNECTION_LOST or "close" in response.headers.get("connection", "").lower():
            connection.close()
            connection, before = None, None


async def send_and_check(
    request: HostileRequest, before: HostileRequest | None, connection: Connection, findings: Findings
) -> Response:
    try:
        response = await asyncio.wait_for(connection.exchange(request.data), HANG_SECONDS)
    except TimeoutError:
        findings.hangs.append(f"no response in {HANG_SECONDS:.0f} s: {request}")
        return NO_RESPONSE
    except InvalidResponse as error:
        findings.failures.append(f"invalid response: {error} after {before}")
        return NO_RESPONSE
    findings.check_response(request, response)
    return response


def client_address(client: int) -> str:
    return f"127.0.0.{client % ADDRESS_COUNT + 2}"


async def fuzz_sockets(server: Server, world: dict[str, Any], count: int, seed: int, findings: Findings) -> None:
    """Send frames over sockets of sixteen addresses at once."""
    clients = [FrameGenerator(world, Random(f"{seed} frames {n}")) for n in range(SOCKET_CLIENTS)]
    await asyncio.gather(
        *(fuzz_sockets_in_turn(server.port, client, n, count, findings) for n, client in enumerate(clients))
    )


async def fuzz_sockets_in_turn(
    port: int, generator: FrameGenerator, number: int, count: int, findings: Findings
) -> None:
    await asyncio.sleep(number / SOCKETS_OPENED_PER_SECOND)
    while findings.sent < count:
        target = generator.next_target()
        connection = await Connection.open(port, client_address(number))
        with suppress(*CONNECTION_ERRORS):
            await fuzz_socket(connection, port, target, generator, findings)
        connection.close()


async def fuzz_socket(
    connection: Connection, port: int, target: SocketTarget, generator: FrameGenerator, findings: Findings
) -> None:
    """Open a socket, read what it shows, send bursts, and wait for its end."""
    site = f"localhost:{port}"
    headers = {"Host": site, "Origin": f"http://{site}", "Cookie": f"sessionid={target.session}"}
    try:
        status = await asyncio.wait_for(connection.open_websocket(target.path, headers), HANG_SECONDS)
        findings.answers["cut" if status == CONNECTION_LOST else str(status)] += 1
        if status != 101:
            if status >= 500 and status != 503:
                findings.failures.append(f"{status}: {target.description}: {target.path}")
            return
        table = await read_first_table(connection, target)
        for _ in range(BURSTS_PER_SOCKET):
            burst = generator.burst(FRAMES_PER_BURST, table)
            findings.sent += len(burst)
            await connection.send(b"".join(burst))
            table = await read_until_next_burst(connection, target, findings) or table
        await connection.send(encode_frame((1000).to_bytes(2), CLOSE))
        await asyncio.wait_for(read_until_closed(connection, target, findings), HANG_SECONDS)
    except TimeoutError:
        findings.hangs.append(f"no frame in time: {target.description}: {target.path}")


async def read_first_table(connection: Connection, target: SocketTarget) -> str:
    """Return the first frame that shows a table, "" if the socket shows none."""
    payload = b""
    while b"data-status" not in payload and target.has_table:
        opcode, payload = await asyncio.wait_for(connection.read_frame(), FIRST_FRAME_SECONDS)
        if opcode == CLOSE:
            return ""
    return payload.decode(errors="replace")


async def read_until_next_burst(connection: Connection, target: SocketTarget, findings: Findings) -> str:
    """Read until the socket takes the next burst; return the last frame that shows a table, "" if none does."""
    table = ""
    with suppress(TimeoutError):
        async with asyncio.timeout(BURST_INTERVAL_SECONDS):
            while True:
                opcode, payload = await connection.read_frame()
                findings.answers["frames back"] += opcode == TEXT
                if opcode == CLOSE:
                    findings.check_close_code(target, payload)
                if b"data-status" in payload:
                    table = payload.decode(errors="replace")
    return table


async def read_until_closed(connection: Connection, target: SocketTarget, findings: Findings) -> None:
    """Read to the end, which raises one of CUT_OFF."""
    while True:
        opcode, payload = await connection.read_frame()
        if opcode == CLOSE:
            findings.check_close_code(target, payload)


Fuzzer = Callable[[Server, dict[str, Any], int, int, Findings], Awaitable[None]]


async def run_fuzzer(kind: Fuzzer, server: Server, world: dict[str, Any], count: int, seed: int) -> Findings:
    """Send everything of a kind and watch the server's health meanwhile."""
    findings = Findings()
    watching = [
        asyncio.create_task(health.collect_samples(server.pid, findings.samples)),
        asyncio.create_task(health.probe_response_times(server.port, world["slugs"]["running"][0], findings.hangs)),
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


def fuzz_setup(server: Server, arguments: argparse.Namespace) -> list[str]:
    """Attack one stack; return everything that is wrong with it."""
    world, failures = create_world(server), []
    for what, kind, count in (
        ("requests", fuzz_pages, arguments.requests),
        ("requests to the API", fuzz_api, arguments.api),
        ("frames", fuzz_sockets, arguments.frames),
    ):
        if not count:
            continue
        begin = time.monotonic()
        findings = asyncio.run(run_fuzzer(kind, server, world, count, arguments.seed))
        seconds = time.monotonic() - begin
        answers = ", ".join(f"{name} x {number}" for name, number in sorted(findings.answers.items()))
        print(f"{findings.sent} hostile {what} ({findings.sent / seconds:.0f}/s): {answers}")
        print(f"   memory/descriptors: {health.format_samples(findings.samples)}", flush=True)
        failures += [*findings.failures, *findings.hangs]
        for endpoint, statuses in sorted(findings.answers_by_endpoint.items()):
            print(f"   {endpoint}: {dict(sorted(statuses.items()))}", flush=True)
        failures += [f"{what}: {name} still grows" for name in health.growing_resources(findings.samples)]
    overdue = [line for line in server.log().splitlines() if OVERDUE_LOG_TEXT in line]
    return failures + [f"in the log: {line}" for line in [*server.errors(), *overdue]]


def create_world(server: Server) -> dict[str, Any]:
    """Fill the database and return its content."""
    command = [sys.executable, "-m", "benchmarks.fuzz_world"]
    output = subprocess.check_output(command, env=server.environment, cwd=ROOT, text=True)
    world: dict[str, Any] = json.loads(output)
    return world


def print_failures(failures: Sequence[str], log: Path) -> None:
    """Print the first few failures of each kind."""
    kinds: dict[str, list[str]] = {}
    for failure in failures:
        kinds.setdefault(failure.partition(":")[0], []).append(failure)
    for kind, of_a_kind in kinds.items():
        print(f"   {len(of_a_kind)} x {kind}", *of_a_kind[:MAX_PRINTED_PER_KIND], sep="\n      ")
    print(f"FAILED, the log: {log}" if failures else "passed", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--api", type=int, default=50_000)
    parser.add_argument("--frames", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=SERVICE_SETUPS)
    parser.add_argument("--limits", action="store_true", help="leave the limits of the site as they are")
    arguments = parser.parse_args()
    if not arguments.limits:
        disable_limits()
    have_passed = True
    for name in [arguments.only] if arguments.only else SERVICE_SETUPS:
        folder = Path(mkdtemp(prefix="dominoes-fuzz-"))
        with running_services(name), Server(folder) as server:
            failures = fuzz_setup(server, arguments)
        print_failures(failures, server.log_path)
        have_passed &= not failures
        if not failures:
            shutil.rmtree(folder)
    return 0 if have_passed else 1


if __name__ == "__main__":
    sys.exit(main())
