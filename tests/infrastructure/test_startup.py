"""Checks before the site starts serving."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings


@pytest.mark.django_db
@pytest.mark.parametrize("command", [("serve", "--no-clock"), ("clock",)])
@pytest.mark.parametrize(
    ("on_sqlite", "redis_url", "message"),
    [(True, "redis://localhost", "need PostgreSQL"), (False, "", "need Redis")],
)
def test_processes_that_cannot_share_a_site_do_not_start_in_production(
    settings: Settings, command: tuple[str, ...], on_sqlite: bool, redis_url: str, message: str
) -> None:
    settings.PRODUCTION, settings.ON_SQLITE, settings.REDIS_URL = True, on_sqlite, redis_url
    with pytest.raises(CommandError, match=message):
        call_command(*command, skip_checks=True)
