"""What people are told about their matches after a decision."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts import notices
from accounts.notices import Facts, Kind
from games.enums import Verdict
from games.models import Invitation
from games.words import words_of
from games.words.length import length_note


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


def report_decided(facts: Facts) -> str:
    """Say what came of a report, and not which measure: that is between the moderators and the other person."""
    said = {
        Verdict.UPHELD: _("Thank you for your report about %(name)s. A moderator agreed with it and has acted."),
        Verdict.DISMISSED: _("A moderator has looked at your report about %(name)s, and saw no need to act."),
    }
    return said[facts["verdict"]] % facts


def invitation_text(invitation: Invitation) -> str:
    """Say who invites to which game, and how long it lasts."""
    match = invitation.match
    told = {"name": str(invitation.inviter), "game": words_of(match.variant).name}
    about = [length_note(match.variant, match.options, match.seat_count), _("rated") if match.rated else ""]
    said = _("%(name)s invites you to a table: %(game)s") % told
    return f"{', '.join([said, *filter(None, about)])}."


def removed(facts: Facts) -> str:
    """Say that a moderator took the person from a table, and why."""
    return _("A moderator removed you from a table of %(game)s. Reason: %(reason)s.") % {
        "game": words_of(facts["variant"]).name,
        "reason": facts["reason"].rstrip("."),
    }


notices.register("match_void", Kind(match_void))
notices.register("removed", Kind(removed))
notices.register("report_decided", Kind(report_decided))
