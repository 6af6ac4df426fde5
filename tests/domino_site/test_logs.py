"""What the site logs, and what it never says."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog
from django.test import Client
from prometheus_client import REGISTRY

from accounts.models import User
from domino_site import logs
from tests.wire import ServerConnection, http_request, websocket_request


@pytest.fixture
def json_line() -> Iterator[Callable[[], dict[str, Any]]]:
    """Let the logger "planted" write as in production; the value returns its last line."""
    line = logs.logging_settings(level="INFO", as_json=True)["formatters"]["line"]
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(line.pop("()")(**line))
    logger = logging.getLogger("planted")
    logger.addHandler(handler)
    logger.propagate = False
    yield lambda: json.loads(written.getvalue().splitlines()[-1])
    logger.removeHandler(handler)


def test_an_event_is_one_json_line(json_line: Callable[[], dict[str, Any]]) -> None:
    structlog.get_logger("planted").warning("announcement_lost", group="lobby")
    line = json_line()
    assert (line["event"], line["group"], line["level"]) == ("announcement_lost", "lobby", "warning")


def test_tiles_and_secrets_are_hidden(json_line: Callable[[], dict[str, Any]]) -> None:
    structlog.get_logger("planted").warning("odd", secret="f00d", hands=[["6-4"]], tile="6-4", seat=2)
    line = json_line()
    assert "6-4" not in json.dumps(line)
    assert "f00d" not in json.dumps(line)
    assert line["seat"] == 2


def test_traceback_has_no_local_variables(json_line: Callable[[], dict[str, Any]]) -> None:
    hand = ["6-4", "5-5"]
    try:
        raise LookupError(len(hand))
    except LookupError:
        structlog.get_logger("planted").exception("failed")
    assert "6-4" not in json.dumps(json_line())


@pytest.mark.parametrize("as_json", [True, False])
async def test_no_line_of_a_library_contains_the_address_of_a_table(as_json: bool) -> None:
    """Daphne names the connection whose application does not end, and errors name what they were about."""
    line = ServerConnection(Waiting())
    line.send(websocket_request("/ws/match/dtxgq2kasrzv/"))
    page = ServerConnection(Waiting())
    page.send(http_request("GET", "/match/dtxgq2kasrzv/why/?x=1"))
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    form = logs.logging_settings(level="INFO", as_json=as_json)["formatters"]["line"]
    handler.setFormatter(form.pop("()")(**form))
    logger = logging.getLogger("daphne.server")
    logger.addHandler(handler)
    try:
        for entry in (line, page):
            for facts in entry.server.connections.values():
                facts["disconnected"] = 1.0
            entry.server.application_checker()
        raise KeyError("match.dtxgq2kasrzv")
    except KeyError:
        logger.exception("failed for review.dtxgq2kasrzv")
    finally:
        logger.removeHandler(handler)
    assert written.getvalue().count("took too long to shut down") == 2
    assert written.getvalue().count("match/[hidden]/") == 2
    assert "dtxgq2kasrzv" not in written.getvalue()
    assert "match.[hidden]" in written.getvalue()


class Waiting:
    """An application that does not end."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()


def test_log_lines_of_libraries_have_the_same_format(json_line: Callable[[], dict[str, Any]]) -> None:
    logging.getLogger("planted").error("plain %s", "words")
    assert json_line()["event"] == "plain words"


def test_problems_are_counted_by_level_and_known_outages_once(json_line: Callable[[], dict[str, Any]]) -> None:
    def counts() -> list[float]:
        levels = ("warning", "error", "critical")
        return [REGISTRY.get_sample_value("dominoes_log_lines_total", {"level": level}) or 0 for level in levels]

    filters = logs.logging_settings(level="INFO", as_json=True)["handlers"]["console"]["filters"]
    assert filters.index("counted") > filters.index("once"), "lines that are dropped do not count"
    handler = logging.getLogger("planted").handlers[0]
    handler.addFilter(logs.CountProblems())
    before = counts()
    log = logging.getLogger("planted")
    log.info("fine")
    log.warning("odd")
    log.error("wrong")
    log.error("wrong")
    assert [after - earlier for after, earlier in zip(counts(), before, strict=True)] == [1, 2, 0]


@pytest.mark.parametrize("query", ["deal_version=1", "_to_field=secret", "opinions__x=1"])
def test_invalid_filter_is_not_logged_as_an_error(
    client: Client, caplog: pytest.LogCaptureFixture, query: str
) -> None:
    client.force_login(User.objects.create_superuser("root", name="Root"))
    assert client.get(f"/admin/games/match/?{query}").status_code in (302, 400)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
