"""Keyed hashes of network addresses, which can be compared but not read."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from infrastructure.addresses import client_key


def address_hash(address: str, scope: object) -> str:
    """Return a keyed hash of a network address, the same for a whole household; "" without an address.

    Hashes of different scopes cannot be linked.
    """
    if not address:
        return ""
    return salted_hmac(f"accounts.addresses.{scope}", client_key(address), algorithm="sha256").hexdigest()[:32]
