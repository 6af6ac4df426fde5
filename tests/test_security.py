"""The documents name every limit there is, with its default."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from domino_site import account_settings, settings
from tests.programs import ROOT

ENDINGS = ("_RATE", "_PLACES", "_BYTES", "_SECONDS", "_AT_ONCE", "_POOL", "_A_DAY")
NUMBER = re.compile(r'env\.(?:int|float)\("(\w+)", default=([\d_.]+)\)')
LIMIT = re.compile(r'"(\w+)": "(\d[^"]* (?:address|account))"')
SOURCES = [
    (ROOT / "domino_site" / name).read_text()
    for name in ("request_limits.py", "settings.py", "account_settings.py", "database_settings.py")
]


def numbers() -> dict[str, str]:
    found = chain.from_iterable(map(NUMBER.findall, SOURCES))
    return {name: default.replace("_", "") for name, default in found if name.endswith(ENDINGS)}


def limits() -> dict[str, str]:
    """Return rates and places as they are written, by their names in the environment."""
    rates, places = SOURCES[0].split("\nPLACES = ")
    return {
        f"{name.upper()}_{ending}": text
        for ending, source in (("RATE", rates), ("PLACES", places))
        for name, text in LIMIT.findall(source)
    }


def rows(document: str) -> dict[str, str]:
    """Return the lines of a document's tables by the names in their first cell."""
    lines = [line for line in (ROOT / document).read_text().splitlines() if line.startswith("| `")]
    return {name: line for line in lines for name in re.findall(r"`(\w+)`", line.split("|")[1])}


def test_every_limit_is_found() -> None:
    found = limits()
    assert {name for name in found if name.endswith("_RATE")} == {f"{name.upper()}_RATE" for name in settings.RATES}
    assert {name for name in found if name.endswith("_PLACES")} == {
        f"{name.upper()}_PLACES" for name in settings.PLACES
    }
    assert {"BODY_BYTES", "PASSWORDS_AT_ONCE", "DATABASE_SECONDS"} <= numbers().keys()


@pytest.mark.parametrize("document", ["README.md", "docs/security.md"])
def test_a_document_has_a_row_for_every_limit_with_its_default(document: str) -> None:
    told = rows(document)
    missing = [name for name, text in limits().items() if f"| `{text}` |" not in told.get(name, "")]
    missing += [name for name, text in numbers().items() if not re.search(rf"\b{text}\b", told.get(name, ""))]
    assert missing == []


def test_every_limit_of_accounts_has_its_row() -> None:
    told = rows("docs/security.md")
    limited = {name: rate for name, rate in account_settings.ACCOUNT_RATE_LIMITS.items() if rate}
    assert [name for name, rate in limited.items() if f"| `{rate}` |" not in told.get(name, "")] == []


def test_who_finds_a_hole_is_told_where_to_go() -> None:
    assert "SECURITY.md" in (ROOT / "README.md").read_text()
    assert "docs/security.md" in (ROOT / "SECURITY.md").read_text()
