"""The admin site: requires a second factor, and rejects input that its pages cannot handle."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.db import DataError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from infrastructure.admin import admin_page_opened
from infrastructure.outages import failed_service
from infrastructure.second_factors import has_second_factor, has_used_second_factor

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
TOO_LONG_NUMBER = re.compile(r"\d{19}")  # no row has such a number, and databases cannot look it up
FREE_TEXT_FIELDS = frozenset({"q", "reason"})
# Raised by a list for a value that its column cannot be compared with: a year 0, a key "abc", a pattern "(".
LOOKUP_ERRORS = (ValueError, TypeError, IndexError, OverflowError, DataError, OperationalError)


class ModerationAdminSite(AdminSite):
    site_header = site_title = _("Dominoes online: moderation")
    index_title = _("Overview")

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the site's own login, which asks for the second factor; the admin's would not."""
        return super().login(request, extra_context)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        @wraps(view)
        def checked_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if settings.STAFF_SECOND_FACTOR and (challenge := self.ask_for_second_factor(request)):
                return challenge
            if any(TOO_LONG_NUMBER.search(value) for value in submitted_values(request)):
                raise BadRequest("The number of a row is too long.")
            try:
                response = view(request, *args, **kwargs)
            except LOOKUP_ERRORS as error:
                if not is_change_list(request) or failed_service(error):
                    raise
                raise BadRequest("The list cannot be filtered like this, or has no such row.") from error
            if response.status_code == HTTPStatus.OK:
                admin_page_opened.send(sender=ModerationAdminSite, request=request, response=response)
            return response

        return super().admin_view(cast("View", checked_view), cacheable)

    def ask_for_second_factor(self, request: HttpRequest) -> HttpResponse | None:
        """Ask for a code, or explain how to set up two-step login. Return None if this session has used a code."""
        person = cast("AbstractBaseUser", request.user)  # ``admin_view`` admits nobody else
        if has_second_factor(person):
            needs_code = not has_used_second_factor(request, person)
            return redirect_to_login(request.get_full_path(), reverse("mfa_reauthenticate")) if needs_code else None
        context = self.each_context(request) | {"title": _("Your account needs two-step login"), "available_apps": []}
        return TemplateResponse(request, "admin/second_factor.html", context, status=403)


def is_change_list(request: HttpRequest) -> bool:
    """Return True for a list of rows, the only kind of page with a search in its address and form."""
    return request.resolver_match is not None and (request.resolver_match.url_name or "").endswith("_changelist")


def submitted_values(request: HttpRequest) -> Iterator[str]:
    """Yield the values of the query string and the form, except free text."""
    for fields in (request.GET, request.POST):
        yield from (value for name, values in fields.lists() if name not in FREE_TEXT_FIELDS for value in values)
