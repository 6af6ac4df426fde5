"""Texts of the history and of the pages of people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

if TYPE_CHECKING:
    from games.words import Text

HISTORY_TEXTS: dict[str, Text] = {
    # Translators: results of a player, also in a filter and behind names; nouns fit, too
    "won": pgettext_lazy("result of a match", "won"),
    "lost": pgettext_lazy("result of a match", "lost"),
    "left": pgettext_lazy("result of a match", "left"),
    "timeout": pgettext_lazy("result of a match", "ran out of time"),
    "stopped": pgettext_lazy("result of a match", "stopped"),
    "void": pgettext_lazy("result of a match", "void"),
    "declared_void": _("Declared void by a moderator: %(reason)s"),
    # Translators: marks of a match in a list
    "by_link": pgettext_lazy("mark of a match", "unlisted"),
    "rated": pgettext_lazy("mark of a match", "rated"),
    # Translators: marks behind the name of a player
    "bot": _("bot"),
    "guest": _("guest"),
    # Translators: the place in a match, read out before a number
    "place": _("Place"),
    "rating": _("Rating points"),
    # Translators: a noun: the page with all steps of a match
    "review": _("Review"),
    "scores": _("Score table"),
}

ROUND_COUNT = ngettext_lazy("%(rounds)d round", "%(rounds)d rounds", "rounds")
# Translators: describes a graph for screen readers; low and high are whole percentages
CHOICES_PLOT_LABEL = _("%(game)s: chance to win lost by choices, match by match, between %(low)d%% and %(high)d%%")
BLOCKED_MESSAGE = _("Blocked: %(name)s.")
FOLLOWED_MESSAGE = _("Following: %(name)s.")

CHART_TITLES: dict[str, Text] = {
    "months": _("By month"),
    "games": _("By game"),
    "opponents": _("By opponent"),
}
# Translators: a row of a chart: matches in which all opponents were bots
ONLY_BOTS = _("Only bots")
