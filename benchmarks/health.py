"""How a server fares under load: its memory, its descriptors, and what its log tells of errors."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.wire import Line, request

WARM_UP = 0.4
"""The share of a run after which memory and descriptors stay where they are."""
FEWEST = 5
"""Samples in each half: a shorter run says nothing."""
MORE_MEMORY, MORE_DESCRIPTORS = 1.1, 1.1
SPARE_MEMORY, SPARE_DESCRIPTORS = 10.0, 30.0
PATIENCE = 10.0
OVERDUE = "took too long to shut down"


@dataclass(frozen=True, slots=True)
class Sample:
    """A moment in seconds, the resident memory in MB, the open descriptors."""

    at: float
    memory: float
    descriptors: int


def resident_of(pid: int) -> int:
    """Return the resident memory of a process in KiB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1])


def sample(pid: int) -> Sample:
    return Sample(time.monotonic(), resident_of(pid) / 1024, sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir()))


async def watch(pid: int, samples: list[Sample], seconds: float = 1.0) -> None:
    """Take samples until cancelled."""
    while True:
        with suppress(OSError):
            samples.append(sample(pid))
        await asyncio.sleep(seconds)


def grows(values: Sequence[float], factor: float, spare: float) -> bool:
    """Return whether, after the warm-up, the second half rises above the first by more than is allowed."""
    warm = values[int(len(values) * WARM_UP) :]
    half = len(warm) // 2
    return half >= FEWEST and max(warm[half:]) > max(warm[:half]) * factor + spare


def growth(samples: Sequence[Sample]) -> list[str]:
    """Name what did not stay flat."""
    memory, descriptors = [each.memory for each in samples], [float(each.descriptors) for each in samples]
    found = {
        "memory": grows(memory, MORE_MEMORY, SPARE_MEMORY),
        "descriptors": grows(descriptors, MORE_DESCRIPTORS, SPARE_DESCRIPTORS),
    }
    return [name for name, is_found in found.items() if is_found]


def course(samples: Sequence[Sample], points: int = 10) -> str:
    """Return memory and descriptors at moments evenly spread over the run."""
    step = max(1, len(samples) // points)
    return ", ".join(f"{each.memory:.0f} MB/{each.descriptors}" for each in [*samples[::step], samples[-1]])


def exceptions(log: str) -> Counter[str]:
    """Return the errors of a log, by the line that says what happened, without names and numbers; how often each came.

    What went on for ten seconds after its socket was gone, until it was killed, is one of them.
    """
    found: Counter[str] = Counter()
    inside = False
    for line in log.splitlines():
        if "Traceback (most recent call last)" in line:
            inside = True
        elif inside and line[:1].strip():
            found[shape(line)] += 1
            inside = False
        elif "[error" in line or "[critical" in line or OVERDUE in line:
            found[shape(line.partition(" ")[2])] += 1
    return found


def shape(line: str) -> str:
    return re.sub(r"<.*>|'[^']*'|\"[^\"]*\"|\d+", "#", line)[:200]


async def probe(port: int, slug: str, hangs: list[str]) -> None:
    """Ask again and again for what is answered at once, from an address of its own, and note where that takes long."""
    while True:
        for what, ask in (("healthz", page), ("a table", table)):
            try:
                async with asyncio.timeout(PATIENCE):
                    await ask(port, slug)
            except TimeoutError:
                hangs.append(f"{what} took more than {PATIENCE:.0f} s")
        await asyncio.sleep(1)


async def page(port: int, _slug: str) -> None:
    line = await Line.open(port, "127.0.0.99")
    await line.ask(request("GET", "/healthz", {"Host": f"localhost:{port}"}))
    line.close()


async def table(port: int, slug: str) -> None:
    line = await Line.open(port, "127.0.0.99")
    headers = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    if await line.upgrade(f"/ws/match/{slug}/", headers) == 101:
        await line.frame()
    line.close()
