"""Checks that ``/healthz`` makes besides its own. The module that owns a resource registers how to ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

Check = Callable[[], Awaitable[object]]
_database_checks: list[Check] = []


def register_database_check(check: Check) -> Check:
    """Add a check, which raises if that way to the database does not work."""
    _database_checks.append(check)
    return check


async def check_database() -> None:
    """Make all registered checks at the same time. Raises what the first that fails raises."""
    await asyncio.gather(*(check() for check in _database_checks))
