from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from games import personal_data, receivers, site_metrics  # noqa: F401  (they register and connect themselves)
        from games.clubs import notices as club_notices  # noqa: F401  (registers itself)
        from games.permissions import create_role_groups
        from games.tournaments import notices as tournament_notices  # noqa: F401  (registers itself)
        from games.words import notices  # noqa: F401  (registers itself)

        post_migrate.connect(create_role_groups, sender=self)
