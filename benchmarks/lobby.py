"""The lobby with tournaments, relative to one without: ``python -m benchmarks.lobby [--rounds 15] [--only sqlite]``.

Two sites have the same tables. At one, 30 tournaments are announced or played. The output is, for SQLite and for
PostgreSQL: the queries and the CPU time of the page and of its lists at both, measured alternately, and the median of
the ratios. Fails if the lists differ, or if the lobby takes more queries or more than ``MAX_RATIO`` times as long.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.stacks import SERVICE_SETUPS, disable_limits, running_services
from tests.server import Server

REPEATS = 5  # pages in a row at one site
MAX_RATIO = 1.1


def run_on(server: Server, call: str) -> Any:
    """Call a function of ``benchmarks.lobby_site`` in a process of the site."""
    return server.run_code(f"from benchmarks import lobby_site\nanswer = lobby_site.{call}")


def seeded_site(folder: Path, cleanup: ExitStack, tournaments: int) -> Server:
    """Return a site with tables and tournaments. It is stopped: no clock changes them during the measurement."""
    server = cleanup.enter_context(Server(folder, NONCE_SECONDS="0", SCHEDULED_TOURNAMENTS="0"))
    server.stop()
    run_on(server, "seed_tables()")
    playing = run_on(server, f"seed_tournaments({tournaments})")
    print(f"{tournaments} tournaments with {playing} tables at play", flush=True)
    return server


def compare(plain: Server, busy: Server, rounds: int) -> list[str]:
    """Print the figures of both sites and return what is worse with tournaments."""
    queries = [run_on(server, "count_queries()") for server in (plain, busy)]
    listed = [run_on(server, "listed_tables()") for server in (plain, busy)]
    times = [[run_on(server, f"measure({REPEATS})") for server in (plain, busy)] for _ in range(rounds)]
    problems = ["the lists differ"] * (listed[0] != listed[1])
    for name in queries[0]:
        pairs = [(before[name], after[name]) for before, after in times]
        ratio = median(after / before for before, after in pairs)
        without, with_them = (median(values) for values in zip(*pairs, strict=True))
        print(
            f"{name:>18}: {queries[0][name]} and {queries[1][name]} queries, {without:.1f} and {with_them:.1f} ms, "
            f"ratio {ratio:.2f}",
            flush=True,
        )
        problems += [f"{name}: more queries"] * (queries[1][name] > queries[0][name])
        problems += [f"{name}: slower"] * (ratio > MAX_RATIO)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=15, help="measurements of each site")
    parser.add_argument("--only", choices=SERVICE_SETUPS)
    options = parser.parse_args()
    disable_limits()
    problems = []
    for name in [options.only] if options.only else SERVICE_SETUPS:
        with running_services(name), TemporaryDirectory() as folder, ExitStack() as cleanup:
            sites = [
                seeded_site(Path(folder) / part, cleanup, count)
                for part, count in (("plain", 0), ("busy", options.tournaments))
            ]
            problems += [f"{name}: {problem}" for problem in compare(sites[0], sites[1], options.rounds)]
    print("\n".join(problems) or "The lobby is not slower with tournaments.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
