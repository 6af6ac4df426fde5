"""Checks of the whole repository."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from tests.repository import ROOT, text_files

LOCKS = ("requirements.txt", "requirements-dev.txt")
# Lines of a file, by its suffix.
LONGEST = {".css": 400, ".html": 400, ".js": 400, ".mjs": 400, ".py": 400}
STILL_LONGER = {"games/migrations/0001_initial.py"}
LONGEST_FUNCTION = 30
CODE = {"accounts", "benchmarks", "deploy", "domino_site", "games", "infrastructure", "scripts", "tests"}
# A path of somebody's machine, or the address of a package registry or mirror.
MACHINE = re.compile(
    r"(?:^|[\s\"'=(:])/(?:work|root|home|Users|opt|mnt)/\w|/tmp/[a-z]+/"
    r"|https?://[^\s\"')]*(?:pypi|pythonhosted|npmjs|registry|artifactory|nexus|mirror)"
)


def machine_traces(text: str) -> list[str]:
    return [match[0].strip() for match in MACHINE.finditer(text)]


def test_no_file_mentions_its_authors_machine() -> None:
    files = [path for path in text_files() if path != Path(__file__)]
    assert len(files) > 50
    assert {str(path): traces for path in files if (traces := machine_traces(path.read_text()))} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "path = '/home/anna/dominoes'",
        "see /root/notes",
        "--find-links=/opt/wheels",
        "--index-url https://pypi.org/simple",
        '"resolved": "https://registry.npmjs.org/htmx.org"',
        "https://mirror.example/simple",
    ],
)
def test_a_planted_trace_is_found(planted: str) -> None:
    assert machine_traces(planted)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_with_its_hashes(lock: str) -> None:
    text = re.sub(r"\s*\\\n\s*", " ", (ROOT / lock).read_text())
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert len(lines) > 20
    assert [line for line in lines if not re.match(r"[\w.\[\],-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []


def test_the_two_locks_agree() -> None:
    pins = [dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE)) for lock in LOCKS]
    shared = pins[0].keys() & pins[1].keys()
    assert {name for name in shared if pins[0][name] != pins[1][name]} == set()


def test_every_npm_package_has_its_checksum() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    named = {name: package for name, package in packages.items() if name}
    assert named
    assert [name for name, package in named.items() if not package["integrity"].startswith("sha512-")] == []


@pytest.mark.parametrize(
    ("suffix", "folders"),
    [
        (".py", CODE),
        (".html", {"templates"}),
        (".js", {"static", "tests"}),
        (".mjs", {"static", "tests"}),
        (".css", {"static"}),
    ],
)
def test_no_file_is_too_long_to_read(suffix: str, folders: set[str]) -> None:
    files = [path for path in text_files() if path.suffix == suffix and path.relative_to(ROOT).parts[0] in folders]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    assert lengths
    too_long = {name: length for name, length in lengths.items() if length > LONGEST[suffix]}
    assert too_long.keys() <= STILL_LONGER, too_long


def test_no_function_is_too_long_to_read() -> None:
    """Docstrings apart."""
    folders = CODE - {"benchmarks", "tests"}
    files = [path for path in text_files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]
    lengths = {
        f"{path.relative_to(ROOT)}: {node.name}": node.end_lineno - node.lineno + 1 - length_of_docstring(node)
        for path in files
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def length_of_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return node.body[0].end_lineno - node.body[0].lineno + 1 if ast.get_docstring(node, clean=False) else 0


# What may hold state beside the Runtime: threads that keep connections for as long as the process lives, and a lock.
STATEFUL = {"games/broadcast/database_threads.py: _threads", "games/records/validation.py: _validation_lock"}
# These keep nothing that one test could find of another.
STATELESS = {"PerProcess", "get_logger", "partial", "Library", "Router"}
LISTS_FOR_OTHERS = ("__all__", "urls", "urlpatterns")


def global_state(source: str) -> list[str]:
    """Return the globals of a module that may change: written in lower case, or empty at first."""
    assigned = [node for node in ast.parse(source).body if isinstance(node, ast.Assign | ast.AnnAssign)]
    pairs = [(node.targets[0] if isinstance(node, ast.Assign) else node.target, node.value) for node in assigned]
    names = [(ast.unparse(target), value) for target, value in pairs if may_change(value)]
    return [name for name, value in names if name.islower() or ast.unparse(value) in ("{}", "[]")]


def may_change(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).rpartition(".")[2] not in STATELESS
    return isinstance(value, ast.Dict | ast.List | ast.Set)


def test_process_state_belongs_to_the_runtime() -> None:
    modules = [path for path in sorted((ROOT / "games").rglob("*.py")) if "migrations" not in path.parts]
    globals_found = {
        f"{path.relative_to(ROOT)}: {name}" for path in modules for name in global_state(path.read_text())
    }
    assert {name for name in globals_found if not name.endswith(LISTS_FOR_OTHERS)} == STATEFUL


@pytest.mark.parametrize("planted", ["_cache = {}", "_tables: dict[int, str] = dict()", "KEPT = []", "lock = Lock()"])
def test_planted_state_is_found(planted: str) -> None:
    assert global_state(planted)


def test_tests_named_in_documents_exist() -> None:
    named = set(
        re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md")))
    )
    assert named
    missing = [f"{path}::{name}" for path, name in sorted(named) if f"def {name}(" not in (ROOT / path).read_text()]
    assert missing == []
