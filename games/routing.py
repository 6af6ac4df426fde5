"""The addresses of the sockets."""

from __future__ import annotations

from django.urls import path, re_path

from games.consumers import TableSocket
from games.lobby_socket import LobbySocket
from games.review_socket import ReviewSocket

# Names of groups hold it, which must not be long.
SLUG = "(?P<slug>[-a-zA-Z0-9_]{1,50})"

websocket_urlpatterns = [
    re_path(f"^ws/match/{SLUG}/$", TableSocket.as_asgi()),
    re_path(f"^ws/review/{SLUG}/$", ReviewSocket.as_asgi()),
    path("ws/lobby/", LobbySocket.as_asgi()),
]
