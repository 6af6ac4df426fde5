"""The URLs of the site."""

from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path
from django.views.generic import TemplateView

from accounts.footer import set_language
from domino_site import installable, monitoring
from games.web import search_engines

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("i18n/setlang/", set_language, name="set_language"),
    path("manifest.webmanifest", installable.manifest, name="manifest"),
    path("service-worker.js", installable.service_worker, name="service-worker"),
    path("offline/", TemplateView.as_view(template_name="offline.html"), name="offline"),
    path("sitemap.xml", sitemap, {"sitemaps": {"pages": search_engines.PublicPages}}, name="sitemap"),
    path("robots.txt", search_engines.robots, name="robots"),
    path("healthz", monitoring.healthz, name="healthz"),
    path("metrics", monitoring.metrics, name="metrics"),
    *i18n_patterns(path("", include("games.translated_urls")), prefix_default_language=False),
    path("", include("games.urls")),
]
handler400 = "domino_site.errors.bad_request"
handler403 = "domino_site.errors.permission_denied"
handler404 = "domino_site.errors.not_found"
handler500 = "domino_site.errors.server_error_or_outage"
