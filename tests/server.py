"""The site as a process of its own: on a free port, with its own database, killed at will."""

from __future__ import annotations

import atexit
import fcntl
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests.shell import Shell

ROOT = Path(__file__).parent.parent
START_SECONDS = 60
RUN = "DOMINOES_TEST_RUN"
STOP_SECONDS = 20
SIGNAL_AT_THE_END = re.compile(
    r"^Traceback \(most recent call last\):\n(?:\s.*\n|\n)*OSError: Signal 17 ignored due to race condition\n",
    re.MULTILINE,
)
"""A worker ended just when Twisted, which stops, took its handler of that signal back: Python says so and goes on."""


def python(root: Path) -> str:
    """Return the interpreter for a checkout: its own, if another one than this has one."""
    own = root / ".venv" / "bin" / "python"
    return str(own) if root != ROOT and own.exists() else sys.executable


def manage_of(root: Path) -> list[str]:
    return [python(root), str(root / "manage.py")]


MANAGE = manage_of(ROOT)


class Server:
    """``with Server(folder) as server:`` serves at ``server.url``; everything it writes is in ``folder``.

    ``options`` go to ``manage.py serve``, ``root`` is the checkout that serves, ``under`` a command to start it by.
    """

    def __init__(
        self, folder: Path, *options: str, root: Path = ROOT, under: Sequence[str] = (), **environment: str
    ) -> None:
        self.folder = folder
        self.options = options
        self.root = root
        self.under = under
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.log_path = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.shell: Shell | None = None
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "domino_site.settings",
            "VAR_DIR": str(folder),
            # Several sites, browsers and processes that seed them share two cores: to wait is no fault.
            "DATABASE_SECONDS": "20",
            **environment,
        }
        self.database = os.environ.get("DATABASE_URL", "")

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
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.under, *manage_of(self.root), "serve", "--port", str(self.port), *self.options],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the server did not start:\n{self.log()}")
            time.sleep(0.1)

    def answers(self) -> bool:
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
        command = [*manage_of(self.root), *arguments]
        done = subprocess.run(command, env=self.environment, check=False, capture_output=True, text=True, **options)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def answer(self, source: str) -> Any:
        """Run Python on this server's database and return what it calls ``answer``."""
        if self.shell is None:
            self.shell = Shell(manage_of(self.root), self.environment)
        return self.shell.answer(source)

    def log(self) -> str:
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def errors(self) -> list[str]:
        """Return the lines of the log that tell of an error of ours."""
        log = SIGNAL_AT_THE_END.sub("", self.log())
        return [line for line in log.splitlines() if "Traceback" in line or "[error" in line]


def free_port() -> int:
    """Return a free port that nobody else is given meanwhile: those for whoever asks for any begin higher."""
    while True:
        port = 10_000 + secrets.randbelow(22_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


@cache
def migrated_sqlite(root: Path = ROOT) -> Path:
    """Return an empty, migrated SQLite file, made once a test run and copied for each server."""
    with folder_of_migrated(root) as folder:
        migrated = folder / "var" / "migrated.sqlite3"
        if not migrated.exists():
            migrate(root, migrated.parent)
            (migrated.parent / "dominoes.sqlite3").rename(migrated)
    return migrated


@contextmanager
def folder_of_migrated(root: Path) -> Iterator[Path]:
    """Give the folder of what is migrated once a run; the workers of pytest-xdist, which share it, take turns."""
    folder = folder_of_the_run() if root == ROOT else folder_of_root(root)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def migrate(root: Path, var: Path, database: str = "") -> None:
    """Migrate a PostgreSQL database, or the SQLite one in ``var``."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "domino_site.settings", "VAR_DIR": str(var)}
    environment.pop("DATABASE_URL", None)
    if database:
        environment["DATABASE_URL"] = database
    subprocess.run([*manage_of(root), "migrate", "-v0"], env=environment, check=True)


def folder_of_the_run() -> Path:
    """Return a folder that this process shares with those it starts."""
    if RUN not in os.environ:
        os.environ[RUN] = str(folder_until_the_end())
    return Path(os.environ[RUN])


@cache
def folder_of_root(_root: Path) -> Path:
    """Return the folder of another checkout."""
    return folder_until_the_end()


def folder_until_the_end() -> Path:
    """Return a folder that is gone when this process ends."""
    folder = tempfile.mkdtemp(prefix="dominoes-migrated-")
    atexit.register(forget, Path(folder))
    return Path(folder)


def forget(folder: Path) -> None:
    """Delete the folder, and the PostgreSQL database that was migrated for it, unless it went with its server."""
    if (migrated := folder / "postgres").exists():
        with suppress(psycopg.OperationalError):
            drop_postgres_database(*migrated.read_text().split())
    shutil.rmtree(folder, ignore_errors=True)


def create_postgres_database(address: str, root: Path = ROOT) -> str:
    """Create a database beside the given one, a copy of what is migrated once a run, and return its address."""
    with folder_of_migrated(root) as folder:
        migrated = folder / "postgres"
        if not migrated.exists():
            template = create_database(address)
            migrate(root, folder / "var", template)
            migrated.write_text(f"{address} {template}")
        _address, template = migrated.read_text().split()
        return create_database(address, template=urlsplit(template).path.removeprefix("/"))


def create_database(address: str, template: str = "template1") -> str:
    """Create a database as the template is, beside the given one, and return its address."""
    name = f"site_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))


def drop_postgres_database(address: str, own: str) -> None:
    name = urlsplit(own).path.removeprefix("/")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
