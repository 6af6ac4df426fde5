"""``manage.py clock``: the clock and the bots in a process of their own."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from games.management.commands.clock import run_until_signal
from tests.databases import migrated_sqlite
from tests.programs import MANAGE_COMMAND
from tests.server import Server, free_port


def read(url: str) -> Any:
    with suppress(OSError), urllib.request.urlopen(url, timeout=5) as response:
        return response.read().decode()
    return ""


def test_clock_reports_its_health_and_metrics(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.environment["DATABASE_URL"] = f"sqlite:///{shutil.copy(migrated_sqlite(), tmp_path / 'dominoes.sqlite3')}"
    port = free_port()
    command = [*MANAGE_COMMAND, "clock", "--metrics-port", str(port)]
    process = subprocess.Popen(command, env=server.environment, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not json.loads(read(f"http://localhost:{port}/healthz") or "{}").get("clock"):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
        metrics = read(f"http://localhost:{port}/metrics")
        assert "\ndominoes_build_info{" in metrics
        assert "\ndominoes_loop_lag_seconds_count " in metrics
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


async def test_taken_port_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupied, pytest.raises(CommandError, match="Cannot listen at"):
        await run_until_signal("127.0.0.1", occupied.getsockname()[1])
