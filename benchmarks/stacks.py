"""The two combinations of database and channel layer that benchmarks measure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from scripts.with_services import start_postgres, start_redis
from tests.programs import ROOT

SERVICE_SETUPS = {"sqlite": "SQLite and the in-process channel layer", "services": "PostgreSQL and Redis"}


@contextmanager
def running_services(name: str) -> Iterator[None]:
    """Print what a setup consists of, and use it for all servers started within the block."""
    print(SERVICE_SETUPS[name], flush=True)
    for address in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(address, None)
    with ExitStack() as cleanup:
        if name == "services":
            os.environ |= {"DATABASE_URL": start_postgres(cleanup), "REDIS_URL": start_redis(cleanup)}
        yield


def disable_limits() -> None:
    """Disable the limits of servers started from now on, because one address represents all players."""
    os.environ |= settings_without_limits()


def settings_without_limits() -> dict[str, str]:
    names = "[*(f'{name}_rate' for name in settings.RATES), *(f'{name}_places' for name in settings.PLACES)]"
    code = f"import json; from domino_site import settings; print(json.dumps({names}))"
    output = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True)
    return {name.upper(): "" for name in json.loads(output)}
