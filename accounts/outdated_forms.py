"""Forms that fail the CSRF check: forms of this site lead back to a fresh page, those of other sites are refused."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from accounts import redirects
from infrastructure.idempotency import is_script_request

LOGIN_PAGES = frozenset({"account_login", "account_signup", "guest-upgrade"})
FREE_TEXT_FIELDS = ("text", "words")  # a line of chat; a report or an appeal
MAX_QUOTED_CHARACTERS = 1000


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that failed the CSRF check (``CSRF_FAILURE_VIEW``), without processing it.

    The secret in the cookie changes at a log-in, so pages that were open before have outdated tokens.
    """
    is_htmx = "HX-Request" in request.headers
    if not _comes_from_this_site(request) or (is_script_request(request) and not is_htmx):
        return render(request, "403_csrf.html", status=403)
    if settings.CSRF_COOKIE_NAME not in request.COOKIES:
        return render(request, "accounts/no_cookies.html", {"page": redirects.previous_page(request)}, status=403)
    url_name = request.resolver_match and request.resolver_match.url_name
    if request.user.is_authenticated and not request.user.is_guest and url_name in LOGIN_PAGES:
        return redirect(redirects.next_page(request) or settings.LOGIN_REDIRECT_URL)
    for sentence in _explanation(request):
        messages.warning(request, sentence)
    if is_htmx:
        return HttpResponseClientRefresh()
    return HttpResponseRedirect(redirects.previous_page(request), status=303)


def _explanation(request: HttpRequest) -> list[str]:
    if request.user.is_authenticated:
        cause = _("You logged in as %(name)s after opening that page.") % {"name": request.user}
    else:
        cause = _("That page was out of date.")
    advice = _("Nothing was sent. Please try again.")
    lines = [f"{cause} {advice}"]
    for field in FREE_TEXT_FIELDS:
        if (text := request.POST.get(field, "").strip()) and len(text) <= MAX_QUOTED_CHARACTERS:
            lines.append(_("You wrote: %(text)s") % {"text": text})
    return lines


def _comes_from_this_site(request: HttpRequest) -> bool:
    """Return True if a page of this site sent the form, by headers that no other page can set."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    if origin := request.headers.get("Origin"):
        return origin == f"{request.scheme}://{request.get_host()}"
    return redirects.is_on_this_site(request, request.headers.get("Referer", ""))
