"""Network addresses, stored so that they can be compared but not read."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from infrastructure.addresses import client_key


def address_mark(address: str, scope: object) -> str:
    """Return a mark of a network address, the same for all of one household; "" of no address.

    Without the site's key nobody can find the address from it, or recognise it in another scope.
    """
    if not address:
        return ""
    return salted_hmac(f"accounts.addresses.{scope}", client_key(address), algorithm="sha256").hexdigest()[:32]
