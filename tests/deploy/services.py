"""In place of systemd: runs the units of ``deploy/systemd``, each at a port of its own."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import socketserver
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.programs import ROOT
from tests.server import free_port

UNIT_FILES = ROOT / "deploy" / "systemd"
PROGRAM = "/usr/local/bin/dominoes"
TIMEOUT_STOP_SECONDS = 20  # as in the units
# Asks this process, as systemctl asks systemd.
CLIENT = """
import socket, sys
port, *words = sys.argv[1:]
with socket.create_connection(("127.0.0.1", int(port))) as line:
    line.sendall(" ".join(words).encode() + b"\\n")
    sys.exit(int(line.recv(10)))
"""


class Services:
    """Starts and stops units, whose names end with their port: dominoes-web@8001, dominoes-clock@9001."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.port = free_port()
        self.client = folder / "services.py"
        self.client.write_text(CLIENT)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def command(self, unit: str) -> list[str]:
        """Return ExecStart of a unit, with its port and the program of this installation."""
        name, _at, port = unit.partition("@")
        template, plain = UNIT_FILES / f"{name}@.service", UNIT_FILES / f"{name}.service"
        text = (template if template.exists() else plain).read_text()
        line = re.search(r"^ExecStart=(.*)", text, re.MULTILINE)[1]
        line = re.sub(r"port (%i|\d+)", f"port {port}", line)
        return shlex.split(line.replace(PROGRAM, str(self.folder / "root" / "current" / "deploy" / "dominoes")))

    def host(self, unit: str) -> str:
        """Return the address at which a unit listens."""
        return "127.0.0.1"

    def log_path(self, unit: str) -> Path:
        return self.folder / f"{unit}.log"

    def start(self, *units: str) -> None:
        """Start units, and wait until they listen. Raises RuntimeError if one ends before."""
        for unit in units:
            with self.log_path(unit).open("ab") as log:
                self.processes[unit] = subprocess.Popen(
                    self.command(unit), env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
        for unit in units:
            port = int(unit.partition("@")[2])
            while not is_listening(self.host(unit), port):
                if self.processes[unit].poll() is not None:
                    raise RuntimeError(f"{unit} did not start:\n{self.log_path(unit).read_text()}")
                time.sleep(0.05)

    def stop(self, *units: str) -> None:
        for unit in units:
            self.end(unit, signal.SIGTERM)

    def restart(self, *units: str) -> None:
        self.stop(*units)
        self.start(*units)

    def end(self, unit: str, number: signal.Signals) -> None:
        process = self.processes.pop(unit, None)
        if process is None:
            return
        process.send_signal(number)
        try:
            process.wait(TIMEOUT_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answer SERVICE_COMMAND within the block, and end all processes after it."""
        with socketserver.ThreadingTCPServer(("127.0.0.1", self.port), Request) as server:
            server.services = self  # type: ignore[attr-defined]
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            try:
                yield
            finally:
                server.shutdown()
                thread.join()
                self.stop(*list(self.processes))


class Request(socketserver.StreamRequestHandler):
    """An action and units, answered with the status of systemctl."""

    def handle(self) -> None:
        action, *units = self.rfile.readline().decode().split()
        services: Services = self.server.services  # type: ignore[attr-defined]
        actions = {"start": services.start, "stop": services.stop, "restart": services.restart}
        try:
            actions[action](*units)
            status = 0
        except RuntimeError:
            status = 1
        self.wfile.write(str(status).encode())


def is_listening(host: str, port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0
