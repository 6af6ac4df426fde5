"""The site as an ASGI application: pages, and sockets that only the site's own pages may open."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
pages = get_asgi_application()

# The apps are ready only now.
from domino_site.asgi_middleware import (  # noqa: E402
    OriginCheck,
    ProcessAbandonedForms,
    RetryDuringOutage,
    SocketSessions,
    SocketUsers,
    TrustedScope,
    deny,
)
from domino_site.monitoring import Probes  # noqa: E402
from domino_site.page_turns import PageTurns  # noqa: E402
from games.sockets.routing import websocket_urlpatterns  # noqa: E402
from infrastructure.socket_limits import SocketRateLimit, by_account, by_address  # noqa: E402

# The stubs know the views of Django only.
addresses = URLRouter([*websocket_urlpatterns, re_path("", deny)])  # type: ignore[list-item, arg-type]
people = SocketUsers(SocketRateLimit(addresses, by_account))
# A foreign page must not use up the sockets of its visitors' address, so the origin comes first.
sockets = OriginCheck(SocketRateLimit(RetryDuringOutage(CookieMiddleware(SocketSessions(people))), by_address))
http = Probes(PageTurns(ProcessAbandonedForms(pages)))
application = TrustedScope(ProtocolTypeRouter({"http": http, "websocket": sockets}))
