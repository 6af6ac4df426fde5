"""The verifier that anybody can run: the modules of the page "Check the deals", in node."""

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
    return [answer["verdict"] for answer in in_node("verdicts.mjs", records)]


def in_node(script: str, lines: Iterable[Any]) -> Sequence[Any]:
    """Run a script of this folder, which answers each line of JSON with one."""
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
