"""The addresses of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from domino_site import monitoring

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", monitoring.healthz, name="healthz"),
    path("metrics", monitoring.metrics, name="metrics"),
    path("", include("games.urls")),
]
