"""The modules that pages load."""

from __future__ import annotations

import re
from pathlib import Path

from tests.repository import ROOT

SCRIPTS = ROOT / "static" / "js"
# Modules that run elsewhere: in a worker, and in Node.js.
ELSEWHERE = {"service_worker.js"}
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.DOTALL)


def modules(*without: str) -> dict[str, str]:
    """Return the code of each module of the pages by its name, without comments."""
    paths: list[Path] = [path for path in sorted(SCRIPTS.glob("*.js")) if path.name not in ELSEWHERE | {*without}]
    assert len(paths) > 50
    return {path.name: COMMENT.sub("", path.read_text()) for path in paths}


def uses(pattern: str, *without: str) -> dict[str, list[str]]:
    """Return what a pattern finds in each module."""
    matches = {name: re.findall(pattern, code) for name, code in modules(*without).items()}
    return {name: texts for name, texts in matches.items() if texts}
