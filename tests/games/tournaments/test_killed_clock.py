"""Clocks that are killed before and after every commit leave facts and rows that agree, and others continue."""

from __future__ import annotations

import json
import os
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import count

import pytest
from channels.layers import channel_layers
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings

from accounts.models import User
from games.engine.notation import import_match
from games.engine.proof import verify
from games.errors import Refused
from games.models import Match, MatchEvent, Seat, Tournament
from games.moderation import tournament_acts
from games.records import exports
from games.services import play
from games.tournaments import announcing, opening, record
from games.tournaments.core.duplicate import entropy
from games.tournaments.core.evolve import fold
from games.tournaments.core.standings import standings
from games.tournaments.core.state import State, Table
from games.tournaments.dues import LEASE
from infrastructure.runtime import Runtime
from tests import seeds
from tests.games.tables import person
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    announced,
    arena,
    begin_round,
    duplicate,
    end_matches,
    entrants,
    run_clock,
    run_pass,
    running_matches,
)
from tests.games.tournaments.test_duplicate import play_to_end
from tests.games.tournaments.test_duplicate_nonces import enter_with_nonces, open_nonce

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True), pytest.mark.seed(1)]
NAMES = ("Anna", "Bela", "Cyril", "Dora", "Emil", "Fanni")
STEP = LEASE + SECOND  # until another clock may do the work of a worker that was killed


class DyingClock:
    """A process that makes a pass of the clock, and is killed before or after one of its commits."""

    numbers = count(1)

    def __init__(self, now: datetime, commit: int, *, is_committed: bool) -> None:
        self.number = next(self.numbers)
        self.pid = os.fork()
        if not self.pid:
            self.remaining, self.is_committed = commit, is_committed
            self.run(now)

    def run(self, now: datetime) -> None:
        """Make the pass in this process, and end it without the exit handlers of the tests."""
        code = 1
        try:
            os.environ[seeds.PROCESS_VARIABLE] = f"clock {self.number}"  # new matches have other names
            Runtime.current = Runtime()
            channel_layers.backends.clear()
            commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined] # not in the types of Django

            def count_commit(wrapper: BaseDatabaseWrapper) -> None:
                self.remaining -= 1
                if self.remaining or self.is_committed:
                    commit(wrapper)
                if not self.remaining:
                    os.kill(os.getpid(), signal.SIGKILL)

            setattr(BaseDatabaseWrapper, "_commit", count_commit)  # noqa: B010 - not in the types of Django
            run_pass(now)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def was_killed(self) -> bool:
        """Wait for the process. Return whether it was killed before its pass was over."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        assert code in (0, -signal.SIGKILL)
        return code != 0


def run_dying_clocks(now: datetime, commit: int, *, committed: Sequence[bool]) -> bool:
    """Run clocks together, which are killed before or after a commit. Return whether one was."""
    connections.close_all()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined] # that of PostgreSQL has one
    clocks = [DyingClock(now, commit, is_committed=is_committed) for is_committed in committed]
    killed = [clock.was_killed() for clock in clocks]  # waits for all of them
    return any(killed)


class Story:
    """A tournament whose clocks are killed again and again."""

    def __init__(self, tournament: Tournament) -> None:
        self.pk = tournament.pk
        self.now = START
        self.has_acted = False
        self.kinds = {self.last_kind()}  # the last events at which clocks were killed

    @property
    def row(self) -> Tournament:
        return Tournament.objects.get(pk=self.pk)

    def last_kind(self) -> str:
        return str(self.row.events.order_by("-seq").values_list("kind", flat=True)[0])

    def advance(self) -> None:
        """Kill clocks around the first commit, the second and so on until there is nothing to do."""
        commit = 1
        while True:
            before = self.progress()
            is_killed = self.kill_clocks(commit, committed=[True])
            is_killed |= self.kill_clocks(commit, committed=[False, True])
            has_advanced = self.progress() != before
            if not is_killed and not has_advanced:
                return
            commit = 1 if has_advanced else commit + 1

    def kill_clocks(self, commit: int, *, committed: Sequence[bool]) -> bool:
        """Kill clocks, compare what they leave, and let the leases of their workers end."""
        self.row.entries.update(seen_at=self.now)
        kind = self.last_kind()
        is_killed = run_dying_clocks(self.now, commit, committed=committed)
        require_facts_and_rows(self.row)
        self.kinds |= {kind, self.last_kind()} if is_killed else set()
        self.now += STEP
        return is_killed

    def progress(self) -> tuple[int, int, bool]:
        """Return what only moves forward: the events, the keys that are revealed, and whether anything is due."""
        keys = MatchEvent.objects.filter(kind__in=("key_revealed", "secret_revealed"))
        return self.row.version, keys.count(), self.row.due_at is None

    def act(self) -> None:
        """End a match, which is not played to its end, and all others in the next call; then an arena ends."""
        matches = running_matches()
        if not self.has_acted:
            play.end_match_against(match_id=matches[0].pk, seat=0)
        for match in matches if self.has_acted else ():
            play_to_end(match)
        Seat.objects.update(last_seen=None)
        is_arena_over = self.has_acted and self.row.format == "arena"
        self.now = START + 31 * MINUTE if is_arena_over else self.now + 20 * SECOND
        self.has_acted = True

    def play(self) -> None:
        """Play the tournament to its end."""
        while self.row.due_at is not None:
            self.advance()
            self.act()
            assert self.now < START + 60 * MINUTE


def require_facts_and_rows(row: Tournament) -> None:
    """Require that the rows say what the events say, and that there is one match for each table."""
    state = fold(record.events(row.pk))
    assert row.version == row.events.count()
    assert (row.stage, row.round, row.rounds) == (state.stage, state.round, state.rounds)
    assert row.parties == len(state.active)
    tables = row.tables.order_by("number").values_list("number", "round", "parties", "match__slug", "stage")
    assert list(tables) == [
        (table.number, table.round, list(table.parties), table.match or None, stage_of(table))
        for table in state.tables
    ]
    assert set(Match.objects.values_list("slug", flat=True)) == {table.match for table in state.tables} - {""}
    seated = Seat.objects.filter(match__status__in=Match.UNFINISHED, user__isnull=False)
    assert set(Counter(seated.values_list("user", flat=True)).values()) <= {1}
    assert {entry.party: entry.status for entry in row.entries.all()} == {
        entry.party: "gone" if entry.left_reason else "entered" for entry in state.entries.values()
    }
    if state.stage == "over":
        ranks = {line.party: line.rank for line in standings(state)}
        assert {entry.party: entry.rank for entry in row.entries.all()} == ranks
    require_secrets(state)
    require_nonces(row, state)


def stage_of(table: Table) -> str:
    return "over" if table.over_at else "playing" if table.match else "paired"


def require_secrets(state: State) -> None:
    """Require that no deal is revealed while somebody plays it, and nothing twice."""
    events = MatchEvent.objects.filter(kind__in=("key_revealed", "secret_revealed"), match__board__gt=0)
    revealed = Counter(events.values_list("kind", "match__slug"))
    assert set(revealed.values()) <= {1}
    boards = {table.round for table in state.tables for kind, slug in revealed if table.match == slug}
    running = Match.objects.filter(status__in=Match.UNFINISHED)
    assert not running.filter(source__gt="", board__in=boards).exists()


def require_nonces(row: Tournament, state: State) -> None:
    """Require that all boards are dealt with the nonces in the rows, in the order of entry, and none before."""
    nonces = tuple(row.entries.order_by("pk").values_list("nonce", flat=True))
    start = record.start_event(row.pk)
    assert start is None or not state.is_duplicate or start.nonces == nonces
    dealt_with = entropy(nonces) if start is not None and state.is_duplicate else ""
    assert state.entropy == dealt_with
    assert set(Match.objects.values_list("entropy", flat=True)) <= {dealt_with}


ALL = {"entered", "started", "paired", "begun", "counted", "ended"}
STORIES: dict[str, tuple[Callable[[], Tournament], Sequence[str], set[str]]] = {
    "swiss": (partial(announced, rounds=2), NAMES[:4], ALL | {"round_over"}),
    "arena": (arena, NAMES[:4], ALL),
    "duplicate": (partial(duplicate, rounds=1), NAMES, ALL | {"dropped"}),
}


@pytest.fixture(autouse=True)
def boards_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "BOARD_COUNTS", (1,))


@pytest.mark.parametrize("name", STORIES)
def test_killed_clocks_leave_facts_and_rows_that_agree(name: str) -> None:
    announce, names, kinds = STORIES[name]
    tournament = announce()
    entrants(tournament, *names)
    story = Story(tournament)
    story.play()
    assert story.row.stage == "over"
    assert story.kinds >= kinds
    assert not running_matches()


def test_killed_clocks_stop_and_reveal_the_boards_of_a_cancelled_tournament() -> None:
    tournament = duplicate(rounds=1)
    entrants(tournament, *NAMES)
    begin_round(START, list(User.objects.all()))
    assert len(running_matches()) == 3
    story, moderator = Story(tournament), person("Mo", is_staff=True, is_superuser=True)
    tournament_acts.cancel_tournament(moderator=moderator, tournament=story.row, reason="A test.", now=story.now)
    story.advance()
    assert "cancelled" in story.kinds
    assert running_matches() == []
    secrets = MatchEvent.objects.filter(kind="secret_revealed").values_list("match", flat=True)
    assert Counter(secrets) == dict.fromkeys(Match.objects.values_list("pk", flat=True), 1)


def test_killed_clocks_cancel_a_tournament_of_few() -> None:
    tournament = announced()
    entrants(tournament, *NAMES[:3])
    story = Story(tournament)
    story.advance()
    assert (story.row.stage, story.row.due_at) == ("cancelled", None)


def test_killed_clocks_start_with_the_nonces_that_are_open(settings: Settings) -> None:
    settings.NONCE_SECONDS = 4 * STEP.seconds  # so that clocks are killed meanwhile
    tournament = duplicate(rounds=1)
    people = enter_with_nonces(tournament)
    anna, bela, cyril, *_others = people
    story = Story(tournament)
    assert story.kill_clocks(1, committed=[False])
    assert not opening.has_begun(story.row)
    assert story.kill_clocks(1, committed=[True])
    until = START + 5 * STEP
    assert story.row.nonces_until == until
    open_nonce(tournament, cyril)
    open_nonce(tournament, anna)
    assert story.kill_clocks(1, committed=[False, True])
    assert (story.row.nonces_until, story.last_kind()) == (until, "entered")
    story.now = until
    assert story.kill_clocks(1, committed=[False])
    assert story.last_kind() == "entered"
    open_nonce(tournament, people[4])  # the start that was killed has not closed the opening
    assert story.kill_clocks(1, committed=[True])
    assert story.last_kind() == "started"
    with pytest.raises(Refused, match="starting"):
        open_nonce(tournament, bela)
    finish_with_another_clock(story, people)
    start = record.start_event(tournament.pk)
    assert start is not None
    assert start.nonces == ("nonce of Anna", "", "nonce of Cyril", "", "nonce of Emil", "")


def finish_with_another_clock(story: Story, people: Sequence[User]) -> None:
    """Begin and end a board with clocks that nobody kills, and require that its deals can be checked."""
    begin_round(story.now, people)
    assert len(running_matches()) == 3
    end_matches()
    for number in range(4):
        run_clock(story.now + number * MINUTE)
    assert (story.row.stage, story.row.due_at) == ("over", None)
    require_facts_and_rows(story.row)
    for match in Match.objects.all():
        data = exports.to_json_data(exports.read_record(match.pk))
        assert verify(import_match(json.loads(json.dumps(data)))) == []
