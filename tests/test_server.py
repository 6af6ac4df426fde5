"""The server process: it answers, stops, and comes back on the same database."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest

from tests.server import Server


@pytest.mark.stack
def test_site_restarts_after_a_kill(tmp_path: Path) -> None:
    with Server(tmp_path / "site") as server:
        with urllib.request.urlopen(f"{server.url}/healthz") as response:
            assert json.load(response) == {"database": True, "layer": True}
        server.kill()
        assert not server.is_up()
        server.start()
        assert server.is_up()
    assert not server.is_up()
    assert server.errors() == []


def test_errors_in_the_log_are_found(tmp_path: Path) -> None:
    server, traceback = Server(tmp_path), 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    \n'
    server.log_path.write_text(f"{traceback}OSError: Signal 17 ignored due to race condition\n")
    assert server.errors() == []
    server.log_path.write_text(f"{traceback}OSError: Signal 17 ignored due to race condition\n{traceback}ValueError\n")
    assert len(server.errors()) == 1
    server.log_path.write_text(f"{traceback}ValueError\n{traceback}OSError: Signal 17 ignored due to race condition\n")
    assert len(server.errors()) == 1
