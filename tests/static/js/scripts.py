"""The JavaScript modules that pages load."""

from __future__ import annotations

import re
from pathlib import Path

from tests.repository import ROOT

SCRIPTS = ROOT / "static" / "js"
NOT_ON_PAGES = {"service_worker.js"}  # scripts that run in a worker
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.DOTALL)


def modules(*without: str) -> dict[str, str]:
    """Return the code of each module by file name, with comments removed. Modules in ``without`` are left out."""
    paths: list[Path] = [path for path in sorted(SCRIPTS.glob("*.js")) if path.name not in NOT_ON_PAGES | {*without}]
    assert len(paths) > 50
    return {path.name: COMMENT.sub("", path.read_text()) for path in paths}


def uses(pattern: str, *without: str) -> dict[str, list[str]]:
    """Return the matches of a pattern, by module."""
    matches = {name: re.findall(pattern, code) for name, code in modules(*without).items()}
    return {name: texts for name, texts in matches.items() if texts}
