"""A moderator, and what is announced."""

from __future__ import annotations

from typing import Any

import pytest

from games.broadcast import announcements

Announced = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Announced:
    sent: Announced = []
    monkeypatch.setattr(announcements, "announce", sent.extend)
    return sent
