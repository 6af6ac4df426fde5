"""Export and deletion of all personal data.

Applications register their sections in ``AppConfig.ready``; this module has those of ``accounts``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from accounts import blocks, follows, notices, traces
from accounts.models import User
from accounts.push import subscriptions
from accounts.sanctions import appeals

Rows = list[Any]  # dictionaries of JSON values
Export = Callable[[User], Any]
Erase = Callable[[User], None]

PROFILE = (
    *("username", "name", "colour", "email", "is_guest", "language", "theme", "felt", "tiles"),
    *("sound", "two_taps", "lists_watchers", "reads_typed", "followable", "may_invite"),
    *("mails_turns", "mailed_at", "date_joined", "last_login"),
)


def nothing(user: User) -> None:
    """Erase nothing: the rows are deleted with the user's row."""


@dataclass(frozen=True, slots=True)
class Section:
    """``export`` returns JSON values; ``erase`` runs before the user's row is deleted."""

    export: Export
    erase: Erase


_sections: dict[str, Section] = {}


def register(name: str, export: Export, erase: Erase = nothing) -> None:
    """Add a section with its name in the download."""
    _sections[name] = Section(export, erase)


def export(user: User) -> dict[str, Any]:
    """Return all data about the person."""
    return {"exported_at": timezone.now()} | {name: section.export(user) for name, section in _sections.items()}


def erase(user: User) -> None:
    """Erase the person from rows that are not deleted."""
    for section in _sections.values():
        section.erase(user)


def profile(user: User) -> dict[str, Any]:
    return {field: getattr(user, field) for field in PROFILE}


def erase_from_admin_log(user: User) -> None:
    """Remove the name from the log of the admin, which stores the name of every changed row."""
    of_user = {"content_type": ContentType.objects.get_for_model(User), "object_id": str(user.pk)}
    LogEntry.objects.filter(**of_user).update(object_repr=str(user.pk))


def email_addresses(user: User) -> Rows:
    return list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary"))


def second_factors(user: User) -> Rows:
    return list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at"))


def sanctions(user: User) -> Rows:
    return list(user.sanctions.values("kind", "scope", "facts", "reason", "created_at", "until", "lifted_at"))


register("profile", profile, erase_from_admin_log)
register("email_addresses", email_addresses)
register("second_factors", second_factors)
register("sanctions", sanctions)
register("appeals", appeals.exported)
register("blocks", blocks.exported)
register("follows", follows.exported)
register("notices", notices.exported)
register("push_subscriptions", subscriptions.exported)
register("traces", traces.exported)
