"""Texts of the history and of the pages of people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

if TYPE_CHECKING:
    from games.words import Text

PHRASES: dict[str, Text] = {
    "won": _("won"),
    "lost": _("lost"),
    "left": _("left"),
    "timeout": _("ran out of time"),
    "stopped": _("stopped"),
    "void": _("void"),
    "declared_void": _("Declared void by a moderator:"),
    "by_link": _("unlisted"),
    "rated": _("rated"),
    "bot": _("bot"),
    "guest": _("guest"),
    "place": _("Place"),
    "rating": _("Rating points"),
    "review": _("Review"),
    "scores": _("Score table"),
}

ROUNDS = ngettext_lazy("%(rounds)d round", "%(rounds)d rounds", "rounds")
CHOICES_PLOT = _("%(game)s: points lost per choice, match by match, between %(low)s and %(high)s")
BLOCKED = _("You have blocked %(name)s.")
FOLLOWED = _("You follow %(name)s now.")
