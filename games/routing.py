"""The addresses of the sockets."""

from __future__ import annotations

from django.urls import path

from games.consumers import TableSocket
from games.lobby_socket import LobbySocket
from games.review_socket import ReviewSocket

websocket_urlpatterns = [
    path("ws/match/<slug:slug>/", TableSocket.as_asgi()),
    path("ws/review/<slug:slug>/", ReviewSocket.as_asgi()),
    path("ws/lobby/", LobbySocket.as_asgi()),
]
