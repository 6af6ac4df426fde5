"""What counts as private in the admin, in one table; whoever of the staff opens a page of it leaves a row in the log.

Whatever shows the staff more of a person than everybody can see belongs into ``PRIVATE``.
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
from accounts.sanctions import log
from infrastructure.admin import page_shown

ROW, LIST = ("change", "history"), "changelist"


class Private(NamedTuple):
    """Whose a row is (a user, or None), and whether the list of rows shows as much."""

    whose: Callable[[Any], Any]
    listed: bool = True


def _nobody(_row: object) -> None:
    """Return that a row is of several people."""


PRIVATE = {
    # Email addresses, sanctions and what is kept of devices.
    "accounts_user": Private(lambda user: user, listed=False),
    "account_emailaddress": Private(attrgetter("user")),
    "mfa_authenticator": Private(attrgetter("user")),
    # What moderators decided and why, and what people said against it.
    "accounts_sanction": Private(attrgetter("user")),
    "accounts_appeal": Private(attrgetter("sanction.user")),
    # Whom people follow, block and invite.
    "accounts_block": Private(attrgetter("blocker")),
    "accounts_follow": Private(attrgetter("follower")),
    "games_invitation": Private(attrgetter("inviter")),
    # Cases with their chat, timelines and ledgers; what was written and done at tables of all kinds.
    "games_case": Private(attrgetter("suspect"), listed=False),
    "games_message": Private(attrgetter("user")),
    "games_matchevent": Private(_nobody),
    "games_conductmark": Private(attrgetter("user")),
}


@receiver(page_shown)
def log_page(request: HttpRequest, response: object, **_kwargs: object) -> None:
    """Log that a page was opened if what it shows is private."""
    if request.resolver_match is None or not isinstance(response, TemplateResponse):
        return
    model, _dash, page = (request.resolver_match.url_name or "").rpartition("_")
    private, shown = PRIVATE.get(model), response.context_data or {}
    if private is None:
        return
    name = model.partition("_")[2]
    row = shown.get("original") or shown.get("object")
    if page in ROW and row is not None:
        _log(request, private.whose(row), f"{name}:{row.pk}")
    elif page == LIST and private.listed:
        asked = request.GET.get("user__id__exact", "")
        person = User.objects.filter(pk=asked).first() if asked.isdecimal() else None
        _log(request, person, f"{name}:list")


def _log(request: HttpRequest, person: User | None, target: str) -> None:
    """Log a look, but not of people at what is theirs."""
    if person != request.user:
        log.log_look(moderator=cast("User", request.user), user=person, target=target, now=timezone.now())
