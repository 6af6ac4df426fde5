"""The two verifiers that anybody can run: the published program, and the browser's code in node."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from runpy import run_path
from typing import Any

ROOT = Path(__file__).parents[2]
NODE = Path(sys.executable).with_name("node")
PROGRAM = run_path(str(ROOT / "docs" / "verify_deal.py"))
VERDICTS = ("fair", "unfair", "unchecked", "limited")
"""By exit code."""


def program(data: Any) -> str:
    """Return the verdict of the published program."""
    try:
        return VERDICTS[PROGRAM["result"](PROGRAM["check"](data))[0]]
    except PROGRAM["Unreadable"]:
        return "unchecked"


def browser(records: Iterable[Any]) -> list[str]:
    """Return the verdicts of the browser's code."""
    return [found["verdict"] for found in in_node("verdicts.mjs", records)]


def in_node(script: str, lines: Iterable[Any]) -> Sequence[Any]:
    """Run a script beside this file, which answers each line of JSON by one."""
    done = subprocess.run(
        [NODE, "--no-warnings", Path(__file__).with_name(script)],
        input="".join(f"{json.dumps(line)}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode or done.stderr:
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]
