"""Labels of pages whose features have no other texts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

ALL_GAMES = _("All games")
GUEST = _("guest")
LEARNER = _("Guest")
NAMED_GUEST = _("%(name)s (guest)")
FREE_SEAT = _("There is a free seat for you")
LIVE = _("Live now")
BOT_MOVE = _("%(name)s: %(move)s.")

PUZZLE = _("Puzzle %(number)d")
PUZZLE_PREVIEW = _("Puzzle of %(day)s: find the best move.")
NUMBERED_PUZZLE_PREVIEW = _("Puzzle %(number)d: find the best move.")
DIFFICULTIES = {
    "easy": pgettext_lazy("a puzzle", "easy"),
    "medium": pgettext_lazy("a puzzle", "medium"),
    "hard": pgettext_lazy("a puzzle", "hard"),
}
MISTAKE = _("Mistake %(number)d of %(count)d")

RATING_PLOT = _("%(game)s: rating %(last)d; over the last %(count)d matches between %(low)d and %(high)d")
SCORE_PLOT = _("The score over the steps of the match")
KEY_MOMENT = _("Step %(step)d: a choice of %(name)s cost %(loss)d%% of the chance to win")

NAMES_HIDDEN = _("Your settings hide their names.")
WATCHING = ngettext_lazy("%(number)s watching", "%(number)s watching", "number")
MORE = ngettext_lazy("%(count)d more", "%(count)d more", "count")
OTHERS = ngettext_lazy("%(count)d other", "%(count)d others", "count")
VISITORS = ngettext_lazy("%(count)d visitor", "%(count)d visitors", "count")
# Translators: the names before the last one have commas between them.
NAMES_AND_LAST = pgettext_lazy("Anna, Bela and Cleo", "%(names)s and %(last)s")
COMMA = _(", ")
