"""Guests: people with a name and a colour, known by their session alone."""

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

REMEMBERED_SECONDS = 365 * 24 * 3600


def create_guest(*, name: str, colour: str, theme: str = User.Theme.SYSTEM) -> User:
    """Add a guest, whom no password lets in."""
    guest = User(username=guest_username(), name=name, colour=colour, theme=theme, is_guest=True)
    guest.set_unusable_password()
    guest.save()
    return guest


def become_guest(request: HttpRequest, *, name: str, colour: str = "") -> HttpResponse | None:
    """Make a guest of the visitor. Return the refusal if no more guests may come from this address, otherwise None."""
    if refusal := consume_or_429(request, action="guest"):
        return refusal
    if until := shut_until(request):
        return render(request, "accounts/shut.html", {"until": until}, status=403)
    enter(request, create_guest(name=name, colour=colour or any_colour(), theme=chosen_theme(request)))
    return None


def enter(request: HttpRequest, guest: User) -> None:
    """Log the guest in on this browser, which is the only place where the guest is known.

    The CSRF secret stays, so that forms of pages that are open in other tabs keep working.
    """
    secret = request.META.get("CSRF_COOKIE")
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    if secret:
        request.META["CSRF_COOKIE"] = secret
    request.session.set_expiry(REMEMBERED_SECONDS)


def any_colour() -> str:
    return secrets.choice(User.Colour.values)


def chosen_theme(request: HttpRequest) -> str:
    """Return the theme a visitor chose before having a name."""
    theme = request.COOKIES.get("theme", "")
    return theme if theme in User.Theme.values else User.Theme.SYSTEM
