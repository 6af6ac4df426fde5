"""The import rules of docs/architecture.md, by name and by reach."""

from __future__ import annotations

import ast
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOUSES = ("accounts", "domino_site", "games", "infrastructure")
# Modules that pure functions do not need: clocks, randomness, the machine.
IMPURE = frozenset(
    {
        *("asyncio", "concurrent", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random"),
        *("secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading"),
        *("time", "urllib", "uuid", "zoneinfo"),
    }
)
# A generator of one's own, seeded by the caller, is no global chance.
PURE_AFTER_ALL = frozenset({"random.Random"})
# The modules of the engine that judge and apply; the state is what they do it with.
JUDGES = tuple(f"games.engine.{name}" for name in ("deal", "decide", "evolve", "notation", "replay", "transcript"))
STATE = "games.engine.state"

# The floors, from the ground up: a room imports from floors below its own and from itself, and nothing else of ours.
FLOORS = (
    (*("games", "games.engine", "games.enums", "games.errors", "games.html", "games.links", "infrastructure"),),
    ("games.caches", "games.languages", "games.models"),
    (
        *("accounts", "games.bots", "games.broadcast", "games.examples", "games.geometry", "games.lessons"),
        *("games.match", "games.workers"),
    ),
    (
        *("games.access", "games.conduct", "games.match_reports", "games.presence", "games.ratings"),
        *("games.spectators", "games.words"),
    ),
    ("games.moderation.cases", "games.puzzles", "games.review", "games.terms"),
    (
        *("games.chat", "games.fair_dealing", "games.moderation.detectors", "games.records", "games.rendering"),
        *("games.services", "games.sharing"),
    ),
    (
        *("games.moderation", "games.tv", "games.web"),
        "games.heartbeat",
        "games.lobby",
        "games.permissions",
        "games.personal_data",
        "games.pushing",
        "games.receivers",
        "games.retention",
        "games.templatetags",
    ),
    ("games.admin", "games.apps", "games.history", "games.sockets"),
    ("domino_site", "games.scheduler", "games.views"),
    ("games.management", "games.urls"),
)
# A feature is one folder. Each of its modules keeps to the walls of its layer, by its name or as listed.
LAYERS = {
    "games.rendering": ("rendering", "plot"),
    "games.sockets": ("socket",),
    "games.views": ("views",),
    "games.words": ("texts",),
}
LISTED = {
    "games.chat.phrases": "games.words",
    "games.chat.posting": "games.services",
    "games.chat.review": "games.review",
    "games.chat.spectators": "games.spectators",
    "games.conduct.texts": "games.conduct",
    "games.fair_dealing.dealing": "games.services",
    "games.fair_dealing.nonces": "games.services",
    "games.lobby.feed": "games.sockets",
    "games.lobby.invitations": "games.services",
    "games.lobby.quick_play": "games.services",
    "games.lobby.tables": "games.services",
    "games.moderation.corrections": "games.services",
    "games.moderation.decisions": "games.services",
    "games.moderation.acts": "games.services",
    "games.moderation.previews": "games.services",
    "games.moderation.reversals": "games.services",
    "games.ratings.recomputing": "games.services",
    "games.review.frames": "games.views",
    "games.review.review": "games.views",
    "games.sharing.png": "games.workers",
    "games.sharing.preview": "games.rendering",
    "games.sharing.png_worker": "games.workers",
}
# Names that a package may not use although it may import below; a re-exported name counts as both.
CLOSED = {
    "domino_site": ("accounts", "games"),
    "domino_site.asgi": (),
    "domino_site.urls": (),
    "games.rendering": (STATE,),
    "games.lobby.socket": ("games.models", "games.match.record", "games.engine.events", STATE, *JUDGES),
    "games.sockets.table": ("games.models", "games.match.record", "games.engine.events", STATE, *JUDGES),
    "games.sockets.player": ("games.models", "games.match.record", "games.engine.events", STATE, *JUDGES),
    "games.views": ("games.match.record", "games.engine.events", STATE, *JUDGES),
}
# Modules that a package may not reach even indirectly, through all that it imports.
OUT_OF_REACH = {
    "accounts": ("games",),
    "games.bots": ("games.match", "games.models"),
    "games.geometry": (STATE, *JUDGES),
    "games.match_reports.computation": ("games.broadcast", "games.match", "games.models", "games.workers"),
    "games.models": ("games.engine",),
    "games.rendering": (
        *("games.broadcast", "games.match.record", "games.models", "games.services", "games.workers", *JUDGES),
    ),
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


@lru_cache(maxsize=10)
def nodes(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


@cache
def imports(source: str) -> list[str]:
    """Return every name imported anywhere in the source, ``from a import b`` as ``a.b``."""
    names = []
    for node in nodes(source):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # ruff keeps relative imports out, so there is always a module.
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


@cache
def bindings(source: str) -> dict[str, str]:
    """Return what the names of a module stand for where that is something imported: ``read = record.read`` too."""
    names: dict[str, str] = {}
    module = nodes(source)[0]
    for node in nodes(source):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            # ``import a.b`` binds ``a``, and ``a.b`` is an attribute of it.
            names |= {
                alias.asname or alias.name.partition(".")[0]: alias.name
                if alias.asname
                else alias.name.partition(".")[0]
                for alias in node.names
            }
    assert isinstance(module, ast.Module)
    for node in module.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if meaning := dotted(node.value, names):
            names |= {target.id: meaning for target in targets if isinstance(target, ast.Name)}
    return names


def dotted(node: ast.AST | None, names: Mapping[str, str]) -> str:
    """Return what a name with its attributes stands for, "" for anything else."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value, names)
        return before and f"{before}.{node.attr}"
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


@cache
def handed_on(module: str) -> dict[str, str]:
    return bindings(MODULES[module].read_text())


def meanings(name: str) -> Iterator[str]:
    """Yield a dotted name, and what it is where the module that it is asked of has it from elsewhere."""
    seen = set()
    while name and name not in seen:
        seen.add(name)
        yield name
        module = imported_module(name)
        first, _dot, rest = name.removeprefix(f"{module}.").partition(".") if module else ("", "", "")
        meaning = handed_on(module).get(first, "") if module and name != module else ""
        name = f"{meaning}.{rest}" if meaning and rest else meaning


def used(source: str) -> set[str]:
    """Return every name of other modules that a source imports or asks for, in all its meanings."""
    names = bindings(source)
    names_used = {dotted(node, names) for node in nodes(source) if isinstance(node, ast.Attribute)} - {""}
    return {meaning for name in {*imports(source), *names_used} for meaning in meanings(name)}


def within(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def longest(name: str, rooms: Iterable[str]) -> str:
    """Return the room that a name lies in: the longest name that fits, "" if none does."""
    return max((room for room in rooms if within(name, (room,))), key=len, default="")


def floor_of(name: str) -> int:
    room = room_of(name)
    return next(number for number, floor in enumerate(FLOORS) if room in floor)


@cache
def room_of(name: str) -> str:
    """Return the room that a name lies in, by its longest name; for the module of a feature, its layer."""
    if listed := longest(name, LISTED):
        return LISTED[listed]
    leaf = (imported_module(name) or name).rpartition(".")[2].rpartition("_")[2]
    layer = next((layer for layer, leaves in LAYERS.items() if name.startswith("games.") and leaf in leaves), "")
    return layer or longest(name, (room for floor in FLOORS for room in floor))


def objection(module: str, imported: str) -> str | None:
    """Return why the module may not import the name, or None if it may."""
    top = imported.partition(".")[0]
    if top in HOUSES:
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


def ruled(rules: Mapping[str, tuple[str, ...]], module: str) -> tuple[str, ...]:
    """Return what a table of walls says of a module: by its own name, or else by that of its room."""
    return rules.get(longest(module, rules) or longest(room_of(module), rules), ())


def objections(module: str, source: str) -> list[str]:
    """Return what is wrong with the imports of a module, and with what it asks of them."""
    texts = (objection(module, imported) for imported in imports(source))
    closed = ruled(CLOSED, module)
    names = sorted(used(source)) if closed else ()
    named = (f"{module} may not use {name}" for name in names if within(name, closed))
    way = way_to(source, ruled(OUT_OF_REACH, module))
    reached = f"{module} may not reach {' -> '.join(way)}" if way else ""
    return [text for text in (*texts, *named, reached) if text]


def imported_module(name: str) -> str | None:
    """Return the module of ours that a name is or lies in."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


def neighbours(source: str) -> set[str]:
    """Return the modules of ours that are loaded for a source: what it imports, with the packages around it."""
    modules = {module for name in imports(source) if (module := imported_module(name))}
    return modules | {
        ".".join(parts[:end]) for name in modules for parts in [name.split(".")] for end in range(1, len(parts))
    }


@cache
def loaded_by(module: str) -> set[str]:
    return neighbours(MODULES[module].read_text()) - {module}


def way_to(source: str, rooms: tuple[str, ...]) -> list[str]:
    """Return a shortest way on which a source reaches one of the rooms through what it imports, [] for none."""
    if not rooms:
        return []
    ways = deque([name] for name in sorted(neighbours(source)))
    seen: set[str] = set()
    while ways:
        way = ways.popleft()
        if within(way[-1], rooms):
            return way
        if way[-1] not in seen:
            seen.add(way[-1])
            ways.extend([*way, following] for following in sorted(loaded_by(way[-1])))
    return []
