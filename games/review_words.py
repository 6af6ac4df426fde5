"""What is said when one looks back at a match. A variant may say it in its own way, as at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from games.words import Text

LOOKING_BACK: dict[str, Text] = {
    "review": _("Look back"),
    "verify": _("Verify the deal"),
    "laid_left": _("%(tile)s on the left"),
    "laid_right": _("%(tile)s on the right"),
    "laid_up": _("%(tile)s at the top"),
    "laid_down": _("%(tile)s at the bottom"),
    "did_deal": _("The tiles are dealt"),
    "did_draw": pgettext_lazy("what somebody did", "drew"),
    "did_pass": pgettext_lazy("what somebody did", "passed"),
    "best": _("%(name)s: %(points)s"),
}
"""Shared phrases beside those of the table (``games.wording.PHRASES``)."""
