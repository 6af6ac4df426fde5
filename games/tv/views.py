"""Television: a match that is being played, and after it the next one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from games.access import restricted_viewer, visible_match
from games.lobby import open_tables
from games.tv.featured import featured
from games.views import table
from games.words import offered, words_of
from games.words.pages import ALL_GAMES

LOOK_AGAIN = 10
"""Seconds after which a page without scripts, or without a match, looks what is on."""


@never_cache
@require_safe
def page(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Show the match that is worth watching most, of one game or of all; ``?on=`` names one to stay with."""
    if variant and variant not in offered():
        raise Http404(_("There is no such game."))
    own = {listed.slug for listed in open_tables.own_tables(request.user.pk)}
    shown = featured(
        open_tables.lists(variant, restricted_viewer(request.user)), keep=request.GET.get("on", ""), without=own
    )
    context = {"channel": variant, "channels": _channels(), "again": LOOK_AGAIN}
    if shown is None:
        return render(request, "tv/off.html", context)
    if "HX-Request" in request.headers:  # the page that says nobody plays has looked again
        return HttpResponseClientRefresh()
    context |= table.context(request, visible_match(request.user, shown.slug))
    return render(request, "tv/page.html", context | {"next": f"{request.path}?on={shown.slug}"})


def _channels() -> list[tuple[str, str, object]]:
    """Return each channel: its game ("" for all), its address and its name."""
    of_games = [(key, reverse("tv-game", args=[key]), words_of(key).name) for key in offered()]
    return [("", reverse("tv"), ALL_GAMES), *of_games]
