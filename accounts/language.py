"""The language selector in the footer: stored in a cookie, and in the account of a logged-in person."""

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


def set_cookie(response: HttpResponse, language: str) -> None:
    """Keep the language after the log-out ("": the browser's)."""
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
