"""The site as an ASGI application: pages, and sockets that only the site's own pages may open."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
django_application = get_asgi_application()

# The apps are ready only now.
from domino_site.asgi_middleware import (  # noqa: E402
    OriginCheck,
    ProcessAbandonedForms,
    RetryDuringOutage,
    SocketSessions,
    SocketUsers,
    TrustedScope,
    deny_socket,
)
from domino_site.monitoring import Probes  # noqa: E402
from domino_site.page_queue import PageQueue  # noqa: E402
from games.sockets.routing import stream_urlpatterns, websocket_urlpatterns  # noqa: E402
from infrastructure.socket_limits import SocketRateLimit, client_by_account, client_by_address  # noqa: E402

# The stubs know the views of Django only.
socket_router = URLRouter([*websocket_urlpatterns, re_path("", deny_socket)])  # type: ignore[list-item, arg-type]
sockets_of_users = SocketUsers(SocketRateLimit(socket_router, client_by_account))
# A foreign page must not use up the sockets of its visitors' address, so the origin comes first.
sockets = OriginCheck(
    SocketRateLimit(RetryDuringOutage(CookieMiddleware(SocketSessions(sockets_of_users))), client_by_address)
)
pages = PageQueue(ProcessAbandonedForms(django_application))
http = Probes(URLRouter([*stream_urlpatterns, re_path("", pages)]))  # type: ignore[list-item]
application = TrustedScope(ProtocolTypeRouter({"http": http, "websocket": sockets}))
