"""A site from the files of ``deploy/`` whose parts are killed, restarted and updated while people play."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from benchmarks.faults import Limits, failures, missing_moves, run_faults, seat_players, unexpected_errors
from benchmarks.kit import running_kit
from benchmarks.records import read_records

pytestmark = [
    pytest.mark.stack,
    pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="needs PostgreSQL and Redis"),
]
TABLES = 2  # one with bots
# The others are variations of these. An update restarts every process.
NAMES = ("kill", "update", "rollback", "redis_restart", "postgres_restart", "clock_killed")
# make faults measures times; here they only tell recovery from its absence.
LIMITS = Limits(away_p95=30, away=30, gap=30)


def test_no_fault_loses_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")  # restores it after the test, which starts another PostgreSQL
    with running_kit(tmp_path) as kit:
        first = kit.machine.current()
        tables = seat_players(kit, TABLES)
        periods = asyncio.run(run_faults(kit, tables, NAMES, calm_seconds=0.5))
        records = read_records(kit.commands())
        assert unexpected_errors(kit, NAMES) == []
        assert first == kit.machine.current() != kit.machine.newest_release()
    for period in periods:
        moves = missing_moves(tables, records, period)
        assert moves, period
        assert not any(moves), period
        assert failures(period, tables, LIMITS) == []
