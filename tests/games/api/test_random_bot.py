"""The example bot plays a match on a real site, and plays on after the site was restarted."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.programs import ROOT
from tests.server import Server

RANDOM_BOT = ROOT / "examples" / "bots" / "random_bot.py"
MATCH_SECONDS = 120  # 10 on a quiet machine
# Two bots of one account that is old enough, with a token each.
CREATE_BOTS = """
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from accounts.bots import create_bot
from accounts.models import User
from accounts.tokens.issuing import create_token

owner = User.objects.create_user("owner", date_joined=timezone.now() - timedelta(days=30))
with transaction.atomic():
    bots = [create_bot(owner=owner, name=name) for name in ("Roller", "Tumbler")]
answer = [create_token(user=bot, name="bot", scopes=["read", "bot:play"]) for bot in bots]
"""


def request(server: Server, token: str, path: str, data: object = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urlopen(Request(f"{server.url}/api/{path}", body, headers), timeout=30) as response:
        return json.load(response)


@contextmanager
def playing_bot(server: Server, token: str) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, RANDOM_BOT, server.url, token], stderr=sys.stderr)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def wait_for(server: Server, token: str, slug: str, is_reached: str) -> dict[str, Any]:
    """Return the match once it has this status."""
    deadline = time.monotonic() + MATCH_SECONDS
    while (match := request(server, token, f"match/{slug}"))["status"] != is_reached:
        assert time.monotonic() < deadline, match
        time.sleep(0.5)
    return match


def test_random_bot_continues_after_a_stream_that_ended_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_from_file_location("random_bot", RANDOM_BOT)
    assert spec is not None
    assert spec.loader is not None
    bot = module_from_spec(spec)
    spec.loader.exec_module(bot)
    streams = iter([b'{"version": 1}\n\n{"error": "unavailable"}\n', b'{"version": 2}\n'])
    monkeypatch.setattr(bot, "urlopen", lambda _request, timeout: BytesIO(next(streams)))
    monkeypatch.setattr(sys, "argv", ["random_bot.py", "https://example.org", "token"])
    monkeypatch.setattr(bot, "sleep", lambda _seconds: None)
    assert [line["version"] for line in islice(bot.stream("match/abc"), 2)] == [1, 2]


@pytest.mark.stack
def test_two_random_bots_play_a_match(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        first, second = server.run_code(CREATE_BOTS)
        table = {"variant": "kozel", "seats": 2, "options": {"length": "quick"}, "clock": "normal"}
        slug = request(server, first, "bot/tables", table)["slug"]
        request(server, second, f"match/{slug}/sit", {})
        with playing_bot(server, first), playing_bot(server, second):
            wait_for(server, first, slug, "running")
            server.kill()
            server.start()
            wait_for(server, first, slug, "finished")
        record = request(server, first, f"match/{slug}/record")
    moves = [event for event in record["events"] if event["kind"] in ("played", "drew", "passed")]
    assert not [event for event in moves if event.get("by")], "the site moved for a bot"
