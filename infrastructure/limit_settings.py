"""The notation of limits in the settings: for an address, for all its visitors without an account, for an account.

A rate limit is ``300+20/s address, 60+4/s account``: 300 at once and 20 per second (or ``m``, ``h``) in the long run.
A concurrency limit is ``300 address, 200 visitors, 20 account``: the number at the same time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

UNIT_SECONDS = {"s": 1, "m": 60, "h": 3600}
RATE_PATTERN = re.compile(r"([1-9]\d*)\+([1-9]\d*)/([smh]) (address|visitors|account)", re.ASCII)
CONCURRENCY_LIMIT_PATTERN = re.compile(r"([1-9]\d*) (address|visitors|account)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``burst`` at once, and ``per_second`` in the long run."""

    burst: int
    per_second: float


def parse_rate_limits(text: str) -> dict[str, Rate]:
    """Return the rates by ``address``, ``visitors`` and ``account``, if limited. Raises ImproperlyConfigured."""
    parts = (match.groups() for match in _parse_parts(text, RATE_PATTERN, "300+20/s address"))
    return {client: Rate(int(burst), int(number) / UNIT_SECONDS[unit]) for burst, number, unit, client in parts}


def parse_place_limits(text: str) -> dict[str, int]:
    """Return the places by ``address``, ``visitors`` and ``account``, if limited. Raises ImproperlyConfigured."""
    parts = (match.groups() for match in _parse_parts(text, CONCURRENCY_LIMIT_PATTERN, "300 address"))
    return {client: int(number) for number, client in parts}


def _parse_parts(text: str, pattern: re.Pattern[str], example: str) -> list[re.Match[str]]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    matches = [pattern.fullmatch(part) for part in parts]
    if None in matches:
        raise ImproperlyConfigured(f"“{text}” is no limit; one is written like “{example}”.")
    return [match for match in matches if match]
