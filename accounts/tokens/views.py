"""The page with the tokens of a person."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import PersonRequest
from accounts.tokens import issuing
from accounts.tokens.forms import TokenForm
from accounts.tokens.selectors import tokens_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
def tokens_page(request: PersonRequest) -> HttpResponse:
    """Create a token, and show it in the answer: no later page can."""
    form, secret = TokenForm(request.POST if request.method == "POST" else None), ""
    if form.is_valid():
        try:
            secret = issuing.create_token(
                user=request.user,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                expires_at=form.expires_at,
            )
            form = TokenForm()
        except ValidationError as error:
            form.add_error(None, error)
    context = {"form": form, "secret": secret, "tokens": tokens_of(request.user)}
    return render(request, "accounts/tokens.html", context)


@require_POST
@login_required
def revoke(request: PersonRequest, token_id: int) -> HttpResponse:
    issuing.revoke_token(user=request.user, token_id=token_id)
    messages.success(request, _("The token no longer works."))
    return redirect("tokens")
