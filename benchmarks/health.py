"""The health of a server under load: memory, descriptors and hangs."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.wire import Connection, encode_request

WARM_UP_SHARE = 0.4  # share of a run in which memory and descriptors may grow
MIN_SAMPLES = 5  # in each half of the rest; shorter runs are not judged
GROWTH_FACTOR = 1.1
SPARE_MEMORY_MB = 10.0
SPARE_DESCRIPTORS = 30.0
PROBE_ADDRESS = "127.0.0.99"
MAX_PROBE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Sample:
    """Resident memory in MB and open descriptors at a moment in seconds."""

    time: float
    memory_mb: float
    descriptors: int


def resident_kib(pid: int) -> int:
    """Return the resident memory of a process in KiB."""
    match = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert match
    return int(match[1])


def take_sample(pid: int) -> Sample:
    return Sample(time.monotonic(), resident_kib(pid) / 1024, sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir()))


async def collect_samples(pid: int, samples: list[Sample], seconds: float = 1.0) -> None:
    """Take samples until cancelled."""
    while True:
        with suppress(OSError):
            samples.append(take_sample(pid))
        await asyncio.sleep(seconds)


def keeps_growing(values: Sequence[float], spare: float) -> bool:
    """Return True if the maximum after the warm-up rises from the first half to the second by more than allowed."""
    warm = values[int(len(values) * WARM_UP_SHARE) :]
    half = len(warm) // 2
    return half >= MIN_SAMPLES and max(warm[half:]) > max(warm[:half]) * GROWTH_FACTOR + spare


def growing_resources(samples: Sequence[Sample]) -> list[str]:
    """Return the names of the resources whose use keeps growing."""
    growing = {
        "memory": keeps_growing([sample.memory_mb for sample in samples], SPARE_MEMORY_MB),
        "descriptors": keeps_growing([sample.descriptors for sample in samples], SPARE_DESCRIPTORS),
    }
    return [name for name, is_growing in growing.items() if is_growing]


def format_samples(samples: Sequence[Sample], points: int = 10) -> str:
    """Return memory and descriptors at evenly spaced times of the run, as text."""
    step = max(1, len(samples) // points)
    return ", ".join(f"{sample.memory_mb:.0f} MB/{sample.descriptors}" for sample in [*samples[::step], samples[-1]])


async def probe_response_times(port: int, slug: str, hangs: list[str]) -> None:
    """Request a page and a table every second, from a separate address, and record answers that take too long."""
    site = f"localhost:{port}"
    while True:
        try:
            async with asyncio.timeout(MAX_PROBE_SECONDS):
                connection = await Connection.open(port, PROBE_ADDRESS)
                await connection.exchange(encode_request("GET", "/healthz", {"Host": site}))
                connection.close()
                connection = await Connection.open(port, PROBE_ADDRESS)
                headers = {"Host": site, "Origin": f"http://{site}"}
                if await connection.open_websocket(f"/ws/match/{slug}/", headers) == 101:
                    await connection.read_frame()
                connection.close()
        except TimeoutError:
            hangs.append(f"a page and a table took more than {MAX_PROBE_SECONDS:.0f} s")
        await asyncio.sleep(1)
