"""The addresses of the lobby and the tables."""

from __future__ import annotations

urlpatterns: list = []
