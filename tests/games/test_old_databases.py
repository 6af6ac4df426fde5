"""Databases from before the history: what the migrations write there is what is written at the end of new matches."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from pytest_django import DjangoDbBlocker

from games.models import Match, Seat
from games.services import play, reversals
from infrastructure import batches
from tests.games.reviewed import played, stopped
from tests.games.tables import open_table, person, running_table

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
WRITTEN = ("outcome", "finished_at", "variant", "listed", "name_key")
fill_history = import_module("games.migrations.0011_fill_history")
ENDED = '{"reason": "finished", "seat": null, "losers": [], "places": [1, 2]}'
DEALT = '{"standing": [{"points": 30, "flags": []}, {"points": 0, "flags": []}]}'


@pytest.mark.django_db
@pytest.mark.stack
def test_older_matches_get_what_is_written_at_the_end_of_new_ones() -> None:
    left, casual = running_table([person(), person("Ben")], rated=True), running_table([person("Cleo")], bots=2)
    play.leave(match_id=left.pk, user_id=left.seats.get(index=1).user_id)
    play.stop(match_id=casual.pk)
    void = running_table([person("Eve")], bots=1)
    play.stop(match_id=void.pk)
    reversals.make_void(void)
    running_table([person("Dan")], bots=1)
    stopped(played("all_fives", 60))
    open_table([person("Fay")], bots=1, status="void", finished_at=NOW)
    standings = list(Match.objects.order_by("pk").values_list("standing", flat=True))
    written = list(Seat.objects.order_by("pk").values_list(*WRITTEN))
    Match.objects.update(standing="")
    Seat.objects.update(outcome="", finished_at=None, variant="", listed=False, name_key="")
    editor = SimpleNamespace(connection=connection)
    fill_history.fill_standings(apps, editor)
    fill_history.fill_seats(apps, editor)
    assert list(Match.objects.order_by("pk").values_list("standing", flat=True)) == standings
    assert list(Seat.objects.order_by("pk").values_list(*WRITTEN)) == written
    assert {row[0] for row in written} == {"won", "left", "stopped", ""}


@pytest.fixture
def old(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A database as the first version left it, with seven matches that are over."""
    connections.databases["old"] = connections.databases["default"] | {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(tmp_path / "old.sqlite3"),
        "OPTIONS": {"transaction_mode": "IMMEDIATE"},
    }
    with django_db_blocker.unblock():
        lay_old()
        yield "old"
        connections["old"].close()
    del connections["old"], connections.databases["old"]


def lay_old() -> None:
    executor = MigrationExecutor(connections["old"])
    executor.migrate([("games", "0001_initial")])
    models = executor.loader.project_state([("games", "0001_initial")]).apps
    user = models.get_model("accounts", "User").objects.using("old").create(username="ann", name="Ann")
    for number in range(7):
        row = {"variant": "kozel", "seat_count": 2, "status": "finished", "finished_at": NOW}
        match = models.get_model("games", "Match").objects.using("old").create(slug=f"match{number}", **row)
        seats = models.get_model("games", "Seat").objects.using("old")
        seats.create(match=match, index=0, user=user, name="Ann")
        seats.create(match=match, index=1, bot="steady", name="Bruno")
        events = models.get_model("games", "MatchEvent").objects.using("old")
        events.create(match=match, seq=1, kind="round_dealt", data=DEALT, at=NOW)
        events.create(match=match, seq=2, kind="match_ended", data=ENDED, at=NOW)


def newest() -> None:
    executor = MigrationExecutor(connections["old"])
    executor.migrate(executor.loader.graph.leaf_nodes())


def outcomes() -> list[str]:
    return list(Seat.objects.using("old").order_by("pk").values_list("outcome", flat=True))


def test_a_migration_that_is_broken_off_in_the_middle_goes_on_where_it_was(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches.in_batches, "__kwdefaults__", {"size": 3})
    settled = []

    def breaks_off(*arguments: object) -> None:
        settled.append(arguments)
        if len(settled) == 5:
            raise KeyboardInterrupt
        settle(*arguments)

    settle = fill_history.settle
    with monkeypatch.context() as broken:
        broken.setattr(fill_history, "settle", breaks_off)
        with pytest.raises(KeyboardInterrupt):
            newest()
    assert outcomes() == ["won", "lost"] * 3 + [""] * 8, "the first batch is kept, the second is not half done"
    newest()
    assert outcomes() == ["won", "lost"] * 7
    standings = Match.objects.using("old").values_list("standing", flat=True)
    assert set(standings) == {'{"standing":[{"points":30,"flags":[]},{"points":0,"flags":[]}]}'}
    assert list(Seat.objects.using("old").values_list("name_key", flat=True).order_by("name_key").distinct()) == [
        "",
        "ann",
    ]


def test_what_is_filled_in_batches_is_not_one_transaction_in_the_end() -> None:
    loader = MigrationLoader(None)
    modules = [import_module(migration.__module__) for migration in loader.disk_migrations.values()]
    batched = [module for module in modules if hasattr(module, "in_batches")]
    assert len(batched) >= 2
    assert not any(module.Migration.atomic for module in batched)
