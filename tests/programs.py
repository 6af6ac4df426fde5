"""The programs of a checkout."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def python(root: Path) -> str:
    """Return the interpreter for a checkout: its own, if another one than this has one."""
    own = root / ".venv" / "bin" / "python"
    return str(own) if root != ROOT and own.exists() else sys.executable


def manage_of(root: Path) -> list[str]:
    return [python(root), str(root / "manage.py")]


MANAGE = manage_of(ROOT)
