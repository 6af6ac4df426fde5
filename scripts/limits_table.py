"""Update the table of limits in docs/security.md: ``python scripts/limits_table.py``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- limits: written by scripts/limits_table.py -->\n", "<!-- end of limits -->\n"


def limits_table() -> str:
    from domino_site.settings import PLACE_LIMITS, RATE_LIMITS

    rows = [
        f"| `{name.upper()}_{ending}` | `{limit.default}` | {limit.subject} | {limit.answer} |\n"
        for ending, limits in (("RATE", RATE_LIMITS), ("PLACES", PLACE_LIMITS))
        for name, limit in limits.items()
    ]
    return "".join(["| setting | default | limit on | beyond the limit |\n", "|---|---|---|---|\n", *rows])


def with_current_table(text: str) -> str:
    """Return the document with the current table between its markers."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return before + BEGIN + limits_table() + END + after


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    with TemporaryDirectory() as folder:
        os.environ["VAR_DIR"] = folder
        DOCUMENT.write_text(with_current_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
