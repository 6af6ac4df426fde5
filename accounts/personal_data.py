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

from accounts import blocks, bots, follows, notices, traces
from accounts.models import User
from accounts.push import subscriptions
from accounts.sanctions import appeals
from accounts.tokens import selectors as tokens

Rows = list[Any]  # dictionaries of JSON values
Export = Callable[[User], Any]
Erase = Callable[[User], None]

PROFILE_FIELDS = (
    *("username", "name", "colour", "email", "is_guest", "language", "last_language", "theme", "felt", "tiles"),
    *("sound", "two_taps", "auto_draw", "clock_digits", "lists_watchers", "reads_typed", "followable", "may_invite"),
    *("in_open_data", "mails_turns", "mailed_at", "date_joined", "last_login"),
)


def erase_nothing(user: User) -> None:
    """Erase nothing: the rows are deleted with the user's row."""


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of data. ``export`` returns it as JSON values; ``erase`` runs before the user's row is deleted."""

    export: Export
    erase: Erase


_sections: dict[str, Section] = {}


def register_section(name: str, export: Export, erase: Erase = erase_nothing) -> None:
    """Add a section with its name in the download."""
    _sections[name] = Section(export, erase)


def export_person(user: User) -> dict[str, Any]:
    """Return all data about the person."""
    return {"exported_at": timezone.now()} | {name: section.export(user) for name, section in _sections.items()}


def erase_person(user: User) -> None:
    """Erase the person from rows that are not deleted."""
    for section in _sections.values():
        section.erase(user)


def export_profile(user: User) -> dict[str, Any]:
    return {field: getattr(user, field) for field in PROFILE_FIELDS}


def erase_from_admin_log(user: User) -> None:
    """Remove the name from the log of the admin, which stores the name of every changed row."""
    log_entries = {"content_type": ContentType.objects.get_for_model(User), "object_id": str(user.pk)}
    LogEntry.objects.filter(**log_entries).update(object_repr=str(user.pk))


def export_email_addresses(user: User) -> Rows:
    return list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary"))


def export_second_factors(user: User) -> Rows:
    return list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at"))


def export_sanctions(user: User) -> Rows:
    return list(user.sanctions.values("kind", "scope", "facts", "reason", "created_at", "until", "lifted_at"))


def erase_bots(user: User) -> None:
    """Erase the bots of the person, whose rows are deleted with the person's."""
    for bot in user.bots.all():
        erase_person(bot)


register_section("profile", export_profile, erase_from_admin_log)
register_section("email_addresses", export_email_addresses)
register_section("second_factors", export_second_factors)
register_section("sanctions", export_sanctions)
register_section("appeals", appeals.export_appeals)
register_section("blocks", blocks.export_blocks)
register_section("follows", follows.export_follows)
register_section("notices", notices.export_notices)
register_section("push_subscriptions", subscriptions.export_subscriptions)
register_section("bots", bots.export_bots, erase_bots)
register_section("tokens", tokens.export_tokens)
register_section("traces", traces.export_traces)
