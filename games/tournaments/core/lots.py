"""Lots that everybody can draw again from a published seed."""

from __future__ import annotations

from hashlib import sha256


def lot(seed: str, *fields: str) -> bytes:
    """Return what decides among equals: the lowest comes first.

    >>> sorted(["anna", "bela"], key=lambda party: lot("seed", party))
    ['bela', 'anna']
    """
    return sha256("\0".join((seed, *fields)).encode()).digest()
