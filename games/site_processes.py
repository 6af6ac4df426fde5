"""The row of each process of the site, with figures for operators.

The heartbeat writes it every few seconds.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from prometheus_client import REGISTRY

from games.models import ServerProcess
from infrastructure.runtime import PerProcess, Runtime
from infrastructure.version import revision, version

WRITE_INTERVAL = timedelta(seconds=5)
ENDED_AFTER = timedelta(seconds=20)  # a process without a newer row hangs, was killed or has ended
FORGET_AFTER = timedelta(hours=1)
LATENCY_WINDOW = 12  # intervals over which the latency of moves is measured
LATENCY_PERCENTILE = 0.95
MOVE_SECONDS = "dominoes_move_frame_seconds"
# The figures by the names of their samples. Those of several labels are added up.
SAMPLES = {
    "dominoes_sockets": "sockets",
    "dominoes_moves_waiting": "moves_waiting",
    "dominoes_database_waiting": "database_waiting",
    "dominoes_bot_moves_waiting": "bot_moves_waiting",
    "dominoes_mails_waiting": "mails_waiting",
}
ERROR_LINES, ERROR_LEVELS = "dominoes_log_lines_total", ("error", "critical")
RESIDENT_BYTES = "process_resident_memory_bytes"
Buckets = dict[float, float]  # how many moves took at most these seconds


class ProcessReport:
    """The report of a process about itself."""

    def __init__(self) -> None:
        self.started_at: datetime | None = None
        self.written_at: datetime | None = None
        self.buckets: deque[Buckets] = deque(maxlen=LATENCY_WINDOW)

    def exchange(self, roles: Collection[str], now: datetime) -> bool:
        """Write the row of this process every few seconds. Return whether an operator wants the process to end."""
        if self.written_at is None or not self.written_at <= now < self.written_at + WRITE_INTERVAL:
            self.write(roles, now)
        this_process = ServerProcess.objects.filter(name=Runtime.current.process_name, must_end=True)
        return this_process.exists() and bool(this_process.update(must_end=False))

    def write(self, roles: Collection[str], now: datetime) -> None:
        self.started_at = self.started_at or now
        self.written_at = now
        row = ServerProcess(
            name=Runtime.current.process_name,
            roles=" ".join(roles),
            machine=socket.gethostname()[:64],
            pid=os.getpid(),
            version=f"{version()} {revision()}"[:64],
            started_at=self.started_at,
            at=now,
            figures=self.figures(),
        )
        updated = ["at", "figures"]
        ServerProcess.objects.bulk_create([row], update_conflicts=True, unique_fields=["name"], update_fields=updated)
        ServerProcess.objects.filter(at__lt=now - FORGET_AFTER).delete()

    def figures(self) -> dict[str, Any]:
        figures: dict[str, Any] = dict.fromkeys(SAMPLES.values(), 0) | {"errors": 0, "megabytes": 0}
        buckets: Buckets = {}
        names = [*SAMPLES, ERROR_LINES, RESIDENT_BYTES, f"{MOVE_SECONDS}_bucket"]
        for family in REGISTRY.restricted_registry(names).collect():
            for sample in family.samples:
                if sample.name in SAMPLES:
                    figures[SAMPLES[sample.name]] += int(sample.value)
                elif sample.name == ERROR_LINES and sample.labels["level"] in ERROR_LEVELS:
                    figures["errors"] += int(sample.value)
                elif sample.name == RESIDENT_BYTES:
                    figures["megabytes"] = round(sample.value / 1e6)
                elif sample.name == f"{MOVE_SECONDS}_bucket":
                    buckets[float(sample.labels["le"])] = sample.value
        figures["move_seconds"] = latency_percentile(buckets, self.buckets[0]) if self.buckets else None
        self.buckets.append(buckets)
        return figures


def latency_percentile(now: Mapping[float, float], before: Mapping[float, float]) -> float | None:
    """Return the bound of 95 % of the moves since ``before``, None without moves or without a bound.

    >>> latency_percentile({0.1: 18, 0.5: 30, float("inf"): 30}, {0.1: 10, 0.5: 10, float("inf"): 10})
    0.5
    """
    counts = {bound: count - before.get(bound, 0) for bound, count in sorted(now.items())}
    total = counts.get(float("inf"), 0)
    bounds = (bound for bound, count in counts.items() if total and count >= LATENCY_PERCENTILE * total)
    bound = next(bounds, None)
    return None if bound == float("inf") else bound


process_report = PerProcess(ProcessReport)
