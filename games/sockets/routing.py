"""The addresses of the sockets."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from games.lobby.socket import LobbySocket
from games.review.socket import ReviewSocket
from games.sockets.base import Socket
from games.sockets.table import TableSocket

# It becomes part of the names of groups, which have a maximum length.
SLUG = "(?P<slug>[-a-zA-Z0-9_]{1,50})"


def _application(socket: type[Socket]) -> Any:
    """Return the ASGI application of a socket, untyped: Django's types know only views here."""
    return socket.as_asgi()


websocket_urlpatterns = [
    re_path(f"^ws/match/{SLUG}/$", _application(TableSocket)),
    re_path(f"^ws/review/{SLUG}/$", _application(ReviewSocket)),
    path("ws/lobby/", _application(LobbySocket)),
]
