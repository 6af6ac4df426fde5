"""Hostile values for the requests and frames of benchmarks/fuzz.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any
from urllib.parse import urlencode

FOREIGN_HOST = "evil.example"
NUMBERS = ["0", "-1", "1", "00", "+1", "1.0", "1_000", "0x10", "1e400", "NaN"]
LARGE_NUMBERS = ("9" * 20, "9" * 5000, str(2**31), str(2**63))
PLAUSIBLE_TEXTS = ["on", "null", "true", "[]", "{}", "6-4", "6-4:r", "2026-01-01T00:00:00Z", "0001-01-01"]
FOREIGN_URLS = (
    f"https://{FOREIGN_HOST}/",
    f"//{FOREIGN_HOST}/",
    f"/\\{FOREIGN_HOST}/",
    f"\r\nX-Injected: {FOREIGN_HOST}",
)
LONG_TEXTS = ("A" * 300, "A" * 10_000, ",".join("1" * 400), "=&;=&;", "[" * 2000)
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
ODD_CHARACTERS = (
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
TEXTS = (*NUMBERS, *LARGE_NUMBERS, *PLAUSIBLE_TEXTS, *FOREIGN_URLS, *LONG_TEXTS, *INJECTIONS, *ODD_CHARACTERS)
DEEPLY_NESTED: Any = 0
for _ in range(300):
    DEEPLY_NESTED = [DEEPLY_NESTED]
JSON_NUMBERS = (0, -1, 1, 1.5, -0.0, 2**31, 2**31 - 1, 2**63, 10**400)
JSON_VALUES: tuple[Any, ...] = (None, True, False, *JSON_NUMBERS, [], {}, [[]], {"type": "move"}, DEEPLY_NESTED)


def random_text(rng: Random) -> str:
    """Return an odd text, at times two in one."""
    picked = rng.choice(TEXTS)
    return picked + rng.choice(TEXTS) if rng.random() < 0.05 else picked


def random_query(rng: Random, names: Sequence[str]) -> str:
    """Return a query string with up to three of the parameters; one in fifty has too many or is not a query at all."""
    if rng.random() < 0.02:
        return rng.choice(("a=1&" * 1500, "%ff=%00&%zz", "?&=&;", "&".join([*names] * 3)[:4000]))
    pairs = [
        (name, random_text(rng)[:1000].encode("utf-8", "surrogatepass")) for name in names and rng.choices(names, k=3)
    ]
    return urlencode(pairs[: rng.randrange(4)])


def random_value(rng: Random) -> Any:
    """Return any JSON value."""
    return rng.choice(JSON_VALUES) if rng.random() < 0.5 else random_text(rng)


def encode_json(data: object) -> str:
    """Return JSON that may contain invalid numbers."""
    return json.dumps(data).replace('"1e400"', "1e400").replace('"NaN"', "NaN")


def mangle(data: bytes, rng: Random) -> bytes:
    """Return the bytes with some of them lost, doubled or replaced."""
    begin = rng.randrange(len(data) + 1)
    end = min(len(data), begin + rng.randrange(20))
    return data[:begin] + rng.randbytes(rng.randrange(4)) + data[begin:end] * rng.randrange(3) + data[end:]
