"""Pieces of Python on the database of a site, in one process for all of them: to begin one takes a second."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

ANSWERING = """
import json, sys, traceback
from contextlib import redirect_stdout

told = sys.stdout
for line in sys.stdin:
    names = {"__name__": "laid"}
    try:
        with redirect_stdout(sys.stderr):
            exec(json.loads(line), names)
        said = {"answer": names.get("answer")}
    except Exception:
        said = {"error": traceback.format_exc()}
    print(json.dumps(said), file=told, flush=True)
"""


class Shell:
    """``manage.py shell``, which answers until its end."""

    def __init__(self, manage: Sequence[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [*manage, "shell", "--no-imports", "-c", ANSWERING],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def answer(self, source: str) -> Any:
        """Run this and return what it calls ``answer``, as JSON says it."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(source), file=self.process.stdin, flush=True)
        data = json.loads(self.process.stdout.readline())
        assert "error" not in data, data["error"]
        return data["answer"]

    def end(self) -> None:
        """End the process, which has nothing more to read."""
        self.process.communicate()
