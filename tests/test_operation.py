"""What the pages about operation and monitoring tell to do and to watch is there."""

from __future__ import annotations

import re
import sqlite3
from importlib import import_module
from pathlib import Path

from prometheus_client import REGISTRY

DOCS = Path(__file__).parent.parent / "docs"
PAGE, MONITORING = (DOCS / "operation.md").read_text(), (DOCS / "monitoring.md").read_text()
CODE = Path(__file__).parent.parent / "games"


def test_every_documented_metric_exists() -> None:
    for module in (
        "games.sockets.player",
        "games.sockets.table",
        "games.heartbeat",
        "games.broadcast.memory_layer",
        "games.scheduler",
        "domino_site.monitoring",
        "infrastructure.health",
        "infrastructure.version",
    ):
        import_module(module)
    families = {family.name for family in REGISTRY.collect()}
    measured = families | {f"{name}_total" for name in families}
    documented = set(re.findall(r"`((?:dominoes|process)_[a-z_]+)`", MONITORING))
    assert len(documented) > 8
    assert documented <= measured


def test_every_documented_log_event_exists() -> None:
    documented = re.findall(r"`([a-z_]+)`", MONITORING.partition("Alert on:")[2])
    code = "".join(path.read_text() for path in CODE.rglob("*.py"))
    assert documented
    assert [word for word in documented if f'"{word}"' not in code] == []


def test_sqlite_backup_is_consistent_during_writes(tmp_path: Path) -> None:
    (statement,) = re.findall(r'sqlite3 \S+ "(.+?)"', PAGE)
    site, backup = tmp_path / "site.sqlite3", tmp_path / "backup.sqlite3"
    writer = sqlite3.connect(site, isolation_level=None)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("CREATE TABLE moves (number)")
    writer.execute("INSERT INTO moves VALUES (1)")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO moves VALUES (2)")
    sqlite3.connect(site).execute(re.sub(r"'.+'", f"'{backup}'", statement))
    writer.execute("COMMIT")
    assert sqlite3.connect(backup).execute("SELECT number FROM moves").fetchall() == [(1,)]
