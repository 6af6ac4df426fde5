"""What people are told about their matches after a decision."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import notices
from accounts.names.rules import DELETED
from accounts.notices import Details, Kind
from accounts.sanctions.reasons import reason_text
from games.enums import Verdict
from games.models import Invitation, Message, Seat
from games.words import words_of
from games.words.length import length_note
from infrastructure.bidi import isolate


def match_void(facts: Details) -> str:
    """Say that a match no longer counts, why, and where it was rated what the rating is now."""
    said = _("Your match of %(game)s of %(day)s was declared void and no longer counts. Reason: %(reason)s.")
    return _of_match(said, _("What it did to your rating is taken back: it is %(rating)d now."), facts)


def match_restored(facts: Details) -> str:
    """Say that a void match counts again."""
    said = _("Your match of %(game)s of %(day)s, which was void, counts again. Reason: %(reason)s.")
    return _of_match(said, _("Your rating is %(rating)d now."), facts)


def match_stopped(facts: Details) -> str:
    """Say that a moderator stopped a match, or closed a table before it began."""
    if facts["started_at"] is None:
        return _of_match(_("A moderator closed the table of %(game)s where you sat. Reason: %(reason)s."), "", facts)
    return _of_match(_("A moderator stopped your match of %(game)s of %(day)s. Reason: %(reason)s."), "", facts)


def match_settled(facts: Details) -> str:
    """Say that a moderator ended a match against a player.

    The name is that of the seat, so renamed and deleted people do not keep their old names in the notices of others.
    """
    name = Seat.objects.filter(pk=facts["seat"]).values_list("name", flat=True).first() or DELETED
    said = _("A moderator ended your match of %(game)s of %(day)s against %(name)s. Reason: %(reason)s.")
    return _of_match(said, "", facts | {"name": name})


def ratings_taken(facts: Details) -> str:
    """Say that a match changes no ratings any more, while its result stays."""
    said = _(
        "A moderator took back the rating points of your match of %(game)s of %(day)s, and what it did to ratings. "
        "The result stays. Reason: %(reason)s."
    )
    return _of_match(said, _("Your rating is %(rating)d now."), facts)


def ratings_given(facts: Details) -> str:
    """Say that a match changes ratings again."""
    said = _("Your match of %(game)s of %(day)s counts for ratings and rating points again. Reason: %(reason)s.")
    return _of_match(said, _("Your rating is %(rating)d now."), facts)


def _of_match(said: str, rating: str, facts: Details) -> str:
    """Return what is said of a match, and of the person's rating where it changed by that."""
    day = timezone.localtime(datetime.fromisoformat(facts["started_at"])) if facts["started_at"] else timezone.now()
    told = said % {
        "game": words_of(facts["variant"]).name,
        "day": formats.date_format(day, "DATE_FORMAT"),
        "reason": reason_text(facts["reason"]).rstrip("."),
        "name": isolate(facts.get("name", "")),
    }
    return f"{told} {rating % facts}" if "rating" in facts else told


def report_decided(facts: Details) -> str:
    """Say what came of a report, and not which measure: that is between the moderators and the other person."""
    said = {
        Verdict.UPHELD: _("Thank you for your report about %(name)s. A moderator agreed with it and has acted."),
        Verdict.DISMISSED: _("A moderator has looked at your report about %(name)s, and saw no need to act."),
    }
    return said[facts["verdict"]] % {"name": isolate(facts["name"])}


def invitation_text(invitation: Invitation) -> str:
    """Say who invites to which game, and how long it lasts."""
    match = invitation.match
    told = {"name": isolate(str(invitation.inviter)), "game": words_of(match.variant).name}
    length = length_note(match.variant, match.options, match.seat_count, match.clock)
    about = [length, _("rated") if match.rated else ""]
    said = _("%(name)s invites you to a table: %(game)s") % told
    return f"{', '.join([said, *filter(None, about)])}."


def removed(facts: Details) -> str:
    """Say that a moderator took the person from a table, and why."""
    return _("A moderator removed you from a table of %(game)s. Reason: %(reason)s.") % {
        "game": words_of(facts["variant"]).name,
        "reason": reason_text(facts["reason"]).rstrip("."),
    }


def hidden(facts: Details) -> str | None:
    """Say which lines of the person a moderator hid, and why; nothing once they are shown again."""
    lines = list(Message.objects.filter(pk__in=facts["lines"], hidden=True).values_list("text", flat=True))
    if not lines:
        return None
    said = ngettext(
        "A moderator hid what you wrote: “%(text)s”. Reason: %(reason)s.",
        "A moderator hid %(count)d of your messages, among them “%(text)s”. Reason: %(reason)s.",
        len(lines),
    )
    return said % {"text": lines[0], "count": len(lines), "reason": reason_text(facts["reason"]).rstrip(".")}


notices.register("match_void", Kind(match_void))
notices.register("match_restored", Kind(match_restored))
notices.register("match_stopped", Kind(match_stopped))
notices.register("match_settled", Kind(match_settled))
notices.register("ratings_taken", Kind(ratings_taken))
notices.register("ratings_given", Kind(ratings_given))
notices.register("removed", Kind(removed))
notices.register("hidden", Kind(hidden))
notices.register("report_decided", Kind(report_decided))
