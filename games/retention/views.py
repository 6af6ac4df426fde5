"""The privacy page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.retention.schedule import RETENTION_SCHEDULE


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    return render(request, "privacy/page.html", {"rules": RETENTION_SCHEDULE})
