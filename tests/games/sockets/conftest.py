"""Two people at a running table, and a log that may hold no error of ours."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from accounts.models import User
from games.models import Match
from tests.games import tables


@pytest.fixture
def nothing_logged_as_our_error(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.WARNING):
        yield
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.fixture
def people(db: None) -> list[User]:
    return [tables.person("Ann"), tables.person("Bob")]


@pytest.fixture
def match(people: list[User]) -> Match:
    return tables.running_table(people)
