"""Who may import whom: the walls of docs/architecture.md."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSES = ("accounts", "domino_site", "games")
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


@dataclass(frozen=True)
class Room:
    """A part of the house. ``allowed`` are the parts of ours it may import, itself included."""

    name: str
    allowed: tuple[str, ...]
    forbidden: tuple[str, ...] = ()
    outside: str = "packages"  # of the world: "packages", the "standard library", or its "pure" part


JUDGES = tuple(f"games.engine.{name}" for name in ("deal", "decide", "evolve", "state", "notation"))
FRONT = (
    "games.admin",
    "games.consumers",
    "games.feed",
    "games.forms",
    "games.geometry",
    "games.history_rendering",
    "games.lobby_rendering",
    "games.lobby_socket",
    "games.rendering",
    "games.review_socket",
    "games.routing",
    "games.urls",
    "games.views",
)
OUTAGES = "domino_site.outages"
LIMITS = tuple(f"domino_site.{name}" for name in ("limits", "pace", "socket_pace"))
# The longest name that fits a module is its room.
ROOMS = (
    Room("accounts", ("accounts", "domino_site.addresses", "domino_site.admin", "domino_site.batches", *LIMITS)),
    Room("domino_site", ("domino_site",)),
    Room("domino_site.asgi", ("domino_site", "games.routing")),
    Room("domino_site.urls", ("domino_site", "accounts")),
    Room("games", ("games", "accounts", "domino_site.admin", "domino_site.batches", OUTAGES, *LIMITS)),
    Room("games.engine", ("games.engine",), outside="pure"),
    Room("games.geometry", ("games.geometry", "games.engine.layout", "games.engine.tiles"), outside="pure"),
    Room("games.bots", ("games.bots", "games.engine"), outside="standard library"),
    Room("games.models", ()),
    Room("games.record", ("games.models", "games.engine", "games.newest")),
    Room("games.services", ("games", "accounts", OUTAGES), forbidden=FRONT),
    Room("games.rendering", ("games",), forbidden=("games.models", "games.record", "games.services", *JUDGES)),
    Room("games.views", ("games", "accounts", *LIMITS), forbidden=("games.record", "games.engine.events", *JUDGES)),
    *(
        Room(name, ("games", "accounts"), forbidden=("games.record", "games.models", "games.engine.events", *JUDGES))
        for name in ("games.consumers", "games.lobby_socket")
    ),
    Room("games.management", ("games", "accounts", "domino_site")),
)


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


def room_of(module: str) -> Room:
    return max((room for room in ROOMS if within(module, (room.name,))), key=lambda room: len(room.name))


def objection(module: str, imported: str) -> str | None:
    """Return why the module may not import the name, or None if it may."""
    room = room_of(module)
    top = imported.partition(".")[0]
    if top in HOUSES:
        if not within(imported, room.allowed) or within(imported, room.forbidden):
            return f"{module} ({room.name}) may not import {imported}"
        if is_sibling_variant(module, imported):
            return f"variants do not know each other: {module} imports {imported}"
    elif not is_open_to(room, imported):
        return f"{module} ({room.name}) may use {room.outside} only, not {imported}"
    return None


def is_open_to(room: Room, imported: str) -> bool:
    """Say whether the room may use this part of the world outside."""
    top = imported.partition(".")[0]
    if room.outside == "packages":
        return True
    if top not in sys.stdlib_module_names:
        return False
    return room.outside == "standard library" or top not in IMPURE or imported in PURE_AFTER_ALL


def is_sibling_variant(module: str, imported: str) -> bool:
    variants = "games.engine.variants"
    own = module.removeprefix(f"{variants}.")
    if own == module or not within(imported, (variants,)):
        return False
    return not within(imported, (module,))


def objections(module: str, source: str) -> list[str]:
    found = (objection(module, imported) for imported in imports(source))
    return [text for text in found if text]


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
        ("games.engine.decide", "def late():\n    import games.record"),
        ("games.engine.variants.kozel", "from games.engine.variants import gamezz"),
        ("games.engine.variants.kozel", "from games.engine.variants.gamezz import Gamezz"),
        ("games.geometry.line", "from games.engine.state import State"),
        ("games.bots.kozel", "from games.models import Match"),
        ("games.models", "from games.engine.tiles import Tile"),
        ("games.record", "from games.services import play"),
        ("games.services.play", "from games import rendering"),
        ("games.rendering", "from games.models import Match"),
        ("games.rendering.hand", "from games.engine.state import State"),
        ("games.views.lobby", "from games.engine.decide import decide"),
        ("games.consumers", "import games.record"),
        ("accounts.models", "from games.models import Seat"),
        ("domino_site.settings", "from games import live"),
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
