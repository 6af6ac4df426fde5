"""The addresses of the sockets."""

from __future__ import annotations

from django.urls import path, re_path

from games.sockets.lobby import LobbySocket
from games.sockets.review import ReviewSocket
from games.sockets.table import TableSocket

# Names of groups hold it, which must not be long.
SLUG = "(?P<slug>[-a-zA-Z0-9_]{1,50})"

websocket_urlpatterns = [
    re_path(f"^ws/match/{SLUG}/$", TableSocket.as_asgi()),
    re_path(f"^ws/review/{SLUG}/$", ReviewSocket.as_asgi()),
    path("ws/lobby/", LobbySocket.as_asgi()),
]
