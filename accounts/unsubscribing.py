"""Unsubscribing from reminder mails with one link, without logging in."""

from __future__ import annotations

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from infrastructure.not_found import ExplainedNotFound

_signer = Signer(salt="mails")


def unsubscribe_url(user_id: int) -> str:
    """Return the address at which this person can unsubscribe."""
    return f"{settings.SITE_URL}{reverse('mails-end', args=[_signer.sign(str(user_id))])}"


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for confirmation, then unsubscribe. Mail providers post here too (RFC 8058), so no CSRF token is needed."""
    try:
        user_id = int(_signer.unsign(token))
    except BadSignature:
        raise ExplainedNotFound(_("This link is incomplete. You can turn off these emails in the settings.")) from None
    if request.method == "POST":
        User.objects.filter(pk=user_id).update(mails_turns=False)
    return render(request, "accounts/unsubscribe.html", {"ended": request.method == "POST"})
