"""Second factors: their secrets are encrypted, and a code of the app works only once."""

from __future__ import annotations

import base64

import structlog
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.utils import decrypt
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

log = structlog.get_logger()
# In the data of an authenticator: the time step of the last used code, in half minutes since 1970.
LAST_TOTP_STEP_KEY = "last_step"


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts with ``SECRET_KEY``, and decrypts also with ``SECRET_KEY_FALLBACKS``."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises ValidationError if none of the keys fits."""
        try:
            return _cipher().decrypt(encrypted_text).decode()
        except InvalidToken:
            log.error("second_factor_unreadable")
            text = _("Your two-step login cannot be read any more. Ask an administrator to delete it.")
            raise ValidationError(text, code="unreadable") from None


@transaction.atomic
def use_code(authenticator: Authenticator, code: str) -> bool:
    """Mark a code of the app as used. Return False if it or a later one was used before (RFC 6238, section 5.2)."""
    row = Authenticator.objects.select_for_update(no_key=True).filter(pk=authenticator.pk).first()
    step = _time_step_of(decrypt(row.data["secret"]), normalize_user_code(code)) if row else 0
    if row is None or step <= row.data.get(LAST_TOTP_STEP_KEY, 0):
        return False
    row.data[LAST_TOTP_STEP_KEY] = step
    row.save(update_fields=["data"])
    return True


def _time_step_of(secret: str, code: str) -> int:
    """Return the time step of a code that is valid now, otherwise 0."""
    steps = yield_hotp_counters_from_time()
    return max(
        (step for step in steps if constant_time_compare(format_hotp_value(hotp_value(secret, step)), code)), default=0
    )


def _cipher() -> MultiFernet:
    secret_keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_fernet_key(secret)) for secret in secret_keys])


def _fernet_key(secret: str) -> bytes:
    digest = salted_hmac("accounts.login.second_factors", "fernet", secret=secret, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest)
