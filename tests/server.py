"""Runs the site in a process of its own, with its own port and database."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests import seeds
from tests.databases import create_postgres_database, drop_postgres_database, migrated_sqlite
from tests.programs import ROOT, seeded_manage_command
from tests.shell import Shell

START_SECONDS = 60
STOP_SECONDS = 20
# Python prints this if a worker ends just when Twisted, which is stopping, has restored its signal handler.
SIGNAL_AT_THE_END = re.compile(
    r"^Traceback \(most recent call last\):\n(?:\s.*\n|\n)*OSError: Signal 17 ignored due to race condition\n",
    re.MULTILINE,
)


class Server:
    """``with Server(folder) as server:`` serves at ``server.url``; everything it writes is in ``folder``.

    ``options`` go to ``manage.py serve``, ``root`` is the checkout that serves, and ``command_prefix`` precedes the
    command.
    """

    def __init__(
        self, folder: Path, *options: str, root: Path = ROOT, command_prefix: Sequence[str] = (), **environment: str
    ) -> None:
        self.folder = folder
        self.options = options
        self.root = root
        self.command_prefix = command_prefix
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.log_path = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.shell: Shell | None = None
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "domino_site.settings",
            "VAR_DIR": str(folder),
            # Several sites, browsers and seeding processes share two cores, so waiting is no fault.
            "DATABASE_SECONDS": "20",
            **environment,
        }
        self.database = os.environ.get("DATABASE_URL", "")
        self.process_counts: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.database:
            self.environment["DATABASE_URL"] = create_postgres_database(self.database, self.root)
        else:
            shutil.copy(migrated_sqlite(self.root), self.folder / "dominoes.sqlite3")
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()
        if self.shell:
            self.shell.end()
        if self.database:
            drop_postgres_database(self.database, self.environment["DATABASE_URL"])

    def start(self) -> None:
        """Start the process, on the database as it is, and wait until it answers."""
        serve = [*seeded_manage_command(self.root), "serve"]
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.command_prefix, *serve, "--port", str(self.port), *self.options],
                env=self.process_environment("server"),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self.is_up():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the server did not start:\n{self.log()}")
            time.sleep(0.1)

    def is_up(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as response:
                return response.status == 200
        except OSError:
            return False

    def kill(self) -> None:
        """End the process as a power cut would."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        """End the process as an administrator would."""
        self.end(signal.SIGTERM)

    def end(self, number: signal.Signals) -> None:
        if self.process is None:
            return
        self.process.send_signal(number)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process = None

    @property
    def pid(self) -> int:
        """The number of the process while it runs."""
        assert self.process is not None
        return self.process.pid

    def manage(self, *arguments: str, **options: Any) -> str:
        """Run a management command on this server's database and return what it prints."""
        command, environment = [*seeded_manage_command(self.root), *arguments], self.process_environment("command")
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, **options)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def run_code(self, source: str) -> Any:
        """Run Python code on this server's database and return its variable ``answer``."""
        if self.shell is None:
            self.shell = Shell(seeded_manage_command(self.root), self.process_environment("shell"))
        return self.shell.run(source)

    def process_environment(self, kind: str) -> dict[str, str]:
        """Return the environment of another process, which draws other numbers than those before it."""
        self.process_counts[kind] += 1
        return {**self.environment, seeds.PROCESS_VARIABLE: f"{kind} {self.process_counts[kind]}"}

    def log(self) -> str:
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def errors(self) -> list[str]:
        """Return the lines of the log with errors of the site."""
        log = SIGNAL_AT_THE_END.sub("", self.log())
        return [line for line in log.splitlines() if "Traceback" in line or "[error" in line]


def free_port() -> int:
    """Return a free port below those that the system assigns, so that nobody else gets it meanwhile."""
    while True:
        port = 10_000 + secrets.randbelow(22_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
