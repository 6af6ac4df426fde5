"""Names of the players in worked examples and lessons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Name = str | _StrPromise

PLAYER_NAMES = (
    # Translators: You may choose other first names. Then use the same ones in all texts about the examples, such as
    # "Anna goes out", inflected as your language needs. The four are a woman, a man, a woman and a man.
    pgettext_lazy("player in an example", "Anna"),
    pgettext_lazy("player in an example", "Adam"),
    pgettext_lazy("player in an example", "Eva"),
    pgettext_lazy("player in an example", "Emil"),
)


def joined_names(seats: Sequence[int]) -> Name:
    """Return the name of one player, or the names of partners."""
    return format_lazy(" + ".join(["{}"] * len(seats)), *(PLAYER_NAMES[seat] for seat in seats))
