"""The alerts of ``deploy/prometheus``, each shown by breaking a running site until a real Prometheus fires it.

``python benchmarks/alerts.py [--only DominoesClockDead]`` starts the site (``benchmarks.kit``) with players,
Prometheus and the node exporter. Only intervals differ from the files of the kit: scrapes every three seconds, and six
seconds for every ``for``. The disk that gets full is a file, so that needs root. Fails if an alert does not fire.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socketserver
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import yaml

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.faults import certificate_context, get_status, seat_players
from benchmarks.kit import Kit, control_postgres, running_kit
from benchmarks.returning_pages import BusyTable, Page
from tests.programs import ROOT
from tests.proxy import UNPACKED
from tests.server import free_port

KIT = ROOT / "deploy" / "prometheus"
TABLES = 6
SCRAPE_INTERVAL, FOR = "3s", "6s"
FIRING_SECONDS = 120
TOKEN = "scraped"
MAIL = "ann@example.org"
CREATE_PERSON = f"""
from accounts.models import User
from allauth.account.models import EmailAddress
ann = User.objects.create(username="ann", name="Ann", email="{MAIL}", password="!")
EmailAddress.objects.create(user=ann, email="{MAIL}", verified=True, primary=True)
"""
CREATE_DAY = """
from datetime import timedelta
from django.utils import timezone
from games.models import BoardDay
now = timezone.now()
day = now - timedelta(days=2)
BoardDay.objects.create(variant="none", date=day.date(), opened_at=day, due_at=now, sets=1, bots_version=1)
"""
DELETE_DAY = "from games.models import BoardDay; BoardDay.objects.filter(variant='none').delete()"


class Prometheus:
    """Prometheus and the node exporter with the files of the kit, in a folder."""

    def __init__(self, folder: Path, kit: Kit) -> None:
        self.folder = folder
        self.port, self.node_port = free_port(), free_port()
        folder.mkdir()
        (folder / "token").write_text(TOKEN)
        self.write_rules()
        self.write_configuration(kit)

    def write_rules(self) -> None:
        rules = yaml.safe_load((KIT / "dominoes-rules.yml").read_text())
        for rule in rules["groups"][0]["rules"]:
            rule |= {"for": FOR} if "for" in rule else {}
        (self.folder / "dominoes-rules.yml").write_text(yaml.safe_dump(rules))

    def write_configuration(self, kit: Kit) -> None:
        configuration = yaml.safe_load((KIT / "prometheus.yml").read_text())
        configuration["global"] = {"scrape_interval": SCRAPE_INTERVAL, "evaluation_interval": SCRAPE_INTERVAL}
        configuration.pop("alerting", None)
        site, node = configuration["scrape_configs"]
        site["authorization"]["credentials_file"] = str(self.folder / "token")
        for group, units in zip(site["static_configs"], (kit.web, kit.clocks), strict=True):
            group["targets"] = [f"localhost:{unit.partition('@')[2]}" for unit in units]
        node["static_configs"][0]["targets"] = [f"localhost:{self.node_port}"]
        (self.folder / "prometheus.yml").write_text(yaml.safe_dump(configuration))

    @contextmanager
    def running(self) -> Iterator[None]:
        server = ["prometheus", "--config.file=prometheus.yml", f"--web.listen-address=127.0.0.1:{self.port}"]
        node = ["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{self.node_port}"]
        with ExitStack() as cleanup, (self.folder / "log").open("wb") as log:
            for program, *options in (server, node):
                path = shutil.which(program) or str(UNPACKED / "usr" / "bin" / program)
                process = subprocess.Popen([path, *options], cwd=self.folder, stdout=log, stderr=log)
                cleanup.callback(process.wait)
                cleanup.callback(process.terminate)
            self.wait_for_targets()
            yield

    def wait_for_targets(self) -> None:
        deadline = time.monotonic() + FIRING_SECONDS
        while time.monotonic() < deadline:
            try:
                targets = self.ask("targets")["activeTargets"]
            except OSError:
                targets = []
            if targets and all(target["health"] == "up" for target in targets):
                return
            time.sleep(1)
        raise RuntimeError((self.folder / "log").read_text())

    def ask(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/{path}", timeout=20) as answer:
            return json.load(answer)["data"]

    def firing(self) -> dict[str, str]:
        """Return the summary of each alert that fires."""
        alerts = [alert for alert in self.ask("alerts")["alerts"] if alert["state"] == "firing"]
        return {alert["labels"]["alertname"]: alert["annotations"]["summary"] for alert in alerts}


class RefusingMailServer(socketserver.StreamRequestHandler):
    """A mail server that refuses every sender for good."""

    def handle(self) -> None:
        self.wfile.write(b"220 localhost\r\n")
        for line in self.rfile:
            self.wfile.write(b"550 Not from you\r\n" if line.upper().startswith(b"MAIL") else b"250 OK\r\n")


@contextmanager
def refused_mail(kit: Kit) -> Iterator[None]:
    """somebody asks for a mail that the mail server refuses"""
    kit.commands().manage("shell", "-c", CREATE_PERSON)
    path = "/accounts/password/reset/"
    _status, cookies, page = exchange(kit, "GET", path)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    form = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], "email": MAIL})
    status, _cookies, _page = exchange(kit, "POST", path, form, cookies)
    assert status == 302
    yield


def exchange(kit: Kit, method: str, path: str, body: str = "", cookies: str = "") -> tuple[int, str, str]:
    """Return status, cookies and body of an answer."""
    tls = certificate_context(kit.proxy)
    line = http.client.HTTPSConnection("localhost", kit.proxy.https_port, context=tls, timeout=20)
    headers = {"Cookie": cookies, "Referer": kit.proxy.url, "Content-Type": "application/x-www-form-urlencoded"}
    line.request(method, path, body, headers)
    answer = line.getresponse()
    received = "; ".join(header.partition(";")[0] for header in answer.headers.get_all("Set-Cookie", []))
    text = answer.read().decode()
    line.close()
    return answer.status, received, text


@contextmanager
def old_backup(kit: Kit) -> Iterator[None]:
    """the last backup is 31 hours old"""
    stamp = kit.machine.var / "backups" / "latest"
    os.utime(stamp, (time.time() - 31 * 3600,) * 2)
    yield
    stamp.touch()


@contextmanager
def failing_boards(kit: Kit) -> Iterator[None]:
    """a day of boards of an unknown game cannot close"""
    kit.commands().manage("shell", "-c", CREATE_DAY)
    yield
    kit.commands().manage("shell", "-c", DELETE_DAY)


@contextmanager
def full_disk(kit: Kit) -> Iterator[None]:
    """a small disk gets nearly full"""
    image, disk = kit.machine.folder / "disk.img", kit.machine.folder / "disk"
    disk.mkdir()
    with image.open("wb") as file:
        file.truncate(30 * 2**20)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(image)], check=True)
    subprocess.run(["mount", "-o", "loop", str(image), str(disk)], check=True)
    try:
        (disk / "log").write_bytes(bytes(int(shutil.disk_usage(disk).free * 0.95)))
        yield
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@contextmanager
def few_descriptors(kit: Kit) -> Iterator[None]:
    """a web process has used seven tenths of its open files"""
    pid = kit.services.processes[kit.web[0]].pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    count = len(os.listdir(f"/proc/{pid}/fd"))
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (int(count / 0.72), before[1]))
    yield
    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


@contextmanager
def halting_processes(kit: Kit) -> Iterator[None]:
    """web processes get no processor for half of the time"""
    with repeating(lambda: halt(kit)):
        yield


def halt(kit: Kit) -> None:
    for unit in kit.web:
        kit.services.processes[unit].send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        kit.services.processes[unit].send_signal(signal.SIGCONT)


@contextmanager
def locked_rows(kit: Kit) -> Iterator[None]:
    """somebody locks the matches, for two seconds again and again"""
    with repeating(lambda: lock_matches(kit, 2)):
        yield


@contextmanager
def long_lock(kit: Kit) -> Iterator[None]:
    """somebody locks the matches while many spectators come"""
    slug = json.loads(kit.commands().manage("shell", "-c", SLUG_CODE).splitlines()[-1])
    with repeating(lambda: lock_matches(kit, 60)):
        time.sleep(1)
        threading.Thread(target=lambda: asyncio.run(open_pages(kit, slug)), daemon=True).start()
        yield


SLUG_CODE = """
import json
from games.models import Match
print(json.dumps(Match.objects.values_list("slug", flat=True)[0]))
"""


async def open_pages(kit: Kit, slug: str) -> None:
    tls = certificate_context(kit.proxy)
    pages = [Page(kit.proxy.url, tls, slug, "") for _ in range(80)]
    await asyncio.gather(*(page.open() for page in pages), return_exceptions=True)
    await asyncio.sleep(FIRING_SECONDS)


def lock_matches(kit: Kit, seconds: float) -> None:
    with psycopg.connect(kit.database) as connection:
        connection.execute("LOCK TABLE games_match IN ACCESS EXCLUSIVE MODE")
        RELEASE.wait(seconds)


RELEASE = threading.Event()


@contextmanager
def repeating(act: Callable[[], object]) -> Iterator[None]:
    """Repeat an act in a thread, with short pauses."""
    RELEASE.clear()

    def repeat() -> None:
        while not RELEASE.wait(0.3):
            act()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        RELEASE.set()
        thread.join()


@contextmanager
def missing_table(kit: Kit) -> Iterator[None]:
    """a table of the database has another name"""
    tls = certificate_context(kit.proxy)
    with psycopg.connect(kit.database, autocommit=True) as connection:
        connection.execute("ALTER TABLE games_puzzle RENAME TO games_puzzle_away")
        for _ in range(12):
            get_status(kit.proxy, tls, "/puzzles/")
        yield
        connection.execute("ALTER TABLE games_puzzle_away RENAME TO games_puzzle")


@contextmanager
def dead_process(kit: Kit) -> Iterator[None]:
    """kill -9 of a web process"""
    kit.services.end(kit.web[0], signal.SIGKILL)
    yield
    kit.services.start(kit.web[0])


@contextmanager
def dead_clocks(kit: Kit) -> Iterator[None]:
    """kill -9 of both clocks"""
    for unit in kit.clocks:
        kit.services.end(unit, signal.SIGKILL)
    yield
    kit.services.start(*kit.clocks)


@contextmanager
def no_redis(kit: Kit) -> Iterator[None]:
    """Redis is stopped"""
    kit.redis.stop()
    yield
    kit.redis.start()


@contextmanager
def no_database(kit: Kit) -> Iterator[None]:
    """PostgreSQL is stopped"""
    control_postgres(kit.database, "stop")
    yield
    control_postgres(kit.database, "restart")


# What has to fire, in an order in which no break makes the alert of a later one fire.
BREAKS: dict[Callable[[Kit], AbstractContextManager[None]], Sequence[str]] = {
    old_backup: ["DominoesBackupTooOld"],
    failing_boards: ["DominoesBoardsLate"],
    full_disk: ["DominoesDiskNearlyFull"],
    few_descriptors: ["DominoesDescriptors"],
    dead_process: ["DominoesProcessDead"],
    refused_mail: ["DominoesMailFailing", "DominoesErrorLogged"],
    missing_table: ["DominoesErrorRate"],
    dead_clocks: ["DominoesClockDead", "DominoesTablesLate"],
    no_redis: ["DominoesRedisAway"],
    no_database: ["DominoesDatabaseAway"],
    locked_rows: ["DominoesMovesSlow"],
    halting_processes: ["DominoesOverloaded"],
    long_lock: ["DominoesDatabaseSlow"],
}


def show(kit: Kit, prometheus: Prometheus, fault: Callable[[Kit], AbstractContextManager[None]]) -> bool:
    """Break something until its alerts fire, and print when each did. Return whether all did."""
    before, waiting = prometheus.firing(), set(BREAKS[fault])
    print(f"{fault.__doc__}:", flush=True)
    for alert in sorted(waiting & before.keys()):
        print(f"  {alert} fired before")
    began = time.monotonic()
    with fault(kit):
        while waiting and time.monotonic() < began + FIRING_SECONDS:
            firing = prometheus.firing()
            for alert in sorted(waiting & firing.keys()):
                print(f"  {alert} after {time.monotonic() - began:.0f} s: {firing[alert]}", flush=True)
            waiting -= firing.keys()
            time.sleep(0.5)
    for alert in sorted(waiting):
        print(f"  {alert} DID NOT FIRE")
    return not waiting


async def play(tables: Sequence[BusyTable]) -> None:
    await asyncio.gather(*(table.play_on() for table in tables), return_exceptions=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    alerts = [alert for names in BREAKS.values() for alert in names]
    parser.add_argument("--only", nargs="+", choices=alerts, default=alerts)
    options = parser.parse_args()
    chosen = [fault for fault, names in BREAKS.items() if set(names) & set(options.only)]
    with (
        TemporaryDirectory() as folder,
        socketserver.ThreadingTCPServer(("127.0.0.1", 0), RefusingMailServer) as mail,
    ):
        threading.Thread(target=mail.serve_forever, daemon=True).start()
        address = f"smtp://localhost:{mail.server_address[1]}"
        with running_kit(Path(folder), METRICS_TOKEN=TOKEN, EMAIL_URL=address) as kit:
            tables = seat_players(kit, TABLES)
            threading.Thread(target=lambda: asyncio.run(play(tables)), daemon=True).start()
            prometheus = Prometheus(Path(folder) / "prometheus", kit)
            with prometheus.running():
                results = [show(kit, prometheus, fault) for fault in chosen]
        mail.shutdown()
    print(f"{sum(results)} of {len(results)} breaks made all their alerts fire; load {os.getloadavg()[0]:.1f}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
