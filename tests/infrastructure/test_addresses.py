"""Whom the limits take for one client."""

from __future__ import annotations

import pytest

from infrastructure.addresses import client_key, parsed


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("testserver", "testserver"),
        ("", ""),
    ],
)
def test_limits_count_a_client_by_this_name(address: str, key: str) -> None:
    assert client_key(address) == key


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:5678", "192.0.2.1"),
        ("2001:DB8::1", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("unknown", ""),
        ("192.0.2.1, 192.0.2.2", ""),
        ("1.2.3.4\xe9", ""),
        ("", ""),
    ],
)
def test_proxies_write_an_address_in_several_ways(text: str, address: str) -> None:
    assert parsed(text) == address
