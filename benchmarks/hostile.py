"""Hostile values for the requests and frames of benchmarks/fuzz.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any
from urllib.parse import urlencode

ELSEWHERE = "evil.example"
NUMBERS = ["0", "-1", "1", "00", "+1", "1.0", "1_000", "0x10", "1e400", "NaN"]
LARGE_NUMBERS = ("9" * 20, "9" * 5000, str(2**31), str(2**63))
PLAUSIBLE = ["on", "null", "true", "[]", "{}", "6-4", "6-4:r", "2026-01-01T00:00:00Z", "0001-01-01"]
ELSEWHERE_LINKS = (f"https://{ELSEWHERE}/", f"//{ELSEWHERE}/", f"/\\{ELSEWHERE}/", f"\r\nX-Injected: {ELSEWHERE}")
LONG = ("A" * 300, "A" * 10_000, ",".join("1" * 400), "=&;=&;", "[" * 2000)
INJECTIONS = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "'; DROP TABLE games_match; --",
    "../../../../etc/passwd",
    "..%2f..%2f",
    "{{ 7 * 7 }}{% debug %}",
    "%(name)s%s%n%%",
    "%",
    "%zz",
    "javascript:alert(1)",
    "9999-12-31 23:59:60",
)
CHARACTERS = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\uffff",
    "\u202eabc\u202c",
    "e" + "\u0301" * 500,
    "\U0001d54f" * 50,
    "\N{FULLWIDTH DIGIT SIX}-4",
    "\N{ARABIC-INDIC DIGIT THREE}",
    "\N{SUPERSCRIPT TWO}",
    "\N{ZERO WIDTH JOINER}" * 30,
    "line\nline\rline\u2028line",
)
TEXTS = (*NUMBERS, *LARGE_NUMBERS, *PLAUSIBLE, *ELSEWHERE_LINKS, *LONG, *INJECTIONS, *CHARACTERS)
DEEP: Any = 0
for _ in range(300):
    DEEP = [DEEP]
JSON_NUMBERS = (0, -1, 1, 1.5, -0.0, 2**31, 2**31 - 1, 2**63, 10**400)
VALUES: tuple[Any, ...] = (None, True, False, *JSON_NUMBERS, [], {}, [[]], {"type": "move"}, DEEP)


def text(chance: Random) -> str:
    """Return an odd text, at times two in one."""
    picked = chance.choice(TEXTS)
    return picked + chance.choice(TEXTS) if chance.random() < 0.05 else picked


def query(chance: Random, names: Sequence[str]) -> str:
    """Return a query string with up to three of the parameters; one in fifty has too many or is not a query at all."""
    if chance.random() < 0.02:
        return chance.choice(("a=1&" * 1500, "%ff=%00&%zz", "?&=&;", "&".join([*names] * 3)[:4000]))
    pairs = [
        (name, text(chance)[:1000].encode("utf-8", "surrogatepass")) for name in names and chance.choices(names, k=3)
    ]
    return urlencode(pairs[: chance.randrange(4)])


def value(chance: Random) -> Any:
    """Return any JSON value."""
    return chance.choice(VALUES) if chance.random() < 0.5 else text(chance)


def as_json(data: object) -> str:
    """Return JSON that may contain invalid numbers."""
    return json.dumps(data).replace('"1e400"', "1e400").replace('"NaN"', "NaN")


def mangled(data: bytes, chance: Random) -> bytes:
    """Return the bytes with some of them lost, doubled or replaced."""
    begin = chance.randrange(len(data) + 1)
    end = min(len(data), begin + chance.randrange(20))
    return data[:begin] + chance.randbytes(chance.randrange(4)) + data[begin:end] * chance.randrange(3) + data[end:]
