from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class SiteAdminConfig(AdminConfig):
    default_site = "domino_site.admin_site.ModerationAdminSite"
