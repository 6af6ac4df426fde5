"""Every module follows the import rules of docs/architecture.md, and violations are found."""

from __future__ import annotations

from graphlib import TopologicalSorter

import pytest

from tests import import_rules
from tests.import_rules import (
    MODULES,
    ROOT,
    TIERS,
    bindings,
    import_errors,
    imported_module,
    imports,
    re_exports,
)


def test_every_folder_has_a_tier() -> None:
    areas = {area for tier in TIERS for area in tier}
    folders = {path.name for path in (ROOT / "games").iterdir() if any(path.rglob("*.py"))} - {"migrations"}
    assert {f"games.{name.removesuffix('.py')}" for name in folders} - {"games.__init__"} <= areas


def test_modules_import_only_what_their_area_may() -> None:
    assert [wrong for module, path in MODULES.items() for wrong in import_errors(module, path.read_text())] == []


def test_no_module_imports_itself_through_others() -> None:
    graph = {}
    for module, path in MODULES.items():
        graph[module] = {imported_module(name) for name in imports(path.read_text())} - {None, module}
    TopologicalSorter(graph).prepare()


def test_a_planted_import_is_found() -> None:
    for module, line in [
        ("games.engine.decide", "from django.utils import timezone"),
        ("games.engine.decide", "import random"),
        ("games.engine.decide", "from random import choice"),
        ("games.bots.kozel", "from django.db import models"),
        ("games.engine.decide", "from games import models"),
        ("games.engine.decide", "def late():\n    import games.match.record"),
        ("games.engine.variants.kozel", "from games.engine.variants import gamezz"),
        ("games.engine.variants.kozel", "from games.engine.variants.gamezz import Gamezz"),
        ("games.geometry.line", "from games.engine.state import State"),
        ("games.bots.kozel", "from games.models import Match"),
        ("games.models", "from games.engine.tiles import Tile"),
        ("games.match.record", "from games.services import play"),
        ("games.services.play", "from games import rendering"),
        ("games.rendering", "from games.models import Match"),
        ("games.rendering.hand", "from games.engine.state import State"),
        ("games.lobby.views", "from games.engine.decide import decide"),
        ("games.sockets.table", "import games.match.record"),
        ("accounts.models", "from games.models import Seat"),
        ("domino_site.settings", "from games.broadcast import announcements"),
        ("infrastructure.limits", "from accounts.models import User"),
        ("games.services.play", "from games.lobby import forms"),
    ]:
        assert import_errors(module, f"from __future__ import annotations\n{line}\n")


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("games.engine.deal", "import hashlib, hmac"),
        ("games.engine.variants.kozel", "from games.engine.rules import Rules"),
        ("games.engine.variants", "from games.engine.variants import kozel"),
        ("games.services.play", "from games import record"),
        ("games.rendering.hand", "from games.engine.view import View"),
    ],
)
def test_allowed_import_passes(module: str, line: str) -> None:
    assert import_errors(module, line) == []


def test_planted_indirect_import_is_found() -> None:
    for module, lines in [
        ("games.review.rendering", "from games.review import steps"),
        ("games.review.analysis_rendering", "from games.review.analysis import Analysis"),
        ("games.review.shared_rendering", "from games.review.shared_review import shared_review_state"),
        ("games.lessons.rendering", "from games.lessons.attempts import try_move"),
        ("games.rendering.page", "from games.match import selectors"),
        ("games.rendering.page", "def late():\n    from games.spectators import delayed"),
        ("games.sharing.preview", "from games.access import can_see"),
        ("games.bots.kozel", "from games.terms.terms import Terms"),
        ("games.geometry.line", "from games.engine.variants import rules_for"),
        ("accounts.models", "from games import access"),
        ("games.services.results", "from games.tournaments import record"),
        ("games.services.moves", "from games.tournaments.core.state import State"),
    ]:
        assert any(
            "may not reach" in text for text in import_errors(module, f"from __future__ import annotations\n{lines}\n")
        )


@pytest.mark.parametrize(
    ("handing", "line", "asking"),
    [
        ("games.records.exports", "read = record.read_events", "from games.records import exports\nexports.read(1)"),
        ("games.records.exports", "read: object = record.read_events", "from games.records.exports import read"),
        ("games.records.exports", "", "from games.records import exports\nexports.record.read_events(1)"),
        ("games.records.exports", "", "from games.records.exports import record as rows\nrows.read_events(1)"),
        ("games.records.exports", "reader = record", "import games.records.exports as e\nprint(e.reader.read_events)"),
    ],
)
def test_re_exported_name_is_found(monkeypatch: pytest.MonkeyPatch, handing: str, line: str, asking: str) -> None:
    exported = {module: bindings(f"from games.match import record\n{line}") for module in (handing,)}
    honest = re_exports
    monkeypatch.setattr(import_rules, "re_exports", lambda module: exported.get(module) or honest(module))
    assert import_errors("games.records.views", asking)
