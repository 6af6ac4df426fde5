"""What attacks of one visitor cost the players at the tables, and the site.

``python benchmarks/attack.py [--before PATH] [--only sqlite] [--attack NAME ...] [--same-address] [--quick]`` has the
same players move at eight tables quietly and under each attack in turn, on a server of its own for each, and prints a
table: moves in ten seconds, the median wait for a move, the most memory (resident, of the process that serves, without
the bots') and descriptors, which answers the attackers got and how many errors the server logged. ``--before`` does
the same on another checkout, an older one for example, first.

The attackers have a process and a loopback address of their own (127.0.0.2 on; with ``--same-address`` that of the
players). On two cores they, the players and the server share both, so a part of what the players lose is theirs: judge
by the ratio, on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.health import resident_of  # noqa: E402
from benchmarks.stacks import STACKS, started  # noqa: E402
from benchmarks.steady import Waits, players, watch  # noqa: E402
from tests.server import Server  # noqa: E402

CALM = 2.0
FEWEST_MOVES = 0.9
LONGEST_WAIT = 2.0
MOST_MEMORY = 300.0
PLAYERS = "127.0.0.1"
OTHERS = [f"127.0.0.{last}" for last in range(2, 8)]


@dataclass(frozen=True, slots=True)
class Attack:
    """``count`` of a kind (see benchmarks/attackers.py), measured from ``lead`` seconds after its beginning."""

    title: str
    kind: str
    count: int
    lead: float = 0.0
    under: tuple[str, ...] = ()

    def smaller(self) -> Attack:
        return Attack(self.title, self.kind, math.ceil(self.count / 50), 0.5, self.under)


ATTACKS = {
    "pages": Attack("2,000 pages, 20 at once", "pages", 2000),
    "few-files": Attack("600 pages at ulimit -n 1024", "pages", 600, under=("prlimit", "--nofile=1024:1024")),
    "bodies": Attack("two bodies of 1.5 GB", "bodies", 1_500_000_000),
    "whole-bodies": Attack("300 whole bodies at once", "whole_bodies", 300),
    "chunks": Attack("4 bodies in one-byte chunks", "chunks", 4, lead=0.5),
    "log-ins": Attack("ten log-ins at once", "log_ins", 10),
    "many-log-ins": Attack("sixty log-ins at once", "log_ins", 60),
    "sockets": Attack("200 sockets, ready", "sockets", 200, lead=3.0),
    "many-sockets": Attack("600 sockets, ready", "sockets", 600, lead=6.0),
    "reconnecting": Attack("30 at once reconnecting", "reconnecting", 30, lead=3.0),
    "fragments": Attack("20 sockets, one-byte fragments", "fragments", 20, lead=3.0),
    "empty-fragments": Attack("20 sockets, empty fragments", "empty_fragments", 20, lead=3.0),
    "pings": Attack("20 sockets, pings", "pings", 20, lead=3.0),
    "pongs": Attack("20 sockets, pongs", "pongs", 20, lead=3.0),
}


@dataclass
class Figures:
    """What one attack did; memory in MB."""

    quiet: Waits = field(default_factory=Waits)
    attacked: Waits = field(default_factory=Waits)
    memory: float = 0.0
    descriptors: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    errors: int = 0

    @property
    def moves_kept(self) -> float:
        return self.attacked.in_ten_seconds / self.quiet.in_ten_seconds

    @property
    def wait_ratio(self) -> float:
        return self.attacked.median_ms / self.quiet.median_ms

    def verdict(self) -> str:
        """Say what is worse than promised, "held" if nothing is."""
        worse = {
            "moves": self.moves_kept < FEWEST_MOVES,
            "wait": not self.wait_ratio <= LONGEST_WAIT,
            "memory": self.memory > MOST_MEMORY,
            "errors": self.errors > 0,
        }
        return ", ".join(name for name, is_worse in worse.items() if is_worse) or "held"


@asynccontextmanager
async def under(attack: Attack, target: dict[str, Any], answers: Counter[str]) -> AsyncIterator[None]:
    """Let attackers begin, and wait until they have ended."""
    command = [sys.executable, "-m", "benchmarks.attackers", attack.kind, json.dumps(target)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    try:
        assert await asyncio.to_thread(process.stdout.readline) == "here\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        await asyncio.sleep(attack.lead)
        yield
        answers.update(json.loads((await asyncio.to_thread(process.communicate))[0]))
    finally:
        process.kill()
        process.wait()


async def look_at(pid: int, into: Figures) -> None:
    """Note the most memory and descriptors that a process has, until cancelled."""
    while True:
        with suppress(OSError):
            into.memory = max(into.memory, resident_of(pid) / 1024)
            into.descriptors = max(into.descriptors, sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir()))
        await asyncio.sleep(0.1)


async def measure(server: Server, attack: Attack, sources: Sequence[str], seconds: float, rounds: int) -> Figures:
    """Let the players play quietly and under attack, in turn."""
    figures = Figures()
    looking = asyncio.create_task(look_at(server.pid, figures))
    async with players(server) as tables:
        target = {"port": server.port, "slug": tables[0].slug, "sources": sources, "count": attack.count}
        for _ in range(rounds):
            await watch(tables, seconds, figures.quiet)
            async with under(attack, target | {"seconds": attack.lead + seconds}, figures.answers):
                await watch(tables, seconds, figures.attacked)
            await asyncio.sleep(CALM)
    looking.cancel()
    figures.errors = len(server.errors())
    return figures


HEAD = ("attack", "tree", "moves in 10 s", "kept", "median wait, ms", "times", "RSS, MB", "files", "answers", "errors")
WIDTHS = (30, 7, 15, 5, 17, 6, 8, 6, 34, 6)


def row(title: str, tree: str, figures: Figures) -> tuple[str, ...]:
    """Return the cells of a line, in the order of ``HEAD``."""
    quiet, attacked = figures.quiet, figures.attacked
    answers = ", ".join(f"{status} x {count}" for status, count in sorted(figures.answers.items()))
    return (
        title,
        tree,
        f"{quiet.in_ten_seconds:.0f} -> {attacked.in_ten_seconds:.0f}",
        f"{figures.moves_kept:.2f}",
        f"{quiet.median_ms:.1f} -> {attacked.median_ms:.1f}",
        f"{figures.wait_ratio:.1f}",
        f"{figures.memory:.0f}",
        str(figures.descriptors),
        answers,
        str(figures.errors),
    )


def say(cells: Sequence[str], verdict: str) -> None:
    line = " | ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True))
    print(f"{line} | {verdict}", flush=True)


def trees(before: Path | None, tree: Path) -> Iterator[tuple[str, Path]]:
    if before:
        yield "before", before.resolve()
    yield ("after" if before else "this"), tree.resolve()


def run(attack: Attack, checkouts: Sequence[tuple[str, Path]], given: argparse.Namespace) -> bool:
    """Print a line for each checkout; return whether the last held."""
    verdict = ""
    for name, root in checkouts:
        with (
            TemporaryDirectory(prefix="dominoes-attack-") as folder,
            Server(Path(folder), root=root, under=attack.under) as server,
        ):
            sources = [PLAYERS] if given.same_address else OTHERS
            figures = asyncio.run(measure(server, attack, sources, given.seconds, given.rounds))
        verdict = figures.verdict()
        say(row(attack.title, name, figures), verdict)
    return verdict == "held"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to attack (default: this one)")
    parser.add_argument("--before", type=Path, help="a checkout to compare with")
    parser.add_argument("--only", choices=STACKS)
    parser.add_argument("--attack", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--same-address", action="store_true", help="attack from the address of the players")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=1, help="how often quiet and attacked players take turns")
    parser.add_argument("--quick", action="store_true", help="a fiftieth of each attack, on SQLite")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    attacks = [ATTACKS[name] for name in given.attack]
    if given.quick:
        given.only, given.seconds, attacks = "sqlite", 2.0, [attack.smaller() for attack in attacks]
    checkouts = list(trees(given.before, given.tree))
    held = True
    for name in [given.only] if given.only else STACKS:
        with started(name):
            say(HEAD, "verdict")
            for attack in attacks:
                held &= run(attack, checkouts, given)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
