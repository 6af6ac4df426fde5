"""The pages of TV channels, which show one running match after another."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from games.access import restricted_viewer_id, visible_match
from games.lobby import open_tables
from games.match.selectors import epoch_ms
from games.tv.featured import INACTIVE_AFTER, choose_featured_table
from games.views import table
from games.words import offered_variants, words_of
from games.words.page_labels import ALL_GAMES

REFRESH_SECONDS = 10  # how often a page without JavaScript or without a match reloads


@require_safe
def tv_page(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Show the featured match of one game or of all. ``?on=`` names the match to stay with while it is active."""
    if variant and variant not in offered_variants():
        raise Http404(_("There is no such game."))
    own_slugs = {listed.slug for listed in open_tables.load_own_tables(request.user.pk)}
    listed = choose_featured_table(
        open_tables.load_lists(variant, restricted_viewer_id(request.user)),
        timezone.now(),
        current_slug=request.GET.get("on", ""),
        excluded_slugs=own_slugs,
    )
    context = {"channel": variant, "channels": _channels(), "refresh_seconds": REFRESH_SECONDS}
    if listed is None:
        return render(request, "tv/no_match.html", context)
    if "HX-Request" in request.headers:  # a page that had no match polls; now there is one, so it reloads
        return HttpResponseClientRefresh()
    context |= table.table_context(request, visible_match(request.user, listed.slug))
    context |= {"next": f"{request.path}?on={listed.slug}", "inactive_seconds": INACTIVE_AFTER.seconds}
    context["last_event_ms"] = epoch_ms(listed.last_event_at)
    return render(request, "tv/tv.html", context)


def _channels() -> list[tuple[str, str, object]]:
    """Return each channel's game ("" for all games), address and name."""
    game_channels = [(key, reverse("tv-game", args=[key]), words_of(key).name) for key in offered_variants()]
    return [("", reverse("tv"), ALL_GAMES), *game_channels]
