"""The sitemap and robots.txt, for search engines."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.words import offered_variants

PAGES = ("lobby", "rules", "puzzles", "daily", "tournaments", "clubs", "leaderboards", "open-data")
GAME_PAGES = ("how-to-play", "lesson", "puzzles-game", "daily-game", "leaderboard", "bot-ladder")


class PublicPages(Sitemap):  # type: ignore[type-arg]
    """The public pages in every language, each with its addresses in the others."""

    i18n = alternates = x_default = True

    def items(self) -> Sequence[tuple[str, tuple[str, ...]]]:
        pages = [(name, ()) for name in PAGES]
        return pages + [(name, (variant,)) for variant in offered_variants() for name in GAME_PAGES]

    def location(self, item: tuple[str, tuple[str, ...]]) -> str:
        name, arguments = item
        return reverse(name, args=arguments)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    address = request.build_absolute_uri(reverse("sitemap"))
    return HttpResponse(f"User-agent: *\nDisallow: /admin/\nSitemap: {address}\n", content_type="text/plain")
