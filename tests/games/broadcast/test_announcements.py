"""Announcements that could not be sent are logged."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from games.broadcast import announcements, groups


async def test_lost_announcements_are_logged_without_the_addresses_of_their_tables(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        async def send_all(self, sent: list[Any]) -> None:
            raise ConnectionError(f"lost: {sent}")

    monkeypatch.setattr(announcements, "get_channel_layer", Broken)
    tables = [groups.match_group("dtxgq2kasrzv"), groups.match_group("zzzgq2kasrzv"), "lobby"]
    with caplog.at_level(logging.WARNING):
        await announcements._send([(group, {"type": "x"}) for group in tables])
    assert caplog.records[0].msg["groups"] == {"match": 2, "lobby": 1}  # type: ignore[index]  # structlog's event
    assert "gq2kasrzv" not in str(caplog.records[0].msg)
