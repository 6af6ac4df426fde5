"""The choice of light or dark in the footer: kept in the account, or in a cookie for visitors."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.models import User

YEAR = 365 * 24 * 3600


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in User.Theme.values:
        return HttpResponseBadRequest()
    response = redirect(_next(request))
    if isinstance(request.user, User):
        request.user.theme = theme
        request.user.save(update_fields=["theme"])
    else:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax")
    return response


def _next(request: HttpRequest) -> str:
    """Return the page the visitor came from, or the lobby: never another site."""
    address = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else "/"
