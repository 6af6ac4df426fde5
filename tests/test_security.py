"""The documents name every limit with its default."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from domino_site.settings import accounts
from scripts.limits_table import DOCUMENT, with_current_table
from tests.programs import ROOT

ENDINGS = ("_BYTES", "_SECONDS", "_AT_ONCE", "_POOL", "_A_DAY")
NUMBER = re.compile(r'env\.(?:int|float)\("(\w+)", default=([\d_.]+)\)')
SOURCES = [path.read_text() for path in (ROOT / "domino_site" / "settings").glob("*.py")]


def default_values() -> dict[str, str]:
    matches = chain.from_iterable(map(NUMBER.findall, SOURCES))
    return {name: default.replace("_", "") for name, default in matches if name.endswith(ENDINGS)}


def rows(document: str) -> dict[str, str]:
    """Return the lines of a document's tables by the names in their first cell."""
    lines = [line for line in (ROOT / document).read_text().splitlines() if line.startswith("| `")]
    return {name: line for line in lines for name in re.findall(r"`(\w+)`", line.split("|")[1])}


def test_table_of_limits_is_current() -> None:
    """``python scripts/limits_table.py`` writes it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_current_table(text) == text


@pytest.mark.parametrize("document", ["docs/settings.md", "docs/security.md"])
def test_document_has_every_number_with_its_default(document: str) -> None:
    assert {"BODY_BYTES", "PASSWORDS_AT_ONCE", "DATABASE_SECONDS"} <= default_values().keys()
    written = rows(document)
    assert [
        name for name, text in default_values().items() if not re.search(rf"\b{text}\b", written.get(name, ""))
    ] == []


def test_every_limit_of_accounts_has_its_row() -> None:
    written = rows("docs/security.md")
    limited = {name: rate for name, rate in accounts.ACCOUNT_RATE_LIMITS.items() if rate}
    assert [name for name, rate in limited.items() if f"| `{rate}` |" not in written.get(name, "")] == []


def test_readme_says_how_to_report_a_vulnerability() -> None:
    assert "SECURITY.md" in (ROOT / "README.md").read_text()
    assert "docs/security.md" in (ROOT / "SECURITY.md").read_text()
