"""Update the list of packages in README.md from their docstrings: ``python scripts/package_list.py``."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "README.md"
BEGIN, END = "<!-- packages: written by scripts/package_list.py -->\n", "<!-- end of packages -->\n"
APPS = ("accounts", "domino_site", "games", "infrastructure")
DJANGO_PACKAGES = {"commands", "management", "migrations", "templatetags"}  # packages that Django requires


def package_purposes() -> dict[str, str]:
    """Return the first line of every package's docstring, by folder."""
    files = sorted(
        path for app in APPS for path in (ROOT / app).rglob("__init__.py") if path.parent.name not in DJANGO_PACKAGES
    )
    docstrings = {path: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) for path in files}
    return {str(path.parent.relative_to(ROOT)): (text or "").partition("\n")[0] for path, text in docstrings.items()}


def with_current_list(text: str) -> str:
    """Return the document with the current list between its markers."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    rows = "".join(f"| `{folder}/` | {line} |\n" for folder, line in package_purposes().items())
    return f"{before}{BEGIN}| folder | purpose |\n|---|---|\n{rows}{END}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(with_current_list(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
