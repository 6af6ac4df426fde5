"""Logs when staff open an admin page with private data. ``PRIVATE`` lists all such pages.

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


class Private(NamedTuple):
    """Returns the owner of a row (a user, or None). ``in_list``: the list of rows is private too."""

    owner: Callable[[Any], Any]
    in_list: bool = True


PRIVATE = {
    # Email addresses, sanctions and devices.
    "accounts_user": Private(lambda user: user, in_list=False),
    "account_emailaddress": Private(attrgetter("user")),
    "mfa_authenticator": Private(attrgetter("user")),
    # Decisions of moderators with their reasons, and appeals against them.
    "accounts_sanction": Private(attrgetter("user")),
    "accounts_appeal": Private(attrgetter("sanction.user")),
    # Follows, blocks and invitations.
    "accounts_block": Private(attrgetter("blocker")),
    "accounts_follow": Private(attrgetter("follower")),
    "games_invitation": Private(attrgetter("inviter")),
    # Cases with their chat, timelines and ledgers; chat and events, also of unlisted tables.
    "games_case": Private(attrgetter("suspect"), in_list=False),
    "games_message": Private(attrgetter("user")),
    "games_matchevent": Private(lambda _event: None),
    "games_conductmark": Private(attrgetter("user")),
}


@receiver(admin_page_opened)
def log_page(request: HttpRequest, response: object, **_kwargs: object) -> None:
    """Log that a private page was opened."""
    if request.resolver_match is None or not isinstance(response, TemplateResponse):
        return
    model, _dash, page = (request.resolver_match.url_name or "").rpartition("_")
    private, context = PRIVATE.get(model), response.context_data or {}
    if private is None:
        return
    row = context.get("original") or context.get("object")
    if page in ("change", "history") and row is not None:
        owner, key = private.owner(row), row.pk
    elif page == "changelist" and private.in_list:
        user_id = request.GET.get("user__id__exact", "")
        owner, key = User.objects.filter(pk=user_id).first() if user_id.isdecimal() else None, "list"
    else:
        return
    if owner != request.user:  # people may read their own data unlogged
        target = f"{model.partition('_')[2]}:{key}"
        moderation_log.write_look(moderator=cast("User", request.user), user=owner, target=target, now=timezone.now())
