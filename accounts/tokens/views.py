"""The page with the tokens and the bots of a person."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import bots, services
from accounts.requests import PersonRequest
from accounts.tokens import issuing
from accounts.tokens.forms import BotForm, TokenForm
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
    return _render_page(request, form, BotForm(), secret)


@login_required
@require_POST
@reauthentication_required
def create_bot(request: PersonRequest) -> HttpResponse:
    """Create a bot, and show its token."""
    form, secret = BotForm(request.POST), ""
    if form.is_valid():
        try:
            secret = issuing.create_bot_with_token(owner=request.user, name=form.cleaned_data["bot_name"])
            form = BotForm()
        except ValidationError as error:
            form.add_error(None, error)
    return _render_page(request, TokenForm(), form, secret)


@login_required
@require_POST
@reauthentication_required
def renew_bot_token(request: PersonRequest, bot_id: int) -> HttpResponse:
    """Show a new token of a bot, which replaces the old one."""
    secret = issuing.renew_bot_token(bot=get_object_or_404(request.user.bots, pk=bot_id))
    return _render_page(request, TokenForm(), BotForm(), secret)


@require_POST
@login_required
def delete_bot(request: PersonRequest, bot_id: int) -> HttpResponse:
    services.delete_person(user=get_object_or_404(request.user.bots, pk=bot_id))
    messages.success(request, _("The bot is deleted."))
    return redirect("tokens")


@require_POST
@login_required
def revoke(request: PersonRequest, token_id: int) -> HttpResponse:
    issuing.revoke_token(user=request.user, token_id=token_id)
    messages.success(request, _("The token no longer works."))
    return redirect("tokens")


def _render_page(request: PersonRequest, form: TokenForm, bot_form: BotForm, secret: str) -> HttpResponse:
    rows = {"tokens": tokens_of(request.user), "bots": bots.bots_of(request.user)}
    return render(request, "accounts/tokens.html", {"form": form, "bot_form": bot_form, "secret": secret} | rows)
