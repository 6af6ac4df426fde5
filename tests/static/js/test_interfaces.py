"""Interfaces that a browser may lack are used by one module alone, which has a fallback for each."""

from __future__ import annotations

import pytest

from tests.static.js.scripts import uses

FALLBACKS = "fallbacks.js"
OPTIONAL = r"""(?x)
    \bnavigator\.(?!onLine\b)\w+
  | \b(?:window\.)?(?:AudioContext|BroadcastChannel|Notification|PushManager|ResizeObserver|localStorage|matchMedia
      |requestIdleCallback|sessionStorage)\b\s*[\(.?]
  | \.(?:animate|exitFullscreen|getAnimations|getEntriesByType|moveBefore|requestFullscreen)\b\s*(?:\?\.)?\(
  | \bcrypto\.subtle\b
"""
# The shuffle is part of a program for Node.js, too. Its callers check first (hasFingerprints).
USES_DIGESTS = "shuffle.js"


def test_optional_interfaces_are_wrapped() -> None:
    assert uses(OPTIONAL, FALLBACKS, USES_DIGESTS) == {}


@pytest.mark.parametrize("name", [FALLBACKS, USES_DIGESTS])
def test_the_modules_that_use_them_are_found(name: str) -> None:
    assert name in uses(OPTIONAL)
