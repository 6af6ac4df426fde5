"""The groups: roles of moderators, which include the permissions of the role below, and operators."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db.models import Q

from accounts.sanctions.measures import Role, role_permissions

SITE_APPS = ("accounts", "games")
APPS_WITH_PERMISSIONS = (*SITE_APPS, "account", "mfa")  # allauth's apps have email addresses and second factors
TRAINEE_PERMISSIONS = Q(
    codename__in=[
        "propose_decision",
        *("view_user", "view_sanction", "view_moderationact", "view_match", "view_seat", "view_message", "view_case"),
        *("view_tournament", "view_entry", "view_club"),
    ]
)
CHAT_PERMISSIONS = TRAINEE_PERMISSIONS | Q(codename__in=["hide_message", *role_permissions(Role.CHAT_MODERATOR)])
MATCH_PERMISSIONS = (
    CHAT_PERMISSIONS
    | Q(codename__startswith="view_", content_type__app_label__in=SITE_APPS)
    | Q(
        codename__in=[
            *role_permissions(Role.MATCH_MODERATOR),
            *("lift", "stop_match", "void_match", "settle_match", "take_ratings_back"),
            *("empty_seat", "decide_case", "decide_appeal"),
        ]
    )
)
ADMINISTRATOR_PERMISSIONS = MATCH_PERMISSIONS | Q(
    codename__in=["sanction_staff", "view_emailaddress", "view_authenticator"]
)
ROLE_PERMISSIONS = {
    "Trainees": TRAINEE_PERMISSIONS,
    "Chat moderators": CHAT_PERMISSIONS,
    "Match moderators": MATCH_PERMISSIONS,
    "Administrators": ADMINISTRATOR_PERMISSIONS,
}

# Operators see the processes of the site and switch things on and off for everybody. They need no role of moderators.
OPERATOR_PERMISSIONS = Q(codename="operate_site")
GROUP_PERMISSIONS = ROLE_PERMISSIONS | {"Operators": OPERATOR_PERMISSIONS}


def create_role_groups(*, using: str, **_kwargs: Any) -> None:
    """Grant the groups their permissions after a migration. Permissions added by an administrator stay."""
    for label in APPS_WITH_PERMISSIONS:
        create_permissions(apps.get_app_config(label), verbosity=0, using=using)
    for name, permission_filter in GROUP_PERMISSIONS.items():
        group, _created = Group.objects.using(using).get_or_create(name=name)
        permissions = Permission.objects.using(using).filter(
            permission_filter, content_type__app_label__in=APPS_WITH_PERMISSIONS
        )
        group.permissions.add(*permissions)
