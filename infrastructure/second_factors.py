"""Second factors of accounts and of single sessions, as django-allauth records them."""

from __future__ import annotations

import time

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY, get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

FACTOR_TYPES = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
MFA_METHOD = "mfa"  # allauth's name of a second factor among the methods by which a session was authenticated


def has_second_factor(user: AbstractBaseUser) -> bool:
    """Return whether a login to the account needs a second factor."""
    return is_mfa_enabled(user, types=FACTOR_TYPES)


def has_used_second_factor(request: HttpRequest, user: AbstractBaseUser) -> bool:
    """Return True if the person has entered a second factor in this session; other sessions do not count."""
    return any(record["method"] == MFA_METHOD for record in get_authentication_records(request, user))


def record_second_factor(request: HttpRequest, app: Authenticator) -> None:
    """Record the code that completes the setup as the second factor of this session, as at a login."""
    record = {"method": MFA_METHOD, "at": time.time(), "id": app.pk, "type": app.type}
    records = get_authentication_records(request, app.user)
    request.session[AUTHENTICATION_METHODS_SESSION_KEY] = [*records, record]
