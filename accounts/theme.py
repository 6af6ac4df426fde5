"""The theme selector in the footer: stored in the account, or in a cookie for visitors."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts import redirects
from accounts.models import User

COOKIE_SECONDS = 365 * 24 * 3600


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in User.Theme.values:
        return HttpResponseBadRequest()
    response = redirect(redirects.wanted(request) or "/")
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=theme)
    else:
        response.set_cookie(
            "theme", theme, max_age=COOKIE_SECONDS, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax"
        )
    return response
