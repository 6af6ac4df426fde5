"""The text files of the repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT_SUFFIXES = {
    ".cfg",
    ".conf",
    ".css",
    ".html",
    ".in",
    ".js",
    ".json",
    ".jsonc",
    ".md",
    ".mjs",
    ".po",
    ".py",
    ".service",
    ".svg",
    ".timer",
    ".toml",
    ".ts",
    ".txt",
    ".yaml",
    ".yml",
    "",
}


def text_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = [ROOT / name for name in listed.split("\0") if name]
    return [path for path in paths if path.is_file() and path.suffix in TEXT_SUFFIXES]
