"""Bot accounts: players that a program runs by the API. Each belongs to an account, and nobody can log in as one.

Its name ends with a mark that no name of a person can have, so it is marked wherever a name is.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.names.rules import MAX_LENGTH, clean_name, refuse_taken_name, suggest_name
from accounts.selectors import lock_person

MARK = " [bot]"
MAX_BOT_NAME_LENGTH = MAX_LENGTH - len(MARK)
MAX_BOTS = 3  # of one account
MIN_OWNER_AGE = timedelta(days=7)
USERNAME_PREFIX = "bot-"


def create_bot(*, owner: User, name: str) -> User:
    """Create a bot in the caller's transaction. Raises ValidationError."""
    lock_person(owner.pk)
    if owner.date_joined > timezone.now() - MIN_OWNER_AGE:
        raise ValidationError(_("You can create bots seven days after you signed up."), code="young")
    if owner.bots.count() >= MAX_BOTS:
        raise ValidationError(ngettext("You can have %d bot.", "You can have %d bots.", MAX_BOTS) % MAX_BOTS)
    clean_name(bot_name := clean_name(name)[:MAX_BOT_NAME_LENGTH].rstrip())
    refuse_taken_name(bot_name + MARK)
    bot = User(username=f"{USERNAME_PREFIX}{secrets.token_hex(8)}", name=bot_name + MARK, bot_owner=owner)
    bot.followable, bot.may_invite, bot.mails_turns = True, User.Inviters.EVERYBODY, False
    bot.set_unusable_password()
    bot.save()
    return bot


def suggest_bot_name() -> str:
    """Return a name for a bot whose own name was removed."""
    return suggest_name()[:MAX_BOT_NAME_LENGTH].rstrip() + MARK


def bots_of(owner: User) -> list[User]:
    return list(owner.bots.order_by("pk"))


def export_bots(user: User) -> list[Any]:
    return list(user.bots.order_by("pk").values("name", "date_joined"))
