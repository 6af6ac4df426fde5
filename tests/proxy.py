"""nginx with the configuration of ``deploy/nginx``, at ports of its own. Everything that it writes is in a folder."""

from __future__ import annotations

import getpass
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.programs import ROOT
from tests.server import free_port

KIT = ROOT / "deploy" / "nginx"
# scripts/install-test-programs unpacks nginx there, if the system has none.
UNPACKED = ROOT / ".venv" / "programs"
START_SECONDS = 20
TEMPORARY_FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def nginx_program() -> str:
    program = shutil.which("nginx") or shutil.which("nginx", path=f"/usr/sbin:{UNPACKED / 'usr' / 'sbin'}")
    if program is None:
        raise FileNotFoundError("nginx is missing: run make setup-tests.")
    return program


class Proxy:
    """The files of nginx in a folder. ``site`` is the folder with the releases, /srv/dominoes on a real machine."""

    def __init__(self, folder: Path, site_ports: Sequence[int], site: Path | None = None) -> None:
        self.folder = folder
        self.site = site or folder / "site"
        self.http_port, self.https_port = free_port(), free_port()
        self.url = f"https://localhost:{self.https_port}"
        self.configuration = folder / "nginx.conf"
        (folder / "dominoes").mkdir(parents=True)
        # Relative to the folder of nginx, which is this one.
        (folder / "modules").symlink_to("/usr/lib/nginx/modules")
        create_certificate(folder)
        self.configuration.write_text(self.adapted((KIT / "nginx.conf").read_text()))
        self.write_host()
        self.write_upstream(site_ports)

    def adapted(self, text: str) -> str:
        """Return the text of the kit with ports and paths of this folder."""
        if not has_ipv6():
            text = re.sub(r" +listen \[::\].*\n", "", text)
        temporary = "".join(f"\n    {name}_temp_path {name};" for name in TEMPORARY_FOLDERS)
        replacements = {
            "user www-data;": f"user {getpass.getuser()};\ndaemon off;",
            "pid /run/nginx.pid;": "pid nginx.pid;",
            "http {": f"http {{{temporary}",
            "/var/log/nginx": str(self.folder),
            "listen 80;": f"listen {self.http_port};",
            "listen [::]:80;": f"listen [::]:{self.http_port};",
            "listen 443 ": f"listen {self.https_port} ",
            "listen [::]:443 ": f"listen [::]:{self.https_port} ",
            "/srv/dominoes": str(self.site),
        }
        for old, new in replacements.items():
            text = text.replace(old, new)
        return text

    def write_host(self) -> None:
        host = (KIT / "host.conf").read_text().replace("server_name dominoes.example", "server_name localhost")
        host = re.sub(r"/etc/\S+/(fullchain|privkey)\.pem", rf"{self.folder}/\1.pem", host)
        (self.folder / "dominoes" / "host.conf").write_text(host)

    def write_upstream(self, ports: Sequence[int]) -> None:
        lines = [f"server 127.0.0.1:{port} max_fails=0;\n" for port in ports]
        (self.folder / "dominoes" / "upstream.conf").write_text("".join(lines))

    def command(self, *options: str) -> list[str]:
        log = str(self.folder / "error.log")
        return [nginx_program(), "-p", str(self.folder), "-c", str(self.configuration), "-e", log, *options]

    @contextmanager
    def running(self) -> Iterator[None]:
        process = subprocess.Popen(self.command())
        self.pid = process.pid
        try:
            self.wait_until_up(process)
            yield
        finally:
            process.terminate()
            process.wait()

    def wait_until_up(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(OSError):
                socket.create_connection(("localhost", self.https_port), 1).close()
                return
            time.sleep(0.05)
        raise RuntimeError(f"nginx did not start: {(self.folder / 'error.log').read_text()}")


def create_certificate(folder: Path) -> None:
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", "privkey.pem", "-out", "fullchain.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *names, *files]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
