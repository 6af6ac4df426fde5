"""The site as an ASGI application: pages, and sockets that only the site's own pages may open."""

from __future__ import annotations

import os

from channels.auth import AuthMiddleware
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
pages = get_asgi_application()

# The apps are ready only now.
from domino_site.origins import OriginCheck  # noqa: E402
from domino_site.proxy_headers import ProxyHeaders  # noqa: E402
from domino_site.socket_sessions import SocketSessions  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

sockets = CookieMiddleware(SocketSessions(AuthMiddleware(URLRouter(websocket_urlpatterns))))
application = ProxyHeaders(ProtocolTypeRouter({"http": pages, "websocket": OriginCheck(sockets)}))
