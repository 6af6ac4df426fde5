"""Runs the deal verifier in Node.js: the downloadable program, and the modules behind the page "Check the deals"."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NODE = Path(sys.executable).with_name("node")
PROGRAM = ROOT / "static" / "js" / "verify_deal.mjs"


def run_program(data: object, *arguments: str, program: Path = PROGRAM) -> tuple[int, str]:
    """Run the program with a record on its standard input; return its exit code and output."""
    process = subprocess.run(
        [NODE, program, *arguments],
        input=data if isinstance(data, bytes) else json.dumps(data).encode(),
        capture_output=True,
        cwd="/",
        timeout=60,
        check=False,
    )
    assert process.stderr == b""
    return process.returncode, process.stdout.decode()


def verdicts(records: Iterable[Any]) -> list[str]:
    return [answer["verdict"] for answer in run_script("verdicts.mjs", records)]


def run_script(script: str, lines: Iterable[Any]) -> Sequence[Any]:
    """Run a script in this folder. It writes one line of JSON for each line that it reads."""
    process = subprocess.run(
        [NODE, Path(__file__).with_name(script)],
        input="".join(f"{json.dumps(line)}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if process.returncode or process.stderr:
        raise RuntimeError(process.stderr)
    return [json.loads(line) for line in process.stdout.splitlines()]
