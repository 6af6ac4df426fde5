"""Several machines, each in a network namespace: two web machines, a clock, PostgreSQL and Redis, and nginx in front.

``python benchmarks/machines.py [--tables 8]`` starts the site as in docs/operation/scaling.md, with people at tables,
and takes the network of one machine away for 20 seconds: first that of a web machine, then that of Redis. Fails if an
acknowledged move is missing, a page does not come back, or a table stands that does not depend on that machine. Needs
root, for the namespaces.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.faults import (
    OUTAGE_SECONDS,
    Limits,
    Period,
    failures,
    missing_moves,
    nothing,
    run_faults,
    seat_players,
)
from benchmarks.kit import Kit, RedisServer, add_settings, postgres_server
from benchmarks.records import read_records
from benchmarks.returning_pages import BusyTable
from scripts.with_services import start_postgres
from tests.databases import create_database
from tests.deploy.machine import Machine
from tests.deploy.services import Services
from tests.proxy import Proxy

BRIDGE = "dominoes"  # the network; this machine is the proxy
NETWORK = "10.77.0"
NUMBERS = {"proxy": 10, "web1": 11, "web2": 12, "clock": 13, "postgres": 14, "redis": 15}
UNITS = {
    "dominoes-web@8001": "web1",
    "dominoes-web@8002": "web1",
    "dominoes-web@8003": "web2",
    "dominoes-web@8004": "web2",
    "dominoes-clock@9001": "clock",
}
PAUSE_SECONDS = 1.5


def address(machine: str) -> str:
    return f"{NETWORK}.{NUMBERS[machine]}"


def namespace(machine: str) -> str:
    return f"{BRIDGE}-{machine}"


def cable(machine: str) -> str:
    """Return the device that connects a machine to the bridge."""
    return f"dom-{machine}"


def inside(machine: str) -> list[str]:
    """Return the beginning of a command that runs on a machine."""
    return ["ip", "netns", "exec", namespace(machine)]


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


@contextmanager
def network() -> Iterator[None]:
    """A bridge with a namespace for each machine."""
    with ExitStack() as cleanup:
        ip("link", "add", BRIDGE, "type", "bridge")
        cleanup.callback(ip, "link", "delete", BRIDGE)
        ip("address", "add", f"{address('proxy')}/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for machine in NUMBERS.keys() - {"proxy"}:
            ip("netns", "add", namespace(machine))
            cleanup.callback(ip, "netns", "delete", namespace(machine))
            ip("link", "add", cable(machine), "type", "veth", "peer", "name", "eth0", "netns", namespace(machine))
            cleanup.callback(ip, "link", "delete", cable(machine))
            ip("link", "set", cable(machine), "master", BRIDGE, "up")
            ip("-n", namespace(machine), "address", "add", f"{address(machine)}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", namespace(machine), "link", "set", device, "up")
        yield


class MachineServices(Services):
    """Runs each unit on its machine, where it listens in the network."""

    def host(self, unit: str) -> str:
        return address(UNITS[unit])

    def command(self, unit: str) -> list[str]:
        command = ["0.0.0.0" if word == "127.0.0.1" else word for word in super().command(unit)]
        metrics = ["--metrics-host", "0.0.0.0"] if "clock" in command else []
        return [*inside(UNITS[unit]), *command, *metrics]


def move_postgres(database: str) -> str:
    """Let PostgreSQL listen on its machine, and return the address of a database there."""
    server, parts = postgres_server(database), urlsplit(database)
    with (server.pgdata / "pg_hba.conf").open("a") as file:
        file.write(f"host all all {NETWORK}.0/24 trust\n")
    folder = parts.query.removeprefix("host=")
    options = ["-o", f"-h {address('postgres')} -k {folder}", "-m", "fast", "-D", str(server.pgdata)]
    as_user = ["setpriv", f"--reuid={server.system_user}", "--clear-groups"] if server.system_user else []
    command = [*inside("postgres"), *as_user, str(server.bin_path / "pg_ctl"), "-w", *options]
    subprocess.run([*command, "-l", str(server.log), "restart"], check=True, stdout=subprocess.DEVNULL)
    return f"postgresql://{parts.username}@{address('postgres')}{parts.path}"


@contextmanager
def running_machines(folder: Path) -> Iterator[Kit]:
    with ExitStack() as cleanup:
        cleanup.enter_context(network())
        redis_server = RedisServer(folder / "redis", address("redis"), inside("redis"))
        redis_server.start()
        cleanup.callback(redis_server.stop)
        database = create_database(start_postgres(cleanup))
        machine = Machine(folder, database=move_postgres(database))
        add_settings(machine, redis_server)
        machine.create_repository()
        machine.dominoes("update")
        machine.services = MachineServices(folder, machine.environment)
        cleanup.callback(machine.services.stop, *UNITS)
        machine.services.start(*UNITS)
        web = [unit for unit in UNITS if "web" in unit]
        proxy = Proxy(folder / "nginx", [], machine.root)
        write_upstream(proxy, web)
        cleanup.enter_context(proxy.running())
        yield Kit(machine, proxy, redis_server, database, web, [unit for unit in UNITS if unit not in web])


def write_upstream(proxy: Proxy, web: Sequence[str]) -> None:
    """Name the web processes, and let each answer name the one that a page uses."""
    lines = [f"server {address(UNITS[unit])}:{unit.partition('@')[2]} max_fails=0;\n" for unit in web]
    (proxy.folder / "dominoes" / "upstream.conf").write_text("".join(lines))
    text = proxy.configuration.read_text()
    header = "location / {\n            add_header X-Upstream $upstream_addr always;\n            proxy_pass"
    proxy.configuration.write_text(text.replace("location / {\n            proxy_pass", header))


class Cut:
    """Takes the network of a machine away for a while, and notes on which machine each table was."""

    def __init__(self, machine: str, tables: Sequence[BusyTable]) -> None:
        self.machine, self.tables = machine, tables
        self.independent: list[BusyTable] = []  # tables that must go on

    async def __call__(self, kit: Kit) -> None:
        self.independent = [table for table in self.tables if self.machine not in self.machines_of(table)]
        await asyncio.to_thread(ip, "link", "set", cable(self.machine), "down")
        await asyncio.sleep(OUTAGE_SECONDS)
        await asyncio.to_thread(ip, "link", "set", cable(self.machine), "up")

    def machines_of(self, table: BusyTable) -> set[str]:
        """Return the web machines that the pages of a table use."""
        sockets = [page.socket for page in table.screens if page.socket]
        upstreams = {socket.response.headers["X-Upstream"] for socket in sockets if socket.response}
        hosts = {upstream.rpartition(", ")[2].partition(":")[0] for upstream in upstreams}
        return {machine for machine in NUMBERS if address(machine) in hosts}


def report(cut: Cut, period: Period) -> Iterator[str]:
    """Print how the tables went on, and yield what should not be."""
    dependent = [table for table in cut.tables if table not in cut.independent]
    for text, tables in (("independent of", cut.independent), ("on", dependent)):
        if tables:
            gap = max(table.longest_gap(period.begin, period.end) for table in tables)
            print(f"{period.name:17} {len(tables)} tables {text} {cut.machine}: longest gap {gap:.1f} s")
            if tables is cut.independent and gap > Limits().gap:
                yield f"{period.name}: a table stood still that did not depend on the machine"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=8)
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("Network namespaces need root.")
    with TemporaryDirectory() as folder, running_machines(Path(folder)) as kit:
        tables = seat_players(kit, options.tables, PAUSE_SECONDS)
        cuts = {f"{machine}_cut": Cut(machine, tables) for machine in ("web1", "redis")}
        periods = asyncio.run(run_faults(kit, tables, ["nothing", *cuts], faults={"nothing": nothing, **cuts}))
        records = read_records(kit.commands())
    problems = []
    for period in periods:
        missing = missing_moves(tables, records, period)
        print(f"{period.name:17} {len(missing)} moves acknowledged, {sum(missing)} of them missing")
        problems += [f"{period.name}: moves are missing"] * any(missing)
        problems += failures(period, tables, Limits(away_p95=math.inf, away=math.inf))
        problems += report(cuts[period.name], period) if period.name in cuts else []
    print("\n".join(problems) or "No cut lost a move, and the tables on other machines went on.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
