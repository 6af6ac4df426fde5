"""How django-allauth behaves on this site."""

from __future__ import annotations

import unicodedata
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts import redirects
from accounts.attempts import LoginAttempt, owner_of, remember_device
from accounts.guests import any_colour, chosen_theme
from accounts.hashing import HashingBusy
from accounts.models import User
from accounts.names import refuse_taken
from accounts.selectors import is_name_taken, shut_out
from accounts.signals import account_made


class Adapter(DefaultAccountAdapter):
    def is_safe_url(self, url: str) -> bool:
        return redirects.is_own(self.request, url)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(unicodedata.normalize("NFKC", username), shallow)
        if not shallow:
            refuse_taken(username, by=self.request.user.pk)
        return username

    def new_user(self, request: HttpRequest) -> User:
        """A guest who signs up keeps the row, and with it seats, matches and ratings."""
        return User.objects.get(pk=request.user.pk) if request.user.is_authenticated else User()

    def save_user(self, request: HttpRequest, user: Any, form: BaseForm, commit: bool = True) -> Any:
        super().save_user(request, user, form, commit=False)
        if user.pk is None:
            user.name, user.colour, user.theme = form.cleaned_data["username"], any_colour(), chosen_theme(request)
        was_guest = user.pk is not None
        with transaction.atomic():
            if was_guest and not User.objects.filter(pk=user.pk, is_guest=True).update(is_guest=False):
                # The form was sent twice, and the other request was first.
                raise ImmediateHttpResponse(redirect(settings.LOGIN_REDIRECT_URL))
            user.is_guest = False
            if is_name_taken(user.name, by=user.pk):
                user.name = user.username
            user.save()
            if was_guest:
                account_made.send(User, user_id=user.pk)
        return user

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        name = credentials.get("email") or credentials.get("username") or ""
        attempt = LoginAttempt(request, name=name.lower(), user_id=owner_of(name))
        try:
            user = super().authenticate(request, **credentials)
        except HashingBusy:
            attempt.take_back()
            raise
        if user:
            attempt.take_back()
        return user

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        response = super().post_login(request, user, **kwargs)
        if shut_out(user.pk):
            response = redirect("suspended")
        remember_device(request, response, user.pk)
        return response


class Backend(AuthenticationBackend):
    """Logs in by user name, or by a confirmed address.

    Logging in by an unconfirmed address would reveal whether somebody else has confirmed it.
    """

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        address = EmailAddress.objects.filter(email=email.lower(), verified=True).select_related("user").first()
        return self._check_password(address.user if address else None, password)
