"""The import rules of docs/architecture.md, for direct and for indirect imports."""

from __future__ import annotations

import ast
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
OWN_PACKAGES = ("accounts", "domino_site", "games", "infrastructure")
# Modules that pure functions do not need: clocks, randomness, the machine.
IMPURE = frozenset(
    {
        *("asyncio", "concurrent", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random"),
        *("secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading"),
        *("time", "urllib", "uuid", "zoneinfo"),
    }
)
# A generator that its caller seeds is not global randomness.
PURE_EXCEPTIONS = frozenset({"random.Random"})
# The modules of the engine that decide about moves, and the state that they work on.
DECIDERS = tuple(f"games.engine.{name}" for name in ("deal", "decide", "evolve", "notation", "replay", "transcript"))
STATE = "games.engine.state"

# The tiers, lowest first. An area imports only from lower tiers and from itself.
TIERS = (
    (*("games", "games.engine", "games.enums", "games.errors", "games.html", "games.links", "infrastructure"),),
    ("games.caches", "games.languages", "games.models", "games.tournaments.core"),
    (
        *("accounts", "games.bots", "games.broadcast", "games.examples", "games.geometry", "games.lessons"),
        *("games.match", "games.site_processes", "games.site_switches", "games.workers"),
    ),
    ("games.explanations",),
    (
        *("games.access", "games.conduct", "games.match_reports", "games.presence", "games.ratings"),
        *("games.spectators", "games.tournaments", "games.words"),
    ),
    ("games.moderation.cases", "games.puzzles", "games.review", "games.terms"),
    (
        *("games.chat", "games.fair_dealing", "games.moderation.detectors", "games.records", "games.rendering"),
        *("games.services", "games.sharing"),
    ),
    (
        *("games.clubs", "games.daily_boards", "games.moderation", "games.open_data", "games.tv", "games.web"),
        "games.heartbeat",
        "games.lobby",
        "games.permissions",
        "games.personal_data",
        "games.push_sender",
        "games.receivers",
        "games.retention",
        "games.site_metrics",
        "games.templatetags",
    ),
    ("games.admin", "games.apps", "games.history", "games.sockets"),
    ("domino_site", "games.api", "games.scheduler", "games.views"),
    ("games.management", "games.translated_urls", "games.urls"),
)
# A feature is one folder. Each of its modules follows the rules of its layer, by its name or as listed.
LAYER_MODULE_NAMES = {
    "games.rendering": ("rendering", "plot"),
    "games.sockets": ("socket",),
    "games.views": ("views",),
    "games.words": ("texts",),
}
LAYER_OF_MODULE = {
    "games.api": "games.views",
    "games.api.errors": "games.services",
    "games.api.match_json": "games.services",
    "games.api.streams": "games.sockets",
    "games.api.texts": "games.words",
    "games.chat.limits": "games.services",
    "games.chat.phrases": "games.words",
    "games.chat.posting": "games.services",
    "games.chat.raids": "games.services",
    "games.chat.review": "games.review",
    "games.chat.spectators": "games.spectators",
    "games.clubs.forms": "games.lobby",
    "games.clubs.founding": "games.services",
    "games.clubs.joining": "games.services",
    "games.clubs.locks": "games.services",
    "games.clubs.notices": "games.services",
    "games.clubs.selectors": "games.services",
    "games.clubs.wording": "games.services",
    "games.conduct.texts": "games.conduct",
    "games.daily_boards.content": "games.match",
    # A program in the engine's folder that plays against bots; the engine does not import it.
    "games.engine.bench": "games.bots",
    "games.fair_dealing.dealing": "games.services",
    "games.fair_dealing.nonces": "games.services",
    "games.lobby.feed": "games.sockets",
    "games.lobby.bot_tables": "games.services",
    "games.lobby.invitations": "games.services",
    "games.lobby.quick_play": "games.services",
    "games.lobby.tables": "games.services",
    "games.moderation.chats": "games.services",
    "games.moderation.club_acts": "games.services",
    "games.moderation.corrections": "games.services",
    "games.moderation.decisions": "games.services",
    "games.moderation.acts": "games.services",
    "games.moderation.previews": "games.services",
    "games.moderation.reversals": "games.services",
    "games.moderation.tournament_acts": "games.services",
    "games.ratings.recomputing": "games.services",
    "games.review.frames": "games.views",
    "games.review.review": "games.views",
    "games.sharing.png": "games.workers",
    "games.sharing.preview": "games.rendering",
    "games.sharing.png_worker": "games.workers",
    "games.tournaments.announcing": "games.services",
    "games.tournaments.board_results": "games.services",
    "games.tournaments.boards": "games.services",
    "games.tournaments.clock": "games.services",
    "games.tournaments.commits": "games.services",
    "games.tournaments.conditions": "games.services",
    "games.tournaments.content": "games.match",
    "games.tournaments.counting": "games.services",
    "games.tournaments.download": "games.services",
    "games.tournaments.entering": "games.services",
    "games.tournaments.forms": "games.lobby",
    "games.tournaments.laying": "games.services",
    "games.tournaments.next_steps": "games.services",
    "games.tournaments.notices": "games.services",
    "games.tournaments.opening": "games.services",
    "games.tournaments.reading": "games.services",
    "games.tournaments.schedule": "games.services",
    "games.tournaments.selectors": "games.services",
    "games.tournaments.ticker": "games.services",
    "games.tournaments.waiting": "games.services",
}
# Names that a package may not use although it may import below; a re-exported name counts as both.
FORBIDDEN_NAMES = {
    "domino_site": ("accounts", "games"),
    "domino_site.asgi": (),
    "domino_site.urls": (),
    "games.rendering": (STATE,),
    "games.lobby.socket": (
        "games.models",
        "games.match.record",
        "games.engine.events",
        STATE,
        *DECIDERS,
    ),
    "games.sockets.table": (
        "games.models",
        "games.match.record",
        "games.engine.events",
        STATE,
        *DECIDERS,
    ),
    "games.sockets.player": (
        "games.models",
        "games.match.record",
        "games.engine.events",
        STATE,
        *DECIDERS,
    ),
    "games.views": ("games.match.record", "games.engine.events", STATE, *DECIDERS),
}
# Modules that a package may not reach even indirectly, through all that it imports.
FORBIDDEN_INDIRECTLY = {
    "accounts": ("games",),
    "games.bots": ("games.match", "games.models"),
    "games.geometry": (STATE, *DECIDERS),
    "games.match_reports.computation": ("games.broadcast", "games.match", "games.models", "games.workers"),
    "games.models": ("games.engine",),
    "games.open_data.content": ("games.broadcast", "games.match", "games.models", "games.workers"),
    # Matches know nothing of tournaments, which look at them.
    "games.match": ("games.tournaments",),
    "games.services.absence": ("games.tournaments",),
    "games.services.match_updates": ("games.tournaments",),
    "games.services.moves": ("games.tournaments",),
    "games.services.play": ("games.tournaments",),
    "games.services.results": ("games.tournaments",),
    "games.tournaments.core": ("games.models",),
    "games.rendering": (
        *(
            "games.broadcast",
            "games.match.record",
            "games.models",
            "games.services",
            "games.workers",
            *DECIDERS,
        ),
    ),
}
# The external modules that an area may use: all packages by default, the "standard library", or its "pure" part.
ALLOWED_EXTERNAL = {
    "games.bots": "standard library",
    "games.engine": "pure",
    "games.geometry": "pure",
    "games.tournaments.core": "pure",
}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path
    for package in OWN_PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
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
    """Return the full names of imported things by their names in the module, also of ``read = record.read_events``."""
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
        if meaning := dotted_name(node.value, names):
            names |= {target.id: meaning for target in targets if isinstance(target, ast.Name)}
    return names


def dotted_name(node: ast.AST | None, names: Mapping[str, str]) -> str:
    """Return the full name of a name with its attributes, "" for anything else."""
    if isinstance(node, ast.Attribute):
        before = dotted_name(node.value, names)
        return before and f"{before}.{node.attr}"
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


@cache
def re_exports(module: str) -> dict[str, str]:
    return bindings(MODULES[module].read_text())


def resolved_names(name: str) -> Iterator[str]:
    """Yield a dotted name, and the names under which the modules that re-export it know it."""
    seen = set()
    while name and name not in seen:
        seen.add(name)
        yield name
        module = imported_module(name)
        first, _dot, rest = name.removeprefix(f"{module}.").partition(".") if module else ("", "", "")
        origin = re_exports(module).get(first, "") if module and name != module else ""
        name = f"{origin}.{rest}" if origin and rest else origin


def used_names(source: str) -> set[str]:
    """Return every name of other modules that a source imports or uses, with the names of re-exports."""
    names = bindings(source)
    names_used = {dotted_name(node, names) for node in nodes(source) if isinstance(node, ast.Attribute)} - {""}
    return {resolved for name in {*imports(source), *names_used} for resolved in resolved_names(name)}


def is_in_any(name: str, areas: tuple[str, ...]) -> bool:
    return any(name == area or name.startswith(f"{area}.") for area in areas)


def longest_prefix(name: str, areas: Iterable[str]) -> str:
    """Return the longest of these areas that contains a name, "" if none does."""
    return max((area for area in areas if is_in_any(name, (area,))), key=len, default="")


def tier_of(name: str) -> int:
    area = area_of(name)
    return next(number for number, tier in enumerate(TIERS) if area in tier)


@cache
def area_of(name: str) -> str:
    """Return the smallest area that contains a name; for the module of a feature, its layer."""
    if listed := longest_prefix(name, LAYER_OF_MODULE):
        return LAYER_OF_MODULE[listed]
    leaf = (imported_module(name) or name).rpartition(".")[2].rpartition("_")[2]
    layers = (layer for layer, leaves in LAYER_MODULE_NAMES.items() if leaf in leaves)
    layer = next(layers, "") if name.startswith("games.") else ""
    return layer or longest_prefix(name, (area for tier in TIERS for area in tier))


def import_error(module: str, imported: str) -> str | None:
    """Return why the module may not import the name, or None if it may."""
    top = imported.partition(".")[0]
    if top in OWN_PACKAGES:
        if area_of(module) != area_of(imported) and tier_of(module) <= tier_of(imported):
            return f"{module} (tier {tier_of(module)}) may not import {imported} (tier {tier_of(imported)})"
        if is_sibling_variant(module, imported):
            return f"variants do not know each other: {module} imports {imported}"
    elif not is_allowed_external(module, imported):
        return f"{module} may use {ALLOWED_EXTERNAL[area_of(module)]} only, not {imported}"
    return None


def is_allowed_external(module: str, imported: str) -> bool:
    """Return True if the module may use this external module."""
    allowed = ALLOWED_EXTERNAL.get(area_of(module), "packages")
    top = imported.partition(".")[0]
    if allowed == "packages":
        return True
    if top not in sys.stdlib_module_names:
        return False
    return allowed == "standard library" or top not in IMPURE or imported in PURE_EXCEPTIONS


def is_sibling_variant(module: str, imported: str) -> bool:
    variants = "games.engine.variants"
    own = module.removeprefix(f"{variants}.")
    if own == module or not is_in_any(imported, (variants,)):
        return False
    return not is_in_any(imported, (module,))


def rule_for(rules: Mapping[str, tuple[str, ...]], module: str) -> tuple[str, ...]:
    """Return the entry of a table for a module: that of the module itself, or else that of its area."""
    return rules.get(longest_prefix(module, rules) or longest_prefix(area_of(module), rules), ())


def import_errors(module: str, source: str) -> list[str]:
    """Return the forbidden imports of a module, and the forbidden names that it uses."""
    texts = (import_error(module, imported) for imported in imports(source))
    forbidden = rule_for(FORBIDDEN_NAMES, module)
    names = sorted(used_names(source)) if forbidden else ()
    named = (f"{module} may not use {name}" for name in names if is_in_any(name, forbidden))
    path = import_path_to(source, rule_for(FORBIDDEN_INDIRECTLY, module))
    reached = f"{module} may not reach {' -> '.join(path)}" if path else ""
    return [text for text in (*texts, *named, reached) if text]


def imported_module(name: str) -> str | None:
    """Return the module of this project that a name is, or belongs to."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


def loaded_modules(source: str) -> set[str]:
    """Return the modules of this project that a source loads: its imports, with their packages."""
    modules = {module for name in imports(source) if (module := imported_module(name))}
    return modules | {
        ".".join(parts[:end]) for name in modules for parts in [name.split(".")] for end in range(1, len(parts))
    }


@cache
def modules_loaded_by(module: str) -> set[str]:
    return loaded_modules(MODULES[module].read_text()) - {module}


def import_path_to(source: str, areas: tuple[str, ...]) -> list[str]:
    """Return a shortest chain of imports from a source to one of the areas, [] if there is none."""
    if not areas:
        return []
    paths = deque([name] for name in sorted(loaded_modules(source)))
    seen: set[str] = set()
    while paths:
        path = paths.popleft()
        if is_in_any(path[-1], areas):
            return path
        if path[-1] not in seen:
            seen.add(path[-1])
            paths.extend([*path, following] for following in sorted(modules_loaded_by(path[-1])))
    return []
