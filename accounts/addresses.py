"""Where people come from, kept so that it can be compared and not read."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from infrastructure.addresses import client_key


def address_mark(address: str, scope: object) -> str:
    """Return a mark of a network address, the same for all of one household; "" of no address.

    Without the site's key nobody finds the address from it, nor the same address in another scope.
    """
    if not address:
        return ""
    return salted_hmac(f"accounts.addresses.{scope}", client_key(address), algorithm="sha256").hexdigest()[:32]
