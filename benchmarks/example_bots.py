"""The example bots: ``python -m benchmarks.example_bots [--matches 100] [--length quick] [--positions 1000]``.

Plays matches of every game between processes of ``random_bot.py`` on a site of its own, each to its end, in which no
move may be made for a bot. Then asks ``engine_bot.py`` for its move in positions of random matches, which must be that
of ``games.bots.choose_move``. Exits with 1 if a match or a move is wrong.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.stacks import disable_limits, running_services
from games.bots import choose_move
from games.bots.levels import LEVELS
from games.engine.bench import Program
from games.engine.variants import registry, rules_for
from games.engine.view import view_for
from tests.engine.positions import somewhere
from tests.programs import ROOT
from tests.server import Server

EXAMPLES = ROOT / "examples" / "bots"
PAIRS = 5  # of bots, each with a process
MATCHES_AT_ONCE = 3  # of a pair: a bot may sit at few tables
POLL_SECONDS = 2.0
STALL_SECONDS = 600.0  # the longest time without a match that ends
CREATE_CODE = """
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from accounts.bots import create_bot
from accounts.models import User
from accounts.tokens.issuing import create_token
answer = []
for number in range({pairs}):
    owner = User.objects.create_user(f"owner{{number}}", date_joined=timezone.now() - timedelta(days=30))
    with transaction.atomic():
        bots = [create_bot(owner=owner, name=f"{{name}} {{number}}") for name in ("Roller", "Tumbler")]
    answer.append([(bot.pk, create_token(user=bot, name="bot", scopes=["read", "bot:play"])) for bot in bots])
"""
START_CODE = """
from games.engine.options import LENGTH_OPTION
from games.engine.variants import rules_for
from games.lobby import bot_tables
from accounts.models import User
answer = []
bot_tables.MAX_TABLES_PER_DAY = 10_000
for variant, host, guest in {tables!r}:
    options = {{"length": {length!r}}} if LENGTH_OPTION in rules_for(variant).options else {{}}
    host, guest = User.objects.get(pk=host), User.objects.get(pk=guest)
    match = bot_tables.open_table(bot=host, variant=variant, seats=2, options=options, clock="none")
    bot_tables.sit(match=match, bot=guest, index=None)
    answer.append(match.slug)
"""
STATUS_CODE = """
from games.models import Match
answer = list(Match.objects.exclude(status__in=("open", "running")).values_list("slug", "status"))
"""
MOVES_CODE = """
import json
from games.models import MatchEvent
rows = MatchEvent.objects.filter(kind__in=("played", "drew", "passed"))
answer = [rows.count(), sum(1 for data in rows.values_list("data", flat=True) if json.loads(data).get("by"))]
"""


@contextmanager
def random_bots(server: Server, tokens: Sequence[str]) -> Iterator[None]:
    log = (server.folder / "bots.log").open("wb")
    commands = [[sys.executable, str(EXAMPLES / "random_bot.py"), server.url, token] for token in tokens]
    processes = [subprocess.Popen(command, stderr=log) for command in commands]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def play_matches(server: Server, matches: int, length: str) -> list[str]:
    """Play this many matches of every game; return what went wrong."""
    pairs = server.run_code(CREATE_CODE.format(pairs=PAIRS))
    waiting = [variant for _number in range(matches) for variant in registry()]
    running: dict[str, tuple[int, str]] = {}  # the pair and the game of each match
    ended: dict[str, str] = {}
    begin = progress = time.monotonic()
    with random_bots(server, [token for pair in pairs for _pk, token in pair]):
        while (waiting or running) and time.monotonic() < progress + STALL_SECONDS:
            busy = [pair for pair, _variant in running.values()]
            free = [pair for pair in range(PAIRS) for _match in range(MATCHES_AT_ONCE - busy.count(pair))]
            chosen = [(pair, waiting.pop()) for pair in free[: len(waiting)]]
            tables = [(variant, pairs[pair][0][0], pairs[pair][1][0]) for pair, variant in chosen]
            slugs = server.run_code(START_CODE.format(tables=tables, length=length)) if tables else []
            running |= dict(zip(slugs, chosen, strict=True))
            for slug, status in server.run_code(STATUS_CODE):
                if slug in running:
                    ended[slug], progress = f"{running.pop(slug)[1]} {status}", time.monotonic()
            time.sleep(POLL_SECONDS)
    moves, foreign_moves = server.run_code(MOVES_CODE)
    counts = {name: list(ended.values()).count(name) for name in sorted(set(ended.values()))}
    seconds = time.monotonic() - begin
    print(
        f"{len(ended)} matches in {seconds:.0f} s, {moves} moves, {foreign_moves} made by others; {counts}; load "
        f"{os.getloadavg()[0]:.1f}",
        flush=True,
    )
    problems = [f"{foreign_moves} moves were made for a bot"] * bool(foreign_moves)
    problems += [
        f"{variant} was not finished {matches} times"
        for variant in registry()
        if counts.get(f"{variant} finished", 0) < matches
    ]
    return problems + [f"in the log: {line}" for line in server.errors()]


def compare_engine_bot(positions: int) -> list[str]:
    """Ask the bot for its move in random positions of every game, at every level; return other moves."""
    problems: list[str] = []
    per_level = positions // (len(registry()) * len(LEVELS))
    for level in LEVELS:
        with Program([sys.executable, str(EXAMPLES / "engine_bot.py"), level]) as program:
            for variant in registry():
                rules = rules_for(variant)
                for number in range(per_level):
                    state = somewhere(rules, number, 2, number % 40)
                    seat: Any = state.round.to_move
                    answer = program.move(state, seat, is_turn=True)
                    expected = choose_move(view_for(rules, state, seat), level, program.version)
                    problems += [f"{variant}, {level}, {number}: {answer} instead of {expected}"] * (
                        answer != expected
                    )
    print(f"{per_level * len(registry()) * len(LEVELS)} positions, {len(problems)} other moves", flush=True)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=100, help="of each game")
    parser.add_argument("--length", default="quick", help="quick or full")
    parser.add_argument("--positions", type=int, default=1000)
    options = parser.parse_args()
    problems = compare_engine_bot(options.positions) if options.positions else []
    if options.matches:
        disable_limits()
        os.environ |= {"NONCE_SECONDS": "0", "PACE": "0.2"}
        with running_services("sqlite"), TemporaryDirectory() as folder, Server(Path(folder)) as server:
            problems += play_matches(server, options.matches, options.length)
    print(*problems[:20] or ["passed"], sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
