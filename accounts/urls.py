"""The addresses of people's pages, under ``/accounts/``."""

from __future__ import annotations

from django.urls import include, path

from accounts.theme import set_theme

urlpatterns = [
    path("theme/", set_theme, name="set-theme"),
    path("", include("allauth.urls")),
]
