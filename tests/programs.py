"""The programs of a checkout."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests import seeds

ROOT = Path(__file__).parent.parent


def interpreter_of(root: Path) -> str:
    """Return the interpreter for a checkout: its own, if another one than this has one."""
    own = root / ".venv" / "bin" / "python"
    return str(own) if root != ROOT and own.exists() else sys.executable


def manage_command(root: Path) -> list[str]:
    return [interpreter_of(root), str(root / "manage.py")]


def seeded_manage_command(root: Path) -> list[str]:
    """Return the command line of a site that draws from the seed of the test; benchmarks have none."""
    is_test = root == ROOT and seeds.SEED_FILE_VARIABLE in os.environ
    return [interpreter_of(root), str(ROOT / "tests" / "seeded_manage.py")] if is_test else manage_command(root)


MANAGE_COMMAND = manage_command(ROOT)
