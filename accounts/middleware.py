"""Middleware for logged-in people: language, suspensions, deleted accounts, session renewal."""

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
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRedirect

from accounts import traces
from accounts.login.hashing import HashingBusy
from accounts.login.returning import note_address
from accounts.models import User
from accounts.push import subscriptions
from accounts.requests import HtmxRequest
from accounts.selectors import shut_out
from infrastructure.languages import offered

RENEWED = "renewed"
RETRY_SECONDS = 5
ROW_IS_GONE = (ObjectDoesNotExist, DatabaseError)  # raised if the row of the person was deleted meanwhile
READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# Suspended people can still manage their account, and download or delete their data.
OPEN_TO_SUSPENDED = ("/accounts/", "/i18n/")
OPEN_TO_CLOSED = ("/privacy/",)
ADMIN = "/admin/"  # in English only
# Guests have neither a password nor an email address.
FOR_ACCOUNTS = frozenset(
    {"account_email", "account_change_password", "account_set_password", "account_reauthenticate"}
)
LOGIN_STEP = "mfa_authenticate"
# Characters of a form with its headers that the session stores until the password was entered again.
MAX_STORED_REQUEST = 8000


class PersonMiddleware(MiddlewareMixin):
    # This is the innermost middleware. As a synchronous one it lets all outer ones share one switch of threads.
    async_capable = False

    def process_request(self, request: HttpRequest) -> None:
        if not request.user.is_authenticated:
            return
        if language := _language_of(request.user, request.path):
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()

    def process_view(self, request: HtmxRequest, *_view: Any) -> HttpResponse | None:
        if not request.user.is_authenticated:
            # allauth would store everything that a visitor posts there, in a new session.
            return redirect_to_login(request.get_full_path()) if _is_for_accounts(request) else None
        note_address(request)
        if request.user.is_guest and _is_for_accounts(request):
            return redirect("guest-upgrade")
        if _is_shut_out(request.user, request):
            return HttpResponseClientRedirect("/accounts/suspended/") if request.htmx else redirect("suspended")
        return None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        # A shared cache must not store a session cookie.
        if request.user.is_authenticated and "public" not in response.get("Cache-Control", ""):
            _renew_session(request, response, request.user)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, HashingBusy):
            response = render(request, "accounts/busy.html", status=503)
            response["Retry-After"] = RETRY_SECONDS
            return response
        if isinstance(exception, ReauthenticationRequired) and len(serialize_request(request)) > MAX_STORED_REQUEST:
            return _ask_for_password(request)
        answered = not isinstance(exception, OperationalError)
        if answered and isinstance(exception, ROW_IS_GONE) and _was_deleted(request.user):
            logout(request)
            return redirect(settings.LOGIN_REDIRECT_URL)
        return None


def _language_of(user: User, path: str) -> str:
    """Return the language that the account has chosen, "" for that of the cookie or browser."""
    return settings.LANGUAGE_CODE if path.startswith(ADMIN) else offered(user.language)


def _ask_for_password(request: HttpRequest) -> HttpResponse:
    """Ask for the password like allauth, but without storing the form in the session, a row of the database."""
    request.session.pop(STATE_SESSION_KEY, None)
    return redirect_to_login(request.get_full_path(), reverse("account_reauthenticate"))


def _was_deleted(user: User | AnonymousUser) -> bool:
    """Return True if the account was deleted during the request."""
    return user.is_authenticated and not User.objects.filter(pk=user.pk).exists()


def _renew_session(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Renew the session once a day, so that it expires some time after the last visit, and record the visit."""
    today = timezone.now().date().isoformat()
    if request.session.get(RENEWED) != today:
        request.session[RENEWED] = today
        subscriptions.renew(request.session)
        traces.note(request, response, user.pk)
        if user.is_guest:
            # Guests log in only once. They are deleted some time after their last visit.
            User.objects.filter(pk=user.pk).update(last_login=timezone.now())


def _is_for_accounts(request: HttpRequest) -> bool:
    url_name = (request.resolver_match and request.resolver_match.url_name) or ""
    return url_name in FOR_ACCOUNTS or (url_name.startswith("mfa_") and url_name != LOGIN_STEP)


def _is_shut_out(user: User, request: HttpRequest) -> bool:
    """Return True if the page is forbidden: any page to a closed account, one that changes data to a suspended one."""
    if request.path.startswith(OPEN_TO_SUSPENDED):
        return False
    if user.is_closed:
        return not request.path.startswith(OPEN_TO_CLOSED)
    return request.method not in READING and shut_out(user.pk) is not None
