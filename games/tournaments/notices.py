"""Notices about tournaments: it starts soon, it is cancelled, an entry or a name was removed.

They contain the numbers of rows. The texts are read when a page shows them, so hidden names are not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import notices
from accounts.notices import Details, NoticeKind
from games.broadcast import announcements
from games.links import path_to
from games.models import Entry, Tournament
from games.tournaments.texts import title_of
from games.words.notices import with_reason
from infrastructure.bidi import isolate

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

STARTS, CANCELLED, REMOVED, NAME_HIDDEN = "tournament_starts", "tournament_cancelled", "entry_removed", "name_hidden"
REMINDER = timedelta(minutes=10)  # before the start
MINUTE = timedelta(minutes=1)
CANCELLATIONS: dict[str, _StrPromise] = {
    "host": gettext_lazy("The host has cancelled the tournament %(tournament)s."),
    "staff": gettext_lazy("A moderator has cancelled the tournament %(tournament)s."),
    "few": gettext_lazy("The tournament %(tournament)s is cancelled: too few people came."),
    "late": gettext_lazy("The tournament %(tournament)s is cancelled: it could not start in time."),
}


def remind_entrants(*, now: datetime) -> None:
    """Send each tournament's entrants one notice that it starts soon, from whichever process is first."""
    rows = Tournament.objects.filter(stage=Tournament.Stage.ANNOUNCED, reminded=False)
    for row in rows.filter(starts_at__gt=now, starts_at__lte=now + REMINDER):
        with transaction.atomic():
            if Tournament.objects.filter(pk=row.pk, reminded=False).update(reminded=True):
                _send_to_entries(STARTS, row.entries.filter(status=Entry.Status.ENTERED, reminded=False))


def send_cancellation(row: Tournament, reason: str, text: str = "") -> None:
    """Tell the entrants that a tournament is cancelled. ``text`` is the reason of a moderator."""
    entries = row.entries.exclude(status=Entry.Status.GONE)
    _send_to_entries(CANCELLED, entries, {"cause": reason, "reason": text})


def send_removal(entry: Entry, text: str = "") -> None:
    """Tell a person that the host, or a moderator who gives a reason, has taken them off the list."""
    _send_to_entries(REMOVED, [entry], {"reason": text})


def send_hidden_name(row: Tournament, text: str) -> None:
    """Tell the host that a moderator has hidden the name of the tournament."""
    if row.host_id:
        notices.send(NAME_HIDDEN, {row.host_id: _details(row) | {"reason": text}})
        announcements.update_notices([row.host_id])


def _send_to_entries(kind: str, entries: Iterable[Entry], details: Details | None = None) -> None:
    by_person = {
        entry.user_id: _details(entry.tournament) | {"entry": entry.pk} | (details or {})
        for entry in entries
        if entry.user_id
    }
    if by_person:
        notices.send(kind, by_person)
        announcements.update_notices(by_person)


def _details(row: Tournament) -> Details:
    return {"tournament": row.pk, "path": path_to("tournament", row.slug)}


def start_text(row: Tournament, now: datetime) -> str:
    """Return that a tournament starts soon, in the active language."""
    minutes = max(1, round((row.starts_at - now) / MINUTE))
    text = ngettext(
        "%(tournament)s starts in %(count)d minute.", "%(tournament)s starts in %(count)d minutes.", minutes
    )
    return text % {"tournament": isolate(title_of(row)), "count": minutes}


def _start_notice(details: Details) -> str | None:
    """Return the notice of a start, None once the tournament has started or the person has left."""
    entries = Entry.objects.filter(pk=details["entry"], status=Entry.Status.ENTERED)
    entry = entries.filter(tournament__stage=Tournament.Stage.ANNOUNCED).select_related("tournament").first()
    return start_text(entry.tournament, timezone.now()) if entry is not None else None


def _cancellation_notice(details: Details) -> str | None:
    return _text(str(CANCELLATIONS[details["cause"]]), details)


def _removal_notice(details: Details) -> str | None:
    if details["reason"]:
        return _text(_("A moderator has taken you off the list of the tournament %(tournament)s."), details)
    return _text(_("The host has taken you off the list of the tournament %(tournament)s."), details)


def _hidden_name_notice(details: Details) -> str | None:
    return _text(_("A moderator has hidden the name of your tournament: %(tournament)s."), details)


def _text(text: str, details: Details) -> str | None:
    """Return a text about a tournament, with the reason of a moderator; None if it was deleted."""
    row = Tournament.objects.filter(pk=details["tournament"]).first()
    if row is None:
        return None
    sentence = text % {"tournament": isolate(title_of(row))}
    return with_reason(sentence, details) if details["reason"] else sentence


notices.register_kind(STARTS, NoticeKind(_start_notice, link_label=gettext_lazy("Go to the tournament")))
for kind, sentence in (
    (CANCELLED, _cancellation_notice),
    (REMOVED, _removal_notice),
    (NAME_HIDDEN, _hidden_name_notice),
):
    notices.register_kind(kind, NoticeKind(sentence))
