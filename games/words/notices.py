"""Notices to people about their matches, reports and chat lines, and invitations, as texts."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.utils import formats, timezone
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from accounts import notices
from accounts.notices import Details, NoticeKind
from accounts.sanctions.reasons import reason_text
from games.enums import Verdict
from games.models import Invitation, Message, Seat
from games.words import words_of
from games.words.length import length_note
from games.words.names import DELETED_NAME, translated_name
from infrastructure.bidi import isolate

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

RATING_SENTENCE = gettext_lazy("Your rating is %(rating)d now.")
# Notices about a match, each with a sentence for people whose rating changed.
MATCH_NOTICES: dict[str, tuple[_StrPromise, _StrPromise]] = {
    "match_void": (
        gettext_lazy("Your %(game)s match of %(day)s was declared void and no longer counts."),
        gettext_lazy("Its effect on your rating has been cancelled: your rating is %(rating)d now."),
    ),
    "match_restored": (
        gettext_lazy("Your %(game)s match of %(day)s, which was void, counts again."),
        RATING_SENTENCE,
    ),
    "ratings_taken": (
        gettext_lazy(
            "A moderator cancelled the rating points and rating changes of your %(game)s match of %(day)s. "
            "The result stands."
        ),
        RATING_SENTENCE,
    ),
    "ratings_given": (
        gettext_lazy("Your %(game)s match of %(day)s counts for ratings and rating points again."),
        RATING_SENTENCE,
    ),
}


def with_reason(text: str, details: Details) -> str:
    """Return a text followed by the moderator's reason, which keeps its own punctuation."""
    reason = _("Reason: %(reason)s") % {"reason": reason_text(details["reason"])}
    return f"{text} {reason}"


def match_stopped_text(details: Details) -> str:
    """Return the notice of a stopped match, or of a table that was closed before the match began."""
    if details["started_at"] is None:
        text = _("A moderator closed the %(game)s table where you sat.")
    else:
        text = _("A moderator stopped your %(game)s match of %(day)s.")
    return _match_text(text, "", details)


def match_decided_by_moderator_text(details: Details) -> str:
    """Return the notice that a moderator ended a match against a player.

    The name is that of the seat, so that renamed and deleted people do not keep their old names in others' notices.
    """
    name = Seat.objects.filter(pk=details["seat"]).values_list("name", flat=True).first() or DELETED_NAME
    name = translated_name(get_language() or "en", name)
    text = _("A moderator ended your %(game)s match of %(day)s and declared that %(name)s lost it.")
    return _match_text(text, "", details | {"name": name})


def _match_text(text: str | _StrPromise, rating: str | _StrPromise, details: Details) -> str:
    """Return a text about a match, with the person's rating if it changed, and the moderator's reason."""
    started_at = details["started_at"]
    day = timezone.localtime(datetime.fromisoformat(started_at)) if started_at else timezone.now()
    sentence = text % {
        "game": words_of(details["variant"]).name,
        "day": formats.date_format(day, "DATE_FORMAT"),
        "name": isolate(details.get("name", "")),
    }
    return with_reason(f"{sentence} {rating % details}" if "rating" in details else sentence, details)


def report_decided_text(details: Details) -> str:
    """Return the result of a report, without the measure, which only the reported person may know."""
    texts = {
        Verdict.UPHELD: _("Thank you for your report about %(name)s. A moderator agreed with it and has acted."),
        Verdict.DISMISSED: _("A moderator reviewed your report about %(name)s. No action was needed."),
    }
    return texts[details["verdict"]] % {"name": isolate(details["name"])}


def invitation_text(invitation: Invitation) -> str:
    match = invitation.match
    text = _("%(name)s invites you to a table: %(game)s") % {
        "name": isolate(str(invitation.inviter)),
        "game": words_of(match.variant).name,
    }
    length = length_note(match.variant, match.options, match.seat_count, match.clock)
    rated = _("rated") if match.rated else ""
    return f"{', '.join(filter(None, [text, length, rated]))}."


def removed_from_table_text(details: Details) -> str:
    text = _("A moderator removed you from a %(game)s table.") % {"game": words_of(details["variant"]).name}
    return with_reason(text, details)


def hidden_lines_text(details: Details) -> str | None:
    """Return the notice about hidden chat lines of the person, None once they are visible again."""
    lines = list(Message.objects.filter(pk__in=details["lines"], hidden=True).values_list("text", flat=True))
    if not lines:
        return None
    text = ngettext(
        "A moderator hid what you wrote: “%(text)s”.",
        "A moderator hid %(count)d of your messages, among them “%(text)s”.",
        len(lines),
    )
    return with_reason(text % {"text": lines[0], "count": len(lines)}, details)


for name, texts in MATCH_NOTICES.items():
    notices.register_kind(name, NoticeKind(partial(_match_text, *texts)))
notices.register_kind("match_stopped", NoticeKind(match_stopped_text))
notices.register_kind("match_settled", NoticeKind(match_decided_by_moderator_text))
notices.register_kind("removed", NoticeKind(removed_from_table_text))
notices.register_kind("hidden", NoticeKind(hidden_lines_text))
notices.register_kind("report_decided", NoticeKind(report_decided_text))
