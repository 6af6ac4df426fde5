"""The key that identifies the site to push services (VAPID, RFC 8292): 32 bytes in base64url."""

from __future__ import annotations

import base64
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.exceptions import ImproperlyConfigured

KEY_BYTES = 32


def new_private_key() -> str:
    private_value = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode_base64url(private_value.to_bytes(KEY_BYTES, "big"))


@lru_cache(maxsize=2)
def public_key_of(private_key: str) -> str:
    """Return the public key, as browsers need it. Raises ImproperlyConfigured."""
    try:
        raw = decode_base64url(private_key)
        if len(raw) != KEY_BYTES:
            raise ValueError(f"{len(raw)} bytes instead of {KEY_BYTES}")
        key = ec.derive_private_key(int.from_bytes(raw, "big"), ec.SECP256R1()).public_key()
    except ValueError as error:
        raise ImproperlyConfigured(f"VAPID_PRIVATE_KEY is not a valid key: {error}. Run manage.py vapid.") from error
    return encode_base64url(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def encode_base64url(raw: bytes) -> str:
    """Return base64url without padding, as browsers write it."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decode_base64url(text: str) -> bytes:
    """Read base64url, with or without padding. Raises ValueError."""
    unpadded = text.rstrip("=")
    return base64.b64decode(unpadded + "=" * (-len(unpadded) % 4), altchars=b"-_", validate=True)
