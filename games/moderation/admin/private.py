"""Logs when staff open an admin page with private data. ``PRIVATE_PAGES`` lists all such pages.

A page is private if it shows more of a person than everybody can see.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple, cast

from django.dispatch import receiver
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import moderation_log
from infrastructure.admin import admin_page_opened


class PrivatePage(NamedTuple):
    """Returns the owner of a row (a user, or None). ``is_list_private``: the list of rows is private too."""

    owner: Callable[[Any], Any]
    is_list_private: bool = True


PRIVATE_PAGES = {
    # Email addresses, sanctions and devices.
    "accounts_user": PrivatePage(lambda user: user, is_list_private=False),
    "account_emailaddress": PrivatePage(attrgetter("user")),
    "mfa_authenticator": PrivatePage(attrgetter("user")),
    # Decisions of moderators with their reasons, and appeals against them.
    "accounts_sanction": PrivatePage(attrgetter("user")),
    "accounts_appeal": PrivatePage(attrgetter("sanction.user")),
    # Follows, blocks and invitations.
    "accounts_block": PrivatePage(attrgetter("blocker")),
    "accounts_follow": PrivatePage(attrgetter("follower")),
    "games_invitation": PrivatePage(attrgetter("inviter")),
    # Why people are out of a tournament, and who has only asked to enter.
    "games_entry": PrivatePage(attrgetter("user")),
    # Requests to join clubs, and removals from them.
    "games_clubmember": PrivatePage(attrgetter("user")),
    # Cases with their chat, timelines and ledgers; chat and events, also of unlisted tables.
    "games_case": PrivatePage(attrgetter("suspect"), is_list_private=False),
    "games_message": PrivatePage(attrgetter("user")),
    "games_matchevent": PrivatePage(lambda _event: None),
    "games_conductmark": PrivatePage(attrgetter("user")),
}


@receiver(admin_page_opened)
def log_private_page(request: HttpRequest, response: object, **_kwargs: object) -> None:
    """Log that a private page was opened."""
    if request.resolver_match is None or not isinstance(response, TemplateResponse):
        return
    model, _dash, page = (request.resolver_match.url_name or "").rpartition("_")
    private, context = PRIVATE_PAGES.get(model), response.context_data or {}
    if private is None:
        return
    row = context.get("original") or context.get("object")
    if page in ("change", "history") and row is not None:
        owner, key = private.owner(row), row.pk
    elif page == "changelist" and private.is_list_private:
        user_id = request.GET.get("user__id__exact", "")
        owner, key = User.objects.filter(pk=user_id).first() if user_id.isdecimal() else None, "list"
    else:
        return
    if owner != request.user:  # people may read their own data unlogged
        target = f"{model.partition('_')[2]}:{key}"
        moderation_log.log_look(moderator=cast("User", request.user), user=owner, target=target, now=timezone.now())
