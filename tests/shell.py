"""Runs Python code on the database of a site, in one process, because starting one takes a second."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

EVALUATION_LOOP = """
import json, sys, traceback
from contextlib import redirect_stdout

output = sys.stdout
for line in sys.stdin:
    names = {"__name__": "test_code"}
    try:
        with redirect_stdout(sys.stderr):
            exec(json.loads(line), names)
        result = {"answer": names.get("answer")}
    except Exception:
        result = {"error": traceback.format_exc()}
    print(json.dumps(result), file=output, flush=True)
"""


class Shell:
    """A ``manage.py shell`` that runs code until it is ended."""

    def __init__(self, manage: Sequence[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [*manage, "shell", "--no-imports", "-c", EVALUATION_LOOP],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, source: str) -> Any:
        """Run Python code and return its variable ``answer``, which must be a JSON value."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(source), file=self.process.stdin, flush=True)
        data = json.loads(self.process.stdout.readline())
        assert "error" not in data, data["error"]
        return data["answer"]

    def end(self) -> None:
        """End the process, which has nothing more to read."""
        self.process.communicate()
