"""Names of which somebody remembers a part."""

from __future__ import annotations

from typing import NamedTuple

from accounts.names.rules import search_key
from games.models import Seat

MAX_NAMES = 20


class Names(NamedTuple):
    """Names as they are searched for, and whether there are more of them."""

    keys: tuple[str, ...]
    more: bool


NOBODY = Names((), False)


def names_with(part: str) -> Names:
    """Return up to ``MAX_NAMES`` names of players that contain a part: the part itself, then by the alphabet."""
    key = search_key(part)
    seats = Seat.objects.filter(name_key__gt="", name_key__contains=key).exclude(name_key=key)
    keys = list(seats.order_by("name_key").values_list("name_key", flat=True).distinct()[:MAX_NAMES])
    return Names((key, *keys[: MAX_NAMES - 1]), len(keys) == MAX_NAMES)
