"""Why a bot plays for somebody, or why a match was lost on time: what the site knew, for the person alone."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.access import visible_match
from games.models import Absence


@never_cache
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the viewer's own absences from a match, the newest first; nobody sees those of others."""
    match = visible_match(request.user, slug)
    absences = Absence.objects.filter(match=match, user=request.user.pk or 0).order_by("-at")
    return render(request, "table/absences.html", {"match": match, "absences": absences})
