"""Guests: people with only a name, a colour and a session."""

from __future__ import annotations

import secrets

from allauth.core.ratelimit import consume_or_429
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.login.returning import shut_until
from accounts.models import User
from accounts.names.rules import guest_username

SESSION_SECONDS = 365 * 24 * 3600


def create_guest(*, name: str, colour: str, theme: str = User.Theme.SYSTEM) -> User:
    """Create a guest, without a usable password."""
    guest = User(username=guest_username(), name=name, colour=colour, theme=theme, is_guest=True)
    guest.set_unusable_password()
    guest.save()
    return guest


def become_guest(request: HttpRequest, *, name: str, colour: str = "") -> HttpResponse | None:
    """Log the visitor in as a new guest. Return the refusal if this address may have no more guests."""
    if refusal := consume_or_429(request, action="guest"):
        return refusal
    if until := shut_until(request):
        return render(request, "accounts/shut.html", {"until": until}, status=403)
    log_in(request, create_guest(name=name, colour=colour or any_colour(), theme=chosen_theme(request)))
    return None


def log_in(request: HttpRequest, guest: User) -> None:
    """Log a guest in. The CSRF secret stays the same, so that forms in other tabs keep working."""
    secret = request.META.get("CSRF_COOKIE")
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    if secret:
        request.META["CSRF_COOKIE"] = secret
    request.session.set_expiry(SESSION_SECONDS)


def any_colour() -> str:
    return secrets.choice(User.Colour.values)


def chosen_theme(request: HttpRequest) -> str:
    """Return the theme in the visitor's cookie."""
    theme = request.COOKIES.get("theme", "")
    return theme if theme in User.Theme.values else User.Theme.SYSTEM
