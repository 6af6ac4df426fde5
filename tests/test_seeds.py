"""Every match, name and bot of the tests follows from a seed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from accounts.models import User
from games.fair_dealing import dealing
from games.models import Match
from tests import seeds
from tests.databases import migrated_sqlite
from tests.games import tables
from tests.programs import ROOT, seeded_manage_command
from tests.shell import Shell

OPEN_TABLE = """
from accounts.models import User
from games.lobby.tables import fill_with_bots, open_table
from games.terms.terms import Terms
host = User.objects.create(username=f"host-{User.objects.count()}", name="Ann")
match = open_table(host=host, terms=Terms("kozel", 4, visibility="link"))
fill_with_bots(match=match, by=host)
answer = [match.slug, match.secret, *match.seats.values_list("name", flat=True)]
"""


def test_a_match_is_dealt_alike_with_the_same_seed(db: None, ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(seeds.PROCESS_VARIABLE, "site")

    def drawn(seed: str) -> tuple[str, str, str]:
        with seeds.temporary_seed(seed):
            match = tables.open_table([ann], bots=1)
            return match.slug, match.secret, dealing.new_secret() + Match().slug

    first = drawn("one")
    Match.objects.all().delete()
    assert drawn("one") == first
    assert not set(drawn("another")) & set(first)


def test_a_second_match_of_a_test_is_another(db: None, ann: User) -> None:
    assert len({tables.open_table([ann], bots=1).secret for _ in range(3)}) == 3


def test_a_bot_chooses_by_the_position_and_not_by_what_happened_elsewhere() -> None:
    bot_turn = SimpleNamespace(version=4, seat=0, view=SimpleNamespace(seats=[SimpleNamespace(hand=((1, 0),))]))
    before = seeds.bot_move_seed(bot_turn)
    dealing.new_secret()
    assert seeds.bot_move_seed(bot_turn) == before
    bot_turn.version = 5
    assert seeds.bot_move_seed(bot_turn) != before


def test_the_processes_of_a_site_repeat_their_matches_with_the_seed_and_differ(tmp_path: Path) -> None:
    def drawn(folder: Path, *processes: str) -> list[list[str]]:
        folder.mkdir()
        shutil.copy(migrated_sqlite(), folder / "dominoes.sqlite3")
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "domino_site.settings", "VAR_DIR": str(folder)}
        environment.pop("DATABASE_URL", None)
        shells = [
            Shell(seeded_manage_command(ROOT), {**environment, seeds.PROCESS_VARIABLE: name}) for name in processes
        ]
        with seeds.temporary_seed("a site"):
            answers = [shell.run(OPEN_TABLE) for shell in shells]
        for shell in shells:
            shell.end()
        return answers

    one, other = drawn(tmp_path / "both", "one", "other")
    assert drawn(tmp_path / "one", "one") == [one]
    assert not set(one[:2]) & set(other[:2])


@pytest.mark.seed(7)
def test_a_mark_replaces_the_seed_of_the_run(request: pytest.FixtureRequest) -> None:
    assert seeds.current_seed() == f"7 {request.node.nodeid}"


def test_each_test_has_a_seed_of_its_own(request: pytest.FixtureRequest) -> None:
    assert seeds.current_seed() == f"{seeds.run_seed()} {request.node.nodeid}"
