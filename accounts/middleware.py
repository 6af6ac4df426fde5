"""Middleware for logged-in people: suspensions, deleted accounts, session renewal."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.core.exceptions import ReauthenticationRequired
from allauth.core.internal.httpkit import serialize_request
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRedirect

from accounts import traces
from accounts.login.hashing import HashingBusy
from accounts.login.suspended_guests import record_suspended_address
from accounts.models import User
from accounts.page_language import ADMIN_PATH
from accounts.push import subscriptions
from accounts.requests import HtmxRequest
from accounts.selectors import active_suspension

RENEWAL_DAY_KEY = "renewed"
RETRY_SECONDS = 5
DELETED_ROW_ERRORS = (ObjectDoesNotExist, DatabaseError)  # raised if the row of the person was deleted meanwhile
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# Suspended people can still manage their account, and download or delete their data.
PATHS_FOR_SUSPENDED = ("/accounts/", "/i18n/")
PATHS_FOR_CLOSED_ACCOUNTS = ("/privacy/",)
# Guests have neither a password nor an email address, and no tokens.
ACCOUNT_URL_NAMES = frozenset(
    {
        *("account_email", "account_change_password", "account_set_password", "account_reauthenticate"),
        *("tokens", "token-revoke", "bots", "bot-token", "bot-delete"),
    }
)
MFA_LOGIN_URL_NAME = "mfa_authenticate"
# The largest form, with its headers, that the session stores until the password is entered again.
MAX_STORED_REQUEST_CHARACTERS = 8000


class PersonMiddleware(MiddlewareMixin):
    # This is the innermost middleware. As a synchronous one it lets all outer ones share one switch of threads.
    async_capable = False

    def process_view(self, request: HtmxRequest, *_view: Any) -> HttpResponse | None:
        if not request.user.is_authenticated:
            # allauth would store everything that a visitor posts there, in a new session.
            return redirect_to_login(request.get_full_path()) if _needs_account(request) else None
        record_suspended_address(request)
        if request.user.is_guest and _needs_account(request):
            return redirect("guest-upgrade")
        if _is_forbidden(request.user, request):
            return HttpResponseClientRedirect("/accounts/suspended/") if request.htmx else redirect("suspended")
        return None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        # A shared cache must not store a session cookie.
        if request.user.is_authenticated and "public" not in response.get("Cache-Control", ""):
            _renew_session(request, response, request.user)
            _remember_language(request.user, request)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, HashingBusy):
            response = render(request, "accounts/too_many_logins.html", status=503)
            response["Retry-After"] = RETRY_SECONDS
            return response
        if isinstance(exception, ReauthenticationRequired):
            is_too_long = len(serialize_request(request)) > MAX_STORED_REQUEST_CHARACTERS
            return _redirect_to_reauthentication(request) if is_too_long else None
        is_outage = isinstance(exception, OperationalError)
        if not is_outage and isinstance(exception, DELETED_ROW_ERRORS) and _was_deleted(request.user):
            logout(request)
            return redirect(settings.LOGIN_REDIRECT_URL)
        return None


def _redirect_to_reauthentication(request: HttpRequest) -> HttpResponse:
    """Ask for the password like allauth, but without storing the form in the session, a row of the database."""
    request.session.pop(STATE_SESSION_KEY, None)
    return redirect_to_login(request.get_full_path(), reverse("account_reauthenticate"))


def _was_deleted(user: User | AnonymousUser) -> bool:
    """Return True if the account was deleted during the request."""
    return user.is_authenticated and not User.objects.filter(pk=user.pk).exists()


def _renew_session(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Renew the session once a day, so that it expires some time after the last visit, and record the visit."""
    today = timezone.now().date().isoformat()
    if request.session.get(RENEWAL_DAY_KEY) != today:
        request.session[RENEWAL_DAY_KEY] = today
        subscriptions.extend_to_session_end(request.session)
        traces.record_visit(request, response, user.pk)
        if user.is_guest:
            # Guests log in only once. They are deleted some time after their last visit.
            User.objects.filter(pk=user.pk).update(last_login=timezone.now())


def _remember_language(user: User, request: HttpRequest) -> None:
    """Store the language of the page if it is another one than before. The administration is in English for all."""
    if user.last_language != request.LANGUAGE_CODE and not request.path.startswith(ADMIN_PATH):
        User.objects.filter(pk=user.pk).update(last_language=request.LANGUAGE_CODE)


def _needs_account(request: HttpRequest) -> bool:
    url_name = (request.resolver_match and request.resolver_match.url_name) or ""
    return url_name in ACCOUNT_URL_NAMES or (url_name.startswith("mfa_") and url_name != MFA_LOGIN_URL_NAME)


def _is_forbidden(user: User, request: HttpRequest) -> bool:
    """Return True if the page is forbidden: any page to a closed account, one that changes data to a suspended one."""
    if request.path.startswith(PATHS_FOR_SUSPENDED):
        return False
    if user.is_closed:
        return not request.path.startswith(PATHS_FOR_CLOSED_ACCOUNTS)
    return request.method not in SAFE_METHODS and active_suspension(user.pk) is not None
