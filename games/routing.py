"""The addresses of the sockets."""

from __future__ import annotations

websocket_urlpatterns: list = []
