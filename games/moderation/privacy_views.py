"""What the site tells everybody about the data it keeps, and about its moderation."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.moderation.cases.figures import FEWEST, MONTHS, months
from games.moderation.texts import FIGURES
from games.retention.table import TABLE

AN_HOUR = 3600


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show how long what is kept."""
    return render(request, "privacy/page.html", {"table": TABLE})


@require_safe
def figures(request: HttpRequest) -> HttpResponse:
    """Show the monthly figures of moderation."""
    now = timezone.now()
    shown = cache.get_or_set(f"moderation-figures-{now:%Y-%m}", lambda: months(now), AN_HOUR) or []
    # What was counted before an update of the site may lack a new kind of acts.
    rows = [(name, [month.counts.get(kind) for month in shown]) for kind, name in FIGURES.items()]
    context = {"months": shown, "rows": rows, "fewest": FEWEST, "most": MONTHS}
    return render(request, "privacy/figures.html", context)
