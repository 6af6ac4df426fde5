"""Streams of programs that are cut: ``python -m benchmarks.stream_cuts [--tables 100] [--cuts 3]``.

Two bots play at each table on a whole site (``benchmarks.kit``), each with an open stream. All connections of streams
are lost at once, then a web process is killed with kill -9 and started again, and at last tokens are revoked. Prints
how long the streams were away, the lines that were not whole, the acknowledged moves that are missing in the records,
and the time until the stream of a revoked token ended. Exits with 1 if a move is missing, a line is not whole or a
stream of a revoked token stays open for more than a second.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")

from benchmarks.faults import RESTARTS, certificate_context
from benchmarks.kit import Kit, running_kit
from benchmarks.records import move_after, read_records
from benchmarks.stream_bots import StreamBot, percentile, seed_bots
from games.engine.events import Event

CALM_SECONDS = 8.0
RECOVERY_SECONDS = 120.0
PAUSE_SECONDS = 2.0  # before a move
REVOKED_TOKENS = 20
MAX_REVOCATION_SECONDS = 1.0
REVOKE_CODE = """
from accounts.models import ApiToken
from accounts.tokens.issuing import revoke_token
from accounts.tokens.selectors import token_digest
token = ApiToken.objects.get(digest=token_digest({!r}))
revoke_token(user=token.user, token_id=token.pk)
answer = True
"""


def bots_at(kit: Kit, seeded: Sequence[dict[str, Any]]) -> list[StreamBot]:
    tls, port = certificate_context(kit.proxy), kit.proxy.https_port
    return [
        StreamBot(port, row["slug"], token, Random(token), tls, PAUSE_SECONDS)
        for row in seeded
        for token in row["tokens"]
    ]


async def wait_until_all_play(bots: Sequence[StreamBot], since: float) -> bool:
    """Wait until every stream has a line after this time and every table a move. Return whether it came to that."""
    deadline = time.perf_counter() + RECOVERY_SECONDS
    slugs = {bot.slug for bot in bots}
    while time.perf_counter() < deadline:
        moved = {bot.slug for bot in bots if bot.acknowledged and bot.acknowledged[-1][0] > since}
        if all(bot.is_open for bot in bots) and moved == slugs:
            return True
        await asyncio.sleep(0.2)
    return False


async def cut_streams(kit: Kit, bots: Sequence[StreamBot]) -> None:
    for bot in bots:
        bot.cut()


async def kill_process(kit: Kit, bots: Sequence[StreamBot]) -> None:
    await asyncio.to_thread(kit.services.end, kit.web[0], signal.SIGKILL)
    await asyncio.sleep(3)
    await asyncio.to_thread(kit.services.start, kit.web[0])


async def measure(kit: Kit, bots: Sequence[StreamBot], cuts: int) -> list[str]:
    """Cut the streams several times in both ways, then revoke tokens. Return what went wrong."""
    tasks = [asyncio.create_task(bot.play()) for bot in bots]
    problems = [] if await wait_until_all_play(bots, 0.0) else ["not all bots began to play"]
    for name, cut in [("connections", cut_streams), ("kill -9", kill_process)] * cuts:
        await asyncio.sleep(CALM_SECONDS)
        began, earlier = time.perf_counter(), [len(bot.absences) for bot in bots]
        await cut(kit, bots)
        if not await wait_until_all_play(bots, time.perf_counter()):
            problems.append(f"{name}: not all bots play again")
        absences = [
            back - lost
            for bot, count in zip(bots, earlier, strict=True)
            for lost, back in bot.absences[count:]
            if lost >= began
        ]
        print(
            f"{name}: {len(absences)} streams cut, back after p50 {percentile(absences, 0.5):.1f} s, max "
            f"{max(absences, default=0):.1f} s; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    problems += await measure_revocations(kit, bots[:REVOKED_TOKENS])
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return problems


async def measure_revocations(kit: Kit, bots: Sequence[StreamBot]) -> list[str]:
    """Revoke tokens one by one; return those whose streams stayed open for too long."""
    site, waits = kit.commands(), []
    await asyncio.to_thread(site.run_code, "answer = 1")
    for bot in bots:
        bot.ended_at = 0.0
        await asyncio.to_thread(site.run_code, REVOKE_CODE.format(bot.token))
        committed = time.perf_counter()
        while not bot.ended_at and time.perf_counter() < committed + 20:
            await asyncio.sleep(0.005)
        waits.append(bot.ended_at - committed if bot.ended_at else 20.0)
    if site.shell:
        site.shell.end()
    print(
        f"{len(waits)} tokens revoked: their streams ended after p50 {1000 * percentile(waits, 0.5):.0f} ms, max "
        f"{1000 * max(waits):.0f} ms",
        flush=True,
    )
    return [f"a stream stayed open for {wait:.1f} s" for wait in waits if wait > MAX_REVOCATION_SECONDS]


def missing_moves(bots: Sequence[StreamBot], records: Mapping[str, Sequence[Event]]) -> list[str]:
    return [
        f"{bot.slug}: {move} after version {version} is missing"
        for bot in bots
        for _sent, version, move in bot.acknowledged
        if move_after(records[bot.slug], version) != move
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--cuts", type=int, default=3, help="times that streams are cut in each way")
    options = parser.parse_args()
    with TemporaryDirectory() as folder, running_kit(Path(folder), spread=False, first="", **RESTARTS) as kit:
        bots = bots_at(kit, seed_bots(kit.commands(), options.tables))
        problems = asyncio.run(measure(kit, bots, options.cuts))
        missing = missing_moves(bots, read_records(kit.commands()))
        problems += [f"log: {line}" for line in sorted(set(kit.errors()))]
    moves, cut_lines = sum(len(bot.acknowledged) for bot in bots), sum(bot.cut_lines for bot in bots)
    unwhole = [problem for bot in bots for problem in bot.problems]
    print(
        f"{len(bots)} streams, {sum(bot.lines for bot in bots)} lines, {cut_lines} cut in the middle; after "
        f"{sum(len(bot.absences) for bot in bots)} interruptions {len(unwhole)} lines not whole; {moves} moves "
        f"acknowledged, {len(missing)} missing"
    )
    problems += missing + unwhole
    print(*problems[:20] or ["passed"], sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
