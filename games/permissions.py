"""The two groups of moderators and their permissions."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db.models import Q

OUR_APPS = ("accounts", "games")
GROUPS = {
    "Moderators": Q(codename__startswith="view_")
    | Q(
        codename__in=[
            "mute",
            "suspend",
            "lift",
            "stop_match",
            "void_match",
            "empty_seat",
            "hide_message",
            "decide_case",
            "decide_appeal",
        ]
    ),
    "Helpers": Q(
        codename__in=[
            "mute",
            "hide_message",
            "view_user",
            "view_sanction",
            "view_moderationact",
            "view_match",
            "view_seat",
            "view_message",
        ]
    ),
}


def make_groups(*, using: str, **_kwargs: Any) -> None:
    """Grant both groups their permissions after each migration. Permissions that an administrator added stay."""
    for label in OUR_APPS:
        create_permissions(apps.get_app_config(label), verbosity=0, using=using)
    for name, rights in GROUPS.items():
        group, _created = Group.objects.using(using).get_or_create(name=name)
        permissions = Permission.objects.using(using).filter(rights, content_type__app_label__in=OUR_APPS)
        group.permissions.add(*permissions)
