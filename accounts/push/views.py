"""Turning push notifications on and off for a browser; a script calls these."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.views.decorators.http import require_POST

from accounts.push import subscriptions
from accounts.requests import PersonRequest


@require_POST
@login_required
def subscribe(request: PersonRequest) -> HttpResponse:
    if not subscriptions.is_push_available():
        raise Http404
    try:
        keys = subscriptions.BrowserKeys.from_form(request.POST)
    except subscriptions.InvalidSubscription as error:
        return HttpResponseBadRequest(str(error), content_type="text/plain; charset=utf-8")
    subscriptions.subscribe(user=request.user, session=request.session, keys=keys)
    return HttpResponse(status=204)


@require_POST
@login_required
def unsubscribe(request: PersonRequest) -> HttpResponse:
    subscriptions.unsubscribe(user_id=request.user.pk, session=request.session)
    return HttpResponse(status=204)
