"""The pages of TV channels, which show one running match after another, next to small boards of others."""

from __future__ import annotations

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from games.access import restricted_viewer_id, visible_match
from games.lobby import open_tables
from games.match.listed import TableLists
from games.match.selectors import epoch_ms
from games.spectators import delayed
from games.tv.featured import INACTIVE_AFTER, active_tables, choose_featured_table
from games.tv.rendering import SmallBoard, small_board_of
from games.views import table
from games.words import offered_variants, words_of
from games.words.page_labels import ALL_GAMES

REFRESH_SECONDS = 10  # how often a page without JavaScript or without a match reloads, and the small boards
MAX_SMALL_BOARDS = 4


@require_safe
def tv_page(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Show the featured match of one game or of all. ``?on=`` names the match to stay with while it is active."""
    lists, now = _lists_of_channel(request, variant), timezone.now()
    listed = choose_featured_table(lists, now, current_slug=request.GET.get("on", ""))
    context = {"channel": variant, "channels": _channels(), "refresh_seconds": REFRESH_SECONDS}
    if listed is None:
        return render(request, "tv/no_match.html", context)
    if "HX-Request" in request.headers:  # a page that had no match polls; now there is one, so it reloads
        return HttpResponseClientRefresh()
    context |= table.table_context(request, visible_match(request.user, listed.slug))
    context |= {"next": f"{request.path}?on={listed.slug}", "inactive_seconds": INACTIVE_AFTER.seconds}
    context |= _small_boards_context(variant, lists, now, listed.slug)
    return render(request, "tv/tv.html", context | {"last_event_ms": epoch_ms(listed.last_event_at)})


@require_safe
def small_boards(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Return the small boards next to the match ``?on=``, without the page around them."""
    lists, shown_slug = _lists_of_channel(request, variant), request.GET.get("on", "")
    context = _small_boards_context(variant, lists, timezone.now(), shown_slug)
    return render(request, "tv/small_boards.html", context | {"refresh_seconds": REFRESH_SECONDS})


def _lists_of_channel(request: HttpRequest, variant: str) -> TableLists:
    """Read the tables of a channel, without the viewer's own. Raises Http404."""
    if variant and variant not in offered_variants():
        raise Http404(_("There is no such game."))
    own = open_tables.own_table_ids(request.user.pk)
    return open_tables.load_lists(variant, restricted_viewer_id(request.user), own=own)


def _small_boards_context(variant: str, lists: TableLists, now: datetime, shown_slug: str) -> dict[str, object]:
    """Return the context of ``tv/small_boards.html``: the boards of other matches than the one shown."""
    tables = active_tables(lists, now, excluded_slug=shown_slug)[:MAX_SMALL_BOARDS]
    arguments = [variant] if variant else []
    return {
        "boards": [_small_board(listed.match_id) for listed in tables],
        "channel_address": reverse("tv-game" if variant else "tv", args=arguments),
        "boards_address": reverse("tv-game-boards" if variant else "tv-boards", args=arguments) + f"?on={shown_slug}",
    }


def _small_board(match_id: int) -> SmallBoard:
    snapshot = delayed.snapshot_for(match_id, None)
    return small_board_of(snapshot.table, snapshot.view(None), get_language() or "en")


def _channels() -> list[tuple[str, str, object]]:
    """Return each channel's game ("" for all games), address and name."""
    game_channels = [(key, reverse("tv-game", args=[key]), words_of(key).name) for key in offered_variants()]
    return [("", reverse("tv"), ALL_GAMES), *game_channels]
