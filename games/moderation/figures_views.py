"""The public page of monthly figures."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.moderation.cases import figures
from games.moderation.texts import FIGURES

CACHE_SECONDS = 3600


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    months = cache.get_or_set(f"moderation-figures-{now:%Y-%m}", lambda: figures.months(now), CACHE_SECONDS) or []
    # Figures cached before an update of the site may lack a new kind of act.
    rows = [(name, [month.counts.get(kind) for month in months]) for kind, name in FIGURES.items()]
    context = {"months": months, "rows": rows, "fewest": figures.FEWEST, "most": figures.MONTHS}
    return render(request, "privacy/figures.html", context)
