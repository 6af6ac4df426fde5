"""What happens at the tables when a person's standing on the site changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.dispatch import receiver

from accounts.models import Sanction
from accounts.signals import access_ended, blocks_changed, sanction_imposed
from games import live
from games.services import moderation


@receiver(sanction_imposed)
def on_sanction(sanction: Sanction, **_kwargs: Any) -> None:
    """A suspended person leaves all tables, by the rules of leaving."""
    if sanction.kind == Sanction.Kind.SUSPENSION:
        moderation.vacate_all(sanction.user)


@receiver(access_ended)
def on_access_ended(user_id: int, code: str, session: str, **_kwargs: Any) -> None:
    live.close_sockets(user_id, code, session)


@receiver(blocks_changed)
def on_blocks(user_ids: Iterable[int], **_kwargs: Any) -> None:
    """The blocked person's sockets close where the other one plays; the blocker's no longer show what is written."""
    live.recheck(user_ids)
