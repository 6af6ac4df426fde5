"""Of four sockets one is killed in mid-round: what the others wait, and whether its owner gets the seat back.

``python -m benchmarks.kills [--kills 200] [--tables 50] [--clock relaxed]``: people play on, a move every few seconds.
At each table one connection after the other breaks without a word, and its owner stays away until a bot has moved. At
every other table the others say "go on with the bot", at the rest they say nothing. Half of the owners come back while
the bot thinks. The figures come from the records: the *extra* wait is what the absent player's turn took, from its
begin to the bot's move, less an ordinary turn. It is printed as a share of the free time of a move, and of what that
move may take: the free time, and what the absent player's bank still had.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks import stacks
from benchmarks.agents import ASKED, Agent
from benchmarks.players import seed
from games.match.time_control import CONTROLS
from tests.server import Server

THINKS = 1.0, 4.0
PLAYED_BEFORE = 5.0, 30.0
AWAY_AFTER = 0.0, 10.0
BOT_THINKS = 0.0, 2.0
PATIENCE = 180
"""Seconds after which whatever has not happened will not."""
SEATS = 4
MOVES = ("played", "drew", "passed")
RECORDS = """
import json
from games.models import MatchEvent
NAMES = ("seat", "to_move", "by")
rows = MatchEvent.objects.order_by("match_id", "seq").values_list("match__slug", "kind", "at", "data")
answer = [(slug, kind, at.timestamp(), *map(json.loads(data).get, NAMES)) for slug, kind, at, data in rows]
"""
ALLOWED = """
from games.models import Absence
rows = Absence.objects.filter(led_to=Absence.State.HELD).order_by("match_id", "at").select_related("match")
answer = [(row.match.slug, (row.deadline - row.turn_started_at).total_seconds()) for row in rows]
"""
AGREE = "from games.models import Match; answer = Match.objects.update(clock={!r}, banks={!r})"
STOOD_STILL = "time_stood_still"
CHARGED = """
from collections import Counter
from games.models import ConductMark
answer = Counter(ConductMark.objects.values_list("kind", flat=True))
"""


@dataclass
class Absence:
    """One that was found in a record."""

    slug: str
    seat: int
    waited: float = 0.0
    """Seconds from the begin of the turn in which the seat was held to the bot's move."""
    came_back: bool = False
    in_mid_turn: bool = False
    """Whether its owner came back in a turn of the seat."""
    moved_again: bool = False
    moves_of_bots_after: int = 0
    allowed: float = 0.0
    """Seconds that the move might have taken."""


@dataclass
class Found:
    """What the records say: every absence, and the seconds that each move of a person took while nobody was absent."""

    absences: list[Absence] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)

    def read(self, slug: str, events: Iterable[Sequence[Any]], since: float) -> None:
        """Read the record of a match from a moment on."""
        began, to_move = since, None
        absent: dict[int, Absence] = {}
        for _slug, kind, at, seat, next_to_move, by in events:
            if kind == "seat_held":
                absent[seat] = Absence(slug, seat)
                self.absences.append(absent[seat])
            elif kind == "seat_returned":
                absent[seat].came_back, absent[seat].in_mid_turn = True, seat == to_move
            elif kind in MOVES and at > since:
                self.note(absent, seat, by, at - began)
            if kind in (*MOVES, "round_dealt"):
                began, to_move = at, next_to_move

    def note(self, absent: dict[int, Absence], seat: int, by: str, seconds: float) -> None:
        """Note a move."""
        if absence := absent.get(seat):
            absence.waited = absence.waited or seconds
            absence.moved_again |= absence.came_back and not by
            absence.moves_of_bots_after += absence.came_back and bool(by)
        if not by and all(absence.moved_again for absence in absent.values()):
            self.turns.append(seconds)


class Evening:
    """A table at which one connection after the other breaks."""

    def __init__(self, site: str, seeded: dict[str, Any], chance: Random, *, answer: str) -> None:
        self.chance, self.slug, self.killed = chance, seeded["slug"], 0
        self.agents = [
            Agent(site, seeded["slug"], session, chance, thinks=THINKS, answer=answer)
            for session in seeded["sessions"]
        ]
        self.staying: dict[Agent, asyncio.Task[None]] = {}

    async def play(self, kills: int) -> None:
        """Play on, and kill so many connections, each at another seat."""
        for agent in self.agents:
            self.sit_down(agent)
        for agent in self.chance.sample(self.agents, kills):
            await asyncio.sleep(self.chance.uniform(*PLAYED_BEFORE))
            async with asyncio.timeout(PATIENCE):
                await self.kill(agent)

    async def end(self) -> None:
        for staying in self.staying.values():
            staying.cancel()
        await asyncio.gather(*self.staying.values(), return_exceptions=True)

    def sit_down(self, agent: Agent) -> None:
        self.staying[agent] = asyncio.create_task(agent.stay())

    async def kill(self, agent: Agent) -> None:
        """Break a connection, and let its owner come back after a move of the bot."""
        self.killed += 1
        agent.break_off()
        self.staying[agent].cancel()
        others = [other for other in self.agents if other is not agent]
        await until(lambda: any(ASKED in other.screen.newest for other in others))
        held = max(other.screen.version for other in others)
        await until(lambda: all(other.screen.version > held for other in others))
        if self.chance.random() < 0.5:
            await asyncio.sleep(self.chance.uniform(*AWAY_AFTER))
        else:
            await until(lambda: not any(other.can_act for other in others))
            await asyncio.sleep(self.chance.uniform(*BOT_THINKS))
        moves = agent.moves
        self.sit_down(agent)
        await until(lambda: agent.moves > moves)


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.05)


async def kill(server: Server, seeded: Sequence[dict[str, Any]], kills: int) -> list[Evening]:
    """Kill so many connections, spread over the tables. Return what went on at each."""
    chance = Random(1)
    evenings = [
        Evening(server.url, table, Random(chance.random()), answer="bot" if number % 2 else "")
        for number, table in enumerate(seeded)
    ]
    shares = [kills // len(seeded) + (number < kills % len(seeded)) for number in range(len(seeded))]
    for result in await asyncio.gather(*map(Evening.play, evenings, shares), return_exceptions=True):
        if isinstance(result, BaseException):
            print(f"  a table did not go on: {result!r}")
    await asyncio.gather(*map(Evening.end, evenings))
    return evenings


def found_by(server: Server, since: float) -> Found:
    """Return what the records say."""
    found = Found()
    for slug, events in groupby(server.answer(RECORDS), key=itemgetter(0)):
        found.read(slug, events, since)
    for absence, (slug, seconds) in zip(found.absences, server.answer(ALLOWED), strict=True):
        assert absence.slug == slug
        absence.allowed = seconds
    return found


def report(found: Found, answering: Collection[str], move_seconds: float) -> None:
    """Print the figures."""
    ordinary = median(found.turns)
    print(f"  an ordinary turn takes {ordinary:.1f} s (median of {len(found.turns)}), {move_seconds:.0f} s are free")
    report_waits("all", found.absences, ordinary, move_seconds)
    for name, said in (("the others say to go on", True), ("the others say nothing", False)):
        absences = [absence for absence in found.absences if (absence.slug in answering) is said]
        report_waits(name, absences, ordinary, move_seconds)
    print(
        f"  owners who got the seat back: {sum(each.came_back for each in found.absences)}, "
        f"{sum(each.in_mid_turn for each in found.absences)} of them in mid-turn; "
        f"who moved again: {sum(each.moved_again for each in found.absences)}; "
        f"moves of bots after that: {sum(each.moves_of_bots_after for each in found.absences)}"
    )


def report_waits(name: str, absences: Sequence[Absence], ordinary: float, move_seconds: float) -> None:
    """Print what the others waited longer than an ordinary turn."""
    if not absences:
        return
    extra = sorted(absence.waited - ordinary for absence in absences)
    shares = [(absence.waited - ordinary) / absence.allowed for absence in absences]
    print(
        f"  {name}: {len(extra)} absences, extra wait in the median {median(extra):.1f} s, "
        f"p90 {extra[int(0.9 * len(extra))]:.1f} s, most {extra[-1]:.1f} s; in the median "
        f"{median(extra) / move_seconds:.2f} of the free time, {median(shares):.2f} of what the move may take "
        f"(most {max(shares):.2f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--clock", choices=("fast", "normal", "relaxed"), default="relaxed")
    parser.add_argument("--stack", choices=sorted(stacks.STACKS), default="sqlite")
    given = parser.parse_args()
    if given.kills > SEATS * given.tables:
        parser.error(f"at most {SEATS} kills a table, one a seat")
    control = CONTROLS[given.clock]
    with stacks.started(given.stack), tempfile.TemporaryDirectory() as folder:
        stacks.without_limits()
        with Server(Path(folder)) as server:
            seeded = seed(server, tables=given.tables, rounds=1)
            server.answer(AGREE.format(given.clock, [control.bank_ms] * SEATS))
            began = time.time()
            evenings = asyncio.run(kill(server, seeded, given.kills))
            print(f"{sum(evening.killed for evening in evenings)} connections killed, clock {given.clock}")
            answering = [evening.slug for evening in evenings if evening.agents[0].answer]
            report(found_by(server, began), answering, control.move_ms / 1000)
            print(f"  conduct: {server.answer(CHARGED)}; clocks stopped {server.log().count(STOOD_STILL)} times")
            print(f"  errors in the log: {len(server.errors())}")


if __name__ == "__main__":
    main()
