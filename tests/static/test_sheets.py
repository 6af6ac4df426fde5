"""Style sheets and scripts: which pages load them, and between which layouts the sheets choose."""

from __future__ import annotations

import re

from tests.repository import ROOT

PAGES = ROOT / "static" / "pages"
SHEETS = sorted((ROOT / "static" / "css").glob("*.css"))
QUERY = re.compile(r"@(media|container) ([^{]*) \{")
# A window that fulfils none of these is a tablet's, or a desktop's that is narrow or low.
LAYOUTS = {
    "phone": "(max-width: 39.99rem)",
    "low phone": "(max-width: 39.99rem) and (max-height: 36.99rem)",
    "landscape phone": "(min-width: 40rem) and (max-height: 33.99rem)",
    "desktop": "(min-width: 66rem) and (min-height: 34rem)",
    "large text on a phone": "(max-width: 18rem)",
}
FELTS = {"tall": "felt (aspect-ratio < 1.35)", "wide": "felt (aspect-ratio > 2)"}
# Queries about a person or a device, at any size of the window.
PREFERENCES = {
    "(forced-colors: active)",
    "(pointer: coarse)",
    "(prefers-reduced-motion: reduce)",
    "(scripting: enabled)",
    "(scripting: none)",
    "not (pointer: coarse)",
    "print",
}


def conditions(kind: str) -> set[str]:
    """Return the conditions of all ``@media`` or ``@container`` rules; a list counts as its parts."""
    queries = [query for sheet in SHEETS for query in QUERY.findall(sheet.read_text())]
    return {part for query_kind, query in queries if query_kind == kind for part in query.split(", ")}


def test_sizes_are_those_of_the_named_layouts() -> None:
    assert conditions("media") - PREFERENCES == {*LAYOUTS.values()}
    assert conditions("container") == {*FELTS.values()}


def test_every_sheet_and_script_belongs_to_a_page() -> None:
    entries = "".join(path.read_text() for path in PAGES.iterdir())
    assert {sheet.stem for sheet in SHEETS} - set(re.findall(r"css/(\w+)\.css", entries)) == {
        "social_preview"  # read by games/sharing/preview.py
    }
    modules = {path.name: path.read_text() for path in (ROOT / "static" / "js").glob("*.js")}
    imported = set(re.findall(r"""import [^;]*"\.\.?/(?:js/)?(\w+\.js)";""", entries + "".join(modules.values())))
    assert modules.keys() - imported == {"service_worker.js"}  # has an address of its own


def test_every_entry_is_linked_by_a_page() -> None:
    templates = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    assert {path.name for path in PAGES.iterdir()} == set(re.findall(r"pages/([\w.]+)", templates))
