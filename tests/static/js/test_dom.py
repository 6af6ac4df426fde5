"""Scripts and pages agree on the names that they share: ids, data attributes and events."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path

from tests.engine.verifiers import NODE
from tests.repository import ROOT
from tests.static.js.scripts import SCRIPTS, modules, uses

NAMES = "dom.js"
PRINT_NAMES = 'import("./dom.js").then((names) => console.log(JSON.stringify(names)))'
ELEMENT = re.compile(r"""<(\w+)\b(?:[^<>]|<%.*?%>)*?\sid=\\?["']([^"']*)["']""")
PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{[^{}]*\}")
LITERAL = re.compile(r""""[^"\n]*"|'[^'\n]*'|`[^`]*`""")
SELECTED_ID = re.compile(r"""(?<=["'`\s,(>])#([a-z][\w-]*)(?![\w-]*\$\{)""")
SELECTED_DATA = re.compile(r"""\[data-([a-z-]+)|["']data-([a-z-]+)["']""")
COMPARED_ID = re.compile(r"""\.id [!=]== ["']([\w-]+)["']""")
OWN_EVENT = re.compile(r"""(?:new (?:Custom)?Event\(|addEventListener\(\s*)["']([\w-]+:?[\w-]*)["']""")


@cache
def names() -> dict[str, dict[str, str] | list[str] | str]:
    """Return what ``dom.js`` exports apart from functions."""
    done = subprocess.run([NODE, "-e", PRINT_NAMES], cwd=SCRIPTS, check=True, capture_output=True, text=True)
    exported: dict[str, dict[str, str] | list[str] | str] = json.loads(done.stdout)
    return exported


@cache
def markup() -> str:
    """Return all templates and all code that writes markup."""
    templates = sorted((ROOT / "templates").rglob("*.html"))
    code = [path for path in sorted((ROOT / "games").rglob("*.py")) if is_rendering(path)]
    code.append(ROOT / "infrastructure" / "moments.py")
    assert len(templates) > 50
    assert len(code) > 20
    return "\n".join(path.read_text() for path in [*templates, *code])


def is_rendering(path: Path) -> bool:
    return "rendering" in path.parts or path.stem.endswith(("rendering", "plot", "forms", "views"))


def selected_ids(code: str) -> list[str]:
    """Return the ids in the selectors of a script."""
    return [name for literal in LITERAL.findall(code) for name in SELECTED_ID.findall(literal)]


@cache
def elements() -> set[tuple[str, str]]:
    """Return the tags and ids of elements; a variable part of an id is written as an asterisk."""
    return {(tag, PLACEHOLDER.sub("*", name)) for tag, name in ELEMENT.findall(markup())}


def is_in_markup(name: str, tag: str) -> bool:
    """Return True if an element has the tag and the id, or a part of the markup is given the id as a value."""
    patterns = [pattern for its_tag, pattern in elements() if its_tag == tag and len(pattern.replace("*", "")) > 2]
    if any(re.fullmatch(".+".join(map(re.escape, pattern.split("*"))), name) for pattern in patterns):
        return True
    return re.search(rf"""["']{name}["']""", markup()) is not None


def kebab(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"-{letter[0].lower()}", name)


def shared_data() -> set[str]:
    return {kebab(name) for name in names()["DATA"]}


def own_data() -> set[str]:
    return {kebab(name) for name in names()["OWN_DATA"]}


def test_each_id_belongs_to_an_element_with_the_tag_that_scripts_expect() -> None:
    tags = names()["TAGS"]
    assert isinstance(tags, dict)
    assert {name: tag for name, tag in tags.items() if not is_in_markup(name, tag)} == {}


def test_each_data_attribute_is_written_by_pages_or_only_by_scripts() -> None:
    assert {name for name in shared_data() if not re.search(rf"\bdata-{name}\b", markup())} == set()
    assert {name for name in own_data() if re.search(rf"\bdata-{name}\b", markup())} == set()


def test_the_event_that_forms_wait_for_is_named_in_their_triggers() -> None:
    assert re.search(rf'hx-trigger="[^"]*\b{names()["WAKE"]}\b', markup())


def test_scripts_reach_elements_and_data_only_through_the_shared_names() -> None:
    assert uses(r"""getElementById\(["'`]\w+["'`]\)|\.dataset\b""", NAMES) == {}


def test_no_script_has_an_id_that_the_shared_names_lack() -> None:
    ids = {*names()["TAGS"]}
    for name, code in modules(NAMES).items():
        assert {*selected_ids(code), *COMPARED_ID.findall(code)} <= ids, name


def test_no_script_has_a_data_attribute_that_the_shared_names_lack() -> None:
    data = shared_data() | own_data()
    for name, code in modules(NAMES).items():
        attributes = {one or other for one, other in SELECTED_DATA.findall(code)}
        assert attributes <= data, name


def test_no_script_writes_the_name_of_a_shared_event() -> None:
    shared = {value for name, value in names().items() if name.isupper() and isinstance(value, str)}
    assert shared
    assert {name: events for name, events in uses(OWN_EVENT.pattern, NAMES).items() if shared & {*events}} == {}


def test_only_two_modules_listen_to_htmx() -> None:
    assert uses(r"""["']htmx:""").keys() == {"socket.js", "updates.js"}


def test_planted_ids_are_found() -> None:
    assert selected_ids("""query("#one .tile"); closest(target, `#two > b`); this.#three = '.four #five'""") == [
        "one",
        "two",
        "five",
    ]
    assert COMPARED_ID.findall('x.id === "six"') == ["six"]


def test_an_id_that_no_page_has_is_found() -> None:
    assert not is_in_markup("nowhere", "div")
