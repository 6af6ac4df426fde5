"""The addresses of people's pages, under ``/accounts/``."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("allauth.urls")),
]
