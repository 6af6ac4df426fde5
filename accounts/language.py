"""The choice of language in the footer: a cookie for everybody, and in the account of those who have one."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import i18n
from django.views.decorators.http import require_POST

from accounts.models import User
from infrastructure.languages import offered


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    language = request.POST.get(i18n.LANGUAGE_QUERY_PARAMETER, "")
    if isinstance(request.user, User) and offered(language):
        User.objects.filter(pk=request.user.pk).update(language=language)
    return i18n.set_language(request)


def remember(response: HttpResponse, language: str) -> None:
    """Make what comes after the log-out speak the same language (empty: the browser's own)."""
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
