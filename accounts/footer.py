"""The language and theme selectors in the footer, stored in cookies, and in the account of a logged-in person."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.views import i18n
from django.views.decorators.http import require_POST

from accounts import redirects
from accounts.models import User
from infrastructure.languages import language_if_offered

THEME_COOKIE_SECONDS = 365 * 24 * 3600


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in User.Theme.values:
        return HttpResponseBadRequest()
    response = redirect(redirects.next_page(request) or "/")
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=theme)
    else:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie("theme", theme, max_age=THEME_COOKIE_SECONDS, secure=secure, samesite="Lax")
    return response


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    language = request.POST.get(i18n.LANGUAGE_QUERY_PARAMETER, "")
    if isinstance(request.user, User) and language_if_offered(language):
        User.objects.filter(pk=request.user.pk).update(language=language)
    return i18n.set_language(request)


def set_language_cookie(response: HttpResponse, language: str) -> None:
    """Store the language in a cookie for when the person is logged out. Without one ("") the browser's applies."""
    if language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
