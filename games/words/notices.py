"""What people are told about their matches after a decision."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts import notices
from accounts.notices import Facts
from games.words import words_of


def match_void(facts: Facts) -> str:
    """Say that a match no longer counts, why, and where it was rated what the rating is now."""
    day = timezone.localtime(datetime.fromisoformat(facts["started_at"])) if facts["started_at"] else timezone.now()
    said = _("Your match of %(game)s of %(day)s was declared void and no longer counts. Reason: %(reason)s.") % {
        "game": words_of(facts["variant"]).name,
        "day": formats.date_format(day, "DATE_FORMAT"),
        "reason": facts["reason"].rstrip("."),
    }
    if "rating" not in facts:
        return said
    return f"{said} {_('What it did to your rating is taken back: it is %(rating)d now.') % facts}"


notices.register("match_void", match_void)
