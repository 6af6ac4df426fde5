"""The network address of a client, and the key under which limits count it.

``domino_site.asgi_middleware.TrustedScope`` sets the client behind a proxy.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http.request import HttpRequest, split_domain_port
from twisted.web.http_headers import Headers

from infrastructure.asgi import Scope

# A provider gives one customer a prefix of this length. The customer can change the rest with every request.
CUSTOMER_PREFIX_BITS = 64


def client_key(address: str, *, prefix: int = CUSTOMER_PREFIX_BITS) -> str:
    """Return the key under which limits count this client.

    An IPv6 address counts by its /64 (``2001:db8::5`` as ``2001:db8::/64``) or another ``prefix``. An IPv4 address
    written as IPv6 counts as IPv4. A text that is no address is its own key.
    """
    try:
        client = ip_address(address)
    except ValueError:
        return address
    if not isinstance(client, IPv6Address):
        return str(client)
    if client.ipv4_mapped:
        return str(client.ipv4_mapped)
    return str(ip_network((int(client), prefix), strict=False))


def address_key_of_request(request: HttpRequest) -> str:
    """Return the key under which limits count the address of this request."""
    return client_key(request.META.get("REMOTE_ADDR", ""))


def address_key_of_socket(scope: Scope) -> str:
    """Return the key under which limits count the address of this socket."""
    return client_key(scope["client"][0]) if scope.get("client") else ""


def address_key_of_headers(peer: Any, headers: Headers) -> str:
    """Return the key under which limits count a client, before its request has a scope.

    ``peer`` is Twisted's address of the other end of the connection.
    """
    forwarded = headers.getRawHeaders(b"X-Forwarded-For", []) if settings.BEHIND_PROXY else []
    return client_key(parse_address(last_list_element(forwarded)) or getattr(peer, "host", ""))


def last_list_element(values: Iterable[bytes]) -> str:
    """Return the last element of a list that may be spread over several headers, "" if there is none.

    Proxies append to the header of the visitor, so only this element can be trusted.
    """
    return b",".join(values).decode("latin1").rpartition(",")[2].strip()


def parse_address(text: str) -> str:
    """Return the address that a proxy names, without the port that some add, or "" if it is none."""
    for address in (text, split_domain_port(text)[0].strip("[]")):
        try:
            return str(ip_address(address))
        except ValueError:
            continue
    return ""
