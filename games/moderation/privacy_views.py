"""What the site tells everybody about the data it keeps, and about its moderation."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import ModerationAct
from games.moderation.cases.figures import FEWEST, MONTHS, REPORTS, months
from games.retention.table import TABLE

AN_HOUR = 3600
Act = ModerationAct.Act
SHOWN = {
    REPORTS: _("Reports"),
    Act.UPHOLD: _("Cases upheld"),
    Act.DISMISS: _("Cases dismissed"),
    Act.WARN: _("Warnings"),
    Act.MUTE: _("Mutes"),
    Act.PAUSE: _("Pauses from rated play"),
    Act.SUSPEND: _("Suspensions"),
    Act.RENAME: _("Names taken away"),
    Act.CLOSE: _("Accounts closed"),
    Act.REMOVE: _("Removed from a seat"),
    Act.HIDE: _("Messages hidden"),
    Act.STOP: _("Matches stopped"),
    Act.VOID: _("Matches declared void"),
    Act.SETTLE: _("Matches ended against a player"),
    Act.TAKE_RATINGS: _("Rating changes taken back"),
    Act.LIFT: _("Sanctions lifted"),
    Act.REJECT: _("Appeals rejected"),
    Act.RESTORE: _("Void matches that count again"),
    Act.GIVE_RATINGS: _("Rating changes given back"),
    Act.SHOW: _("Messages shown again"),
}


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
    rows = [(name, [month.counts.get(kind) for month in shown]) for kind, name in SHOWN.items()]
    context = {"months": shown, "rows": rows, "fewest": FEWEST, "most": MONTHS}
    return render(request, "privacy/figures.html", context)
