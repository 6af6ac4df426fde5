"""URL patterns of the WebSockets and of the streams."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from games.api.streams import EventStream, MatchStream, Stream
from games.lobby.socket import LobbySocket
from games.review.socket import ReviewSocket
from games.sockets.base import Socket
from games.sockets.table import TableSocket
from games.tournaments.socket import TournamentSocket

# The slug becomes part of a channel group name, whose length is limited.
SLUG = "(?P<slug>[-a-zA-Z0-9_]{1,50})"


def _application(socket: type[Socket | Stream]) -> Any:
    """Return an ASGI application typed as ``Any``: the type stubs accept only views in ``path``."""
    return socket.as_asgi()


websocket_urlpatterns = [
    re_path(f"^ws/match/{SLUG}/$", _application(TableSocket)),
    re_path(f"^ws/review/{SLUG}/$", _application(ReviewSocket)),
    re_path(f"^ws/tournament/{SLUG}/$", _application(TournamentSocket)),
    path("ws/lobby/", _application(LobbySocket)),
]

stream_urlpatterns = [
    re_path(f"^api/stream/match/{SLUG}$", _application(MatchStream)),
    path("api/stream/events", _application(EventStream)),
]
