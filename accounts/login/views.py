"""allauth's views for logging in and out. A guest counts as not logged in yet."""

from __future__ import annotations

from typing import Any

from allauth.account import views as account
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.logout import logout
from allauth.account.mixins import LogoutFunctionalityMixin
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import views as totp
from django.conf import settings
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views import View

from accounts import redirects
from accounts.login.attempts import remember_device
from accounts.login.second_factors import use_code
from accounts.services import end_other_sessions
from infrastructure.second_factors import record_second_factor


class RedirectAccountsMixin(View):
    """Redirects people with an account."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            return redirect(redirects.next_page(request) or settings.LOGIN_REDIRECT_URL)
        return super().dispatch(request, *args, **kwargs)


class LoginView(RedirectAccountsMixin, account.LoginView):
    def form_valid(self, form: Form) -> HttpResponse:
        """Log the guest out. Seats and points are not merged, or people could choose which to keep."""
        if self.request.user.is_authenticated:
            logout(self.request, show_message=False)
        return super().form_valid(form)


class SignupView(RedirectAccountsMixin, account.SignupView):
    """A guest who signs up becomes an account (see ``Adapter.new_user``)."""

    def form_valid(self, form: Form) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.add_error("username", get_adapter().validation_error("username_taken"))
            response = self.form_invalid(form)
        return response


class LogoutView(account.LogoutView):
    """Asks guests for confirmation, because they cannot log in again."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        if getattr(self.request.user, "is_guest", False) and "sure" not in self.request.POST:
            return self.render_to_response(self.get_context_data())
        return super().post(*args, **kwargs)


class KeepGuestLoggedInMixin(LogoutFunctionalityMixin):
    """Prevents allauth from logging a guest out, which a link from somebody else could cause."""

    def logout(self) -> None:
        if not getattr(self.request.user, "is_guest", False):
            super().logout()


class ConfirmEmailView(KeepGuestLoggedInMixin, account.ConfirmEmailView):
    pass


class PasswordResetFromKeyView(KeepGuestLoggedInMixin, account.PasswordResetFromKeyView):
    """Makes the browser known to the account: only its owner got the mail."""

    def form_valid(self, form: Form) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        remember_device(self.request, response, self.reset_user.pk)
        return response


class ActivateTOTPView(totp.ActivateTOTPView):
    """Turns on two-step login. Its first code is used, and all other sessions end."""

    @transaction.atomic
    def form_valid(self, form: Form) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        authenticator = Authenticator.objects.select_related("user").get(
            user=self.request.user, type=Authenticator.Type.TOTP
        )
        use_code(authenticator, form.cleaned_data["code"])
        end_other_sessions(self.request, authenticator.user)
        record_second_factor(self.request, authenticator)
        return response
