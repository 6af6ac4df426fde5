"""Fixtures: a moderator, sent announcements, two people at a running table, and a check that no error is logged."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group

from accounts.models import User
from games.broadcast import announcements
from games.models import Match
from tests.games import tables

Announcements = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def moderator() -> User:
    user = User.objects.create(username="mo", name="Mo", is_staff=True)
    user.groups.add(Group.objects.get(name="Match moderators"))
    return user


@pytest.fixture
def sent_announcements(monkeypatch: pytest.MonkeyPatch) -> Announcements:
    sent: Announcements = []
    monkeypatch.setattr(announcements, "announce", sent.extend)
    return sent


@pytest.fixture
def no_errors_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.WARNING):
        yield
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.fixture
def people(db: None) -> list[User]:
    return [tables.person("Ann"), tables.person("Bob")]


@pytest.fixture
def match(people: list[User]) -> Match:
    return tables.running_table(people)
