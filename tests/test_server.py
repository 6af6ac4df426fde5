"""The server process: it answers, stops, and comes back on the same database."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest

from tests.server import Server

pytestmark = pytest.mark.stack


def test_the_site_answers_and_comes_back_after_a_kill(tmp_path: Path):
    with Server(tmp_path / "site") as server:
        with urllib.request.urlopen(f"{server.url}/healthz") as response:
            assert json.load(response) == {"database": True, "layer": True}
        server.kill()
        assert not server.answers()
        server.start()
        assert server.answers()
    assert not server.answers()
    assert server.errors() == []
