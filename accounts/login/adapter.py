"""The adapter and authentication backend of django-allauth."""

from __future__ import annotations

import unicodedata
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY, get_authentication_records
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import redirects
from accounts.login.attempts import LoginAttempt, remember_device
from accounts.login.guests import random_colour, theme_from_cookie
from accounts.login.hashing import HashingBusy
from accounts.models import User
from accounts.names.rules import refuse_taken_name
from accounts.names.spelling import normalize_username
from accounts.selectors import active_suspension, find_account, is_name_taken
from accounts.signals import account_created

TYPED_LOGIN_FIELDS = ("username", "email")  # allauth stores these fields with the method of a login


class Adapter(DefaultAccountAdapter):
    # One text for all wrong logins. The second sentence is for attempts that are no longer checked (``attempts``).
    error_messages = DefaultAccountAdapter.error_messages | dict.fromkeys(
        ("username_password_mismatch", "email_password_mismatch"),
        _("Wrong name, address or password. After several failed attempts, wait a few minutes."),
    )

    def is_safe_url(self, url: str) -> bool:
        return redirects.is_on_this_site(self.request, url)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(unicodedata.normalize("NFKC", username), shallow)
        if not shallow:
            refuse_taken_name(username, by=self.request.user.pk)
        return username

    def new_user(self, request: HttpRequest) -> User:
        """Return the guest who signs up, who keeps seats, matches and ratings, or a new user."""
        return User.objects.get(pk=request.user.pk) if request.user.is_authenticated else User()

    def save_user(self, request: HttpRequest, user: Any, form: BaseForm, commit: bool = True) -> Any:
        super().save_user(request, user, form, commit=False)
        user.username = normalize_username(user.username)
        if user.pk is None:
            user.name = form.cleaned_data["username"]
            user.colour, user.theme = random_colour(), theme_from_cookie(request)
        was_guest = user.pk is not None
        with transaction.atomic():
            if was_guest and not User.objects.filter(pk=user.pk, is_guest=True).update(is_guest=False):
                # The form was sent twice, and the other request won.
                raise ImmediateHttpResponse(redirect(settings.LOGIN_REDIRECT_URL))
            user.is_guest = False
            if is_name_taken(user.name, by=user.pk):
                user.name = user.username
            user.save()
            if was_guest:
                account_created.send(User, user_id=user.pk)
        return user

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        login = credentials.get("username") or credentials.get("email") or ""
        account = find_account(login)
        user_id = account.pk if account else None
        attempt = LoginAttempt(request, factor="password", login=normalize_username(login), user_id=user_id)
        may_succeed = attempt.count_for_account()
        try:
            user = super().authenticate(request, **credentials)
        except HashingBusy:
            attempt.roll_back()
            raise
        if not (user and may_succeed):
            return None
        attempt.roll_back()
        return user

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        response = super().post_login(request, user, **kwargs)
        forget_typed_login(request, user)
        if active_suspension(user.pk):
            response = redirect("suspended")
        remember_device(request, response, user.pk)
        return response


class Backend(AuthenticationBackend):
    """Logs in by user name or confirmed email address.

    A login by an unconfirmed address would reveal whether somebody else has confirmed it.
    """

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """Compute one hash even if nobody has the name, so that the response time reveals nothing."""
        if not password:
            return None
        account = find_account(username or kwargs.get("email") or "")
        if account is None:
            make_password(password)
            return None
        return account if self._check_password(account, password) else None


def forget_typed_login(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Store only the method and time of a login: sessions of deleted people stay in the database for weeks."""
    if records := get_authentication_records(request, user):
        request.session[AUTHENTICATION_METHODS_SESSION_KEY] = [
            {key: value for key, value in record.items() if key not in TYPED_LOGIN_FIELDS} for record in records
        ]
