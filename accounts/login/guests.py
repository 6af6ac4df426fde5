"""Guests: people with only a name, a colour and a session."""

from __future__ import annotations

import secrets

from allauth.core.ratelimit import consume_or_429
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.login.suspended_guests import restricted_until
from accounts.models import User
from accounts.names.rules import random_guest_username

GUEST_SESSION_SECONDS = 365 * 24 * 3600


def create_guest(*, name: str, colour: str, theme: str = User.Theme.SYSTEM) -> User:
    """Create a guest, without a usable password."""
    guest = User(username=random_guest_username(), name=name, colour=colour, theme=theme, is_guest=True)
    guest.set_unusable_password()
    guest.save()
    return guest


def become_guest(request: HttpRequest, *, name: str, colour: str = "") -> HttpResponse | None:
    """Log the visitor in as a new guest. Return the error page if this address may have no more guests."""
    if refusal := consume_or_429(request, action="guest"):
        return refusal
    if until := restricted_until(request):
        return render(request, "accounts/address_restricted.html", {"until": until}, status=403)
    log_in_guest(request, create_guest(name=name, colour=colour or random_colour(), theme=theme_from_cookie(request)))
    return None


def log_in_guest(request: HttpRequest, guest: User) -> None:
    """Log a guest in. The CSRF secret stays the same, so that forms in other tabs keep working."""
    secret = request.META.get("CSRF_COOKIE")
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    if secret:
        request.META["CSRF_COOKIE"] = secret
    request.session.set_expiry(GUEST_SESSION_SECONDS)


def random_colour() -> str:
    return secrets.choice(User.Colour.values)


def theme_from_cookie(request: HttpRequest) -> str:
    """Return the theme in the visitor's cookie."""
    theme = request.COOKIES.get("theme", "")
    return theme if theme in User.Theme.values else User.Theme.SYSTEM
