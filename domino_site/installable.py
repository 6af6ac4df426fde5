"""The web app manifest, the service worker and its offline page, for the installed site and its notifications."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

WORKER_PATH = settings.BASE_DIR / "static" / "js" / "service_worker.js"
ICON = "img/icon-192.png"
OFFLINE_STYLES = "pages/site.css"
ICONS = ((ICON, 192, "any"), ("img/icon-512.png", 512, "any"), ("img/icon-maskable-512.png", 512, "maskable"))
THEME_COLOUR, BACKGROUND_COLOUR = "#14463a", "#f0f3f1"


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    name = _("Dominoes online")
    icons = [
        {"src": static(path), "sizes": f"{icon_width}x{icon_width}", "type": "image/png", "purpose": purpose}
        for path, icon_width, purpose in ICONS
    ]
    data = {
        "id": "/",
        "name": name,
        "short_name": _("Dominoes"),
        "description": _("Play dominoes with people or bots"),
        "lang": get_language() or "en",
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME_COLOUR,
        "background_color": BACKGROUND_COLOUR,
        "icons": icons,
    }
    headers = {"Cache-Control": "private, max-age=3600"}
    return JsonResponse(data, content_type="application/manifest+json", headers=headers)


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the script at the root: a service worker controls only pages below its own address."""
    headers = {"Cache-Control": "private, no-cache"}
    return HttpResponse(service_worker_source(), content_type="text/javascript; charset=utf-8", headers=headers)


@cache
def service_worker_source() -> str:
    """Return the script with the addresses of static files, which contain hashes in production."""
    source = WORKER_PATH.read_text(encoding="utf-8")
    for name in (ICON, OFFLINE_STYLES):
        source = source.replace(f"/static/{name}", static(name))
    return source
