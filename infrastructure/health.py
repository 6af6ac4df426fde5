"""Additional checks of ``/healthz``. The module that owns a resource registers its check."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

Check = Callable[[], Awaitable[object]]
_database_checks: list[Check] = []


def register_database_check(check: Check) -> Check:
    """Add a check that raises an exception if its connection to the database does not work."""
    _database_checks.append(check)
    return check


async def check_database() -> None:
    """Run all registered checks at the same time. Raises the exception of the first that fails."""
    await asyncio.gather(*(check() for check in _database_checks))
