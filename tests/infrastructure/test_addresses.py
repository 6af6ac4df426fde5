"""Whom the limits take for one client."""

from __future__ import annotations

from infrastructure.addresses import client_key, parse_address


def test_client_keys_identify_customers() -> None:
    for address, key in [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("testserver", "testserver"),
        ("", ""),
    ]:
        assert client_key(address) == key


def test_addresses_from_proxies_are_parsed() -> None:
    for text, address in [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:5678", "192.0.2.1"),
        ("2001:DB8::1", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("unknown", ""),
        ("192.0.2.1, 192.0.2.2", ""),
        ("1.2.3.4\xe9", ""),
        ("", ""),
    ]:
        assert parse_address(text) == address
