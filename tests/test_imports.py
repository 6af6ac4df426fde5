"""Who may import whom: the walls of docs/architecture.md."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSES = ("accounts", "domino_site", "games", "infrastructure")
# What a pure function has no use for: a clock, chance, the machine.
IMPURE = frozenset(
    {
        *("asyncio", "concurrent", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random"),
        *("secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading"),
        *("time", "urllib", "uuid", "zoneinfo"),
    }
)
# A generator of one's own, seeded by the caller, is no global chance.
PURE_AFTER_ALL = frozenset({"random.Random"})


JUDGES = tuple(f"games.engine.{name}" for name in ("deal", "decide", "evolve", "state", "notation"))

# The floors, from the ground up: a room imports from floors below its own and from itself, and nothing else of ours.
FLOORS = (
    (
        *("games", "games.engine", "games.enums", "games.errors", "games.languages", "games.links"),
        *("games.permissions", "infrastructure"),
    ),
    ("games.models",),
    (
        *("accounts", "games.bots", "games.broadcast", "games.examples", "games.geometry", "games.lessons"),
        *("games.match", "games.workers"),
    ),
    ("games.access", "games.spectators", "games.words"),
    ("games.review", "games.terms"),
    ("games.records", "games.rendering", "games.services"),
    ("games.admin", "games.heart", "games.lobby", "games.personal_data", "games.receivers", "games.templatetags"),
    ("games.apps", "games.history", "games.sockets"),
    ("domino_site", "games.loop", "games.views"),
    ("games.management", "games.urls"),
)
# What a room may not import although it lies below.
CLOSED = {
    "accounts": ("games",),
    "domino_site": ("accounts", "games"),
    "domino_site.asgi": (),
    "domino_site.urls": (),
    "games.bots": ("games.models",),
    "games.geometry": JUDGES,
    "games.models": ("games.engine",),
    "games.rendering": ("games.models", "games.match.record", "games.services", *JUDGES),
    "games.sockets.lobby": ("games.models", "games.match.record", "games.engine.events", *JUDGES),
    "games.sockets.table": ("games.models", "games.match.record", "games.engine.events", *JUDGES),
    "games.views": ("games.match.record", "games.engine.events", *JUDGES),
}
# Of the world outside a room may use all packages, the "standard library", or its "pure" part.
OUTSIDE = {
    "games.bots": "standard library",
    "games.engine": "pure",
    "games.geometry": "pure",
}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path
    for house in HOUSES
    for path in sorted((ROOT / house).rglob("*.py"))
    if "migrations" not in path.parts
}


def imports(source: str) -> Iterator[str]:
    """Yield every name imported anywhere in the source, ``from a import b`` as ``a.b``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # ruff keeps relative imports out, so there is always a module.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def longest(name: str, rooms: Iterable[str]) -> str:
    """Return the room that a name lies in: the longest name that fits, "" if none does."""
    return max((room for room in rooms if within(name, (room,))), key=len, default="")


def floor_of(name: str) -> int:
    room = longest(name, (room for floor in FLOORS for room in floor))
    return next(number for number, floor in enumerate(FLOORS) if room in floor)


def room_of(name: str) -> str:
    return longest(name, (room for floor in FLOORS for room in floor))


def objection(module: str, imported: str) -> str | None:
    """Return why the module may not import the name, or None if it may."""
    top = imported.partition(".")[0]
    if top in HOUSES:
        if within(imported, CLOSED.get(longest(module, CLOSED), ())):
            return f"{module} may not import {imported}"
        if room_of(module) != room_of(imported) and floor_of(module) <= floor_of(imported):
            return f"{module} (floor {floor_of(module)}) may not import {imported} (floor {floor_of(imported)})"
        if is_sibling_variant(module, imported):
            return f"variants do not know each other: {module} imports {imported}"
    elif not is_open_to(module, imported):
        return f"{module} may use {OUTSIDE[room_of(module)]} only, not {imported}"
    return None


def is_open_to(module: str, imported: str) -> bool:
    """Return whether the module may use this part of the world outside."""
    outside = OUTSIDE.get(room_of(module), "packages")
    top = imported.partition(".")[0]
    if outside == "packages":
        return True
    if top not in sys.stdlib_module_names:
        return False
    return outside == "standard library" or top not in IMPURE or imported in PURE_AFTER_ALL


def is_sibling_variant(module: str, imported: str) -> bool:
    variants = "games.engine.variants"
    own = module.removeprefix(f"{variants}.")
    if own == module or not within(imported, (variants,)):
        return False
    return not within(imported, (module,))


def objections(module: str, source: str) -> list[str]:
    found = (objection(module, imported) for imported in imports(source))
    return [text for text in found if text]


def test_every_folder_has_a_floor():
    rooms = {room for floor in FLOORS for room in floor}
    folders = {path.name for path in (ROOT / "games").iterdir() if any(path.rglob("*.py"))} - {"migrations"}
    assert {f"games.{name.removesuffix('.py')}" for name in folders} - {"games.__init__"} <= rooms


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_its_room_may(module: str):
    assert objections(module, MODULES[module].read_text()) == []


def test_no_module_imports_itself_through_others():
    graph = {}
    for module, path in MODULES.items():
        graph[module] = {imported_module(name) for name in imports(path.read_text())} - {None, module}
    TopologicalSorter(graph).prepare()


def imported_module(name: str) -> str | None:
    """Return the module of ours that a name is or lies in."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


@pytest.mark.parametrize(
    ("module", "line"),
    [
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
        ("games.views.lobby", "from games.engine.decide import decide"),
        ("games.sockets.table", "import games.match.record"),
        ("accounts.models", "from games.models import Seat"),
        ("domino_site.settings", "from games.broadcast import announcements"),
        ("infrastructure.limits", "from accounts.models import User"),
        ("games.services.play", "from games.lobby import forms"),
    ],
)
def test_a_planted_import_is_found(module: str, line: str):
    assert objections(module, f"from __future__ import annotations\n{line}\n")


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
def test_a_lawful_import_passes(module: str, line: str):
    assert objections(module, line) == []
