"""The language of pages, also as part of addresses.

Public pages have their language in the address, as /hu/rules/kozel/; English ones have none. The language of the
account or the cookie wins over that of the address, and the address wins over the languages of the browser.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from infrastructure.languages import language_if_offered, localized_path

ADMIN_PATH = "/admin/"  # in English only


class LanguageMiddleware(MiddlewareMixin):
    """Chooses the language of a page, and redirects to its address in that language. Replaces LocaleMiddleware."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        # An outage of the database, which has the language of the account, is explained in this language.
        _activate(request, translation.get_language_from_request(request, check_path=True))
        address_language = translation.get_language_from_path(request.path_info) or settings.LANGUAGE_CODE
        language = chosen_language(request) or request.LANGUAGE_CODE
        if language != address_language and (address := _address_in(language, request, address_language)):
            if request.method in {"GET", "HEAD"}:
                return redirect(address)
            language = address_language  # that of the page with the form
        _activate(request, language)
        return None

    def process_response(self, _request: HttpRequest, response: HttpResponse) -> HttpResponse:
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
        return response


def chosen_language(request: HttpRequest) -> str:
    """Return the language of the account or the cookie, "" if the reader has chosen none."""
    if request.path.startswith(ADMIN_PATH):
        return settings.LANGUAGE_CODE
    cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return language_if_offered(getattr(request.user, "language", "")) or language_if_offered(cookie)


def _address_in(language: str, request: HttpRequest, address_language: str) -> str:
    """Return the address of the page in another language, "" for pages with one address in all languages."""
    try:
        with translation.override(address_language):
            match = resolve(request.path_info)
    except Resolver404:
        return ""
    path, query = localized_path(language, match), request.META.get("QUERY_STRING", "")
    if path == request.path_info:
        return ""
    return f"{path}?{query}" if query else path


def _activate(request: HttpRequest, language: str) -> None:
    translation.activate(language)
    request.LANGUAGE_CODE = language
