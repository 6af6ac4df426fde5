"""Notices about clubs: a tournament, at most one a day; a person is accepted; moderators hide a text or close a club.

They contain the numbers of rows. The texts are read when a page shows them, so hidden names are not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notices
from accounts.models import User
from accounts.notices import Details, NoticeKind
from games.broadcast import announcements
from games.links import path_to
from games.models import Club, ClubMember, Tournament
from games.tournaments.texts import title_of
from games.words.notices import with_reason
from infrastructure.bidi import isolate

TOURNAMENT, ACCEPTED, HIDDEN, CLOSED = "club_tournament", "club_accepted", "club_hidden", "club_closed"
NOTICE_INTERVAL = timedelta(days=1)


@transaction.atomic
def announce_tournament(*, tournament_id: int, now: datetime) -> None:
    """Send the members of a club a notice about its tournament, unless they got one within a day."""
    row = Tournament.objects.select_related("club").get(pk=tournament_id)
    is_due = Q(noticed_at=None) | Q(noticed_at__lte=now - NOTICE_INTERVAL)
    if row.club_id is None or not Club.objects.filter(is_due, pk=row.club_id).exists():
        return
    members = ClubMember.objects.filter(club=row.club_id, status__in=ClubMember.IN_CLUB).exclude(user=row.host_id)
    # Locked before the club, in the order of their ids.
    people = User.objects.select_for_update(no_key=True).filter(pk__in=list(members.values_list("user", flat=True)))
    user_ids = list(people.order_by("pk").values_list("pk", flat=True))
    if Club.objects.filter(is_due, pk=row.club_id).update(noticed_at=now):
        details = {"club": row.club_id, "tournament": row.pk, "path": path_to("tournament", row.slug)}
        _send(TOURNAMENT, user_ids, details)


def send_acceptance(club: Club, user_ids: Iterable[int]) -> None:
    """Tell people who have asked to join that they are members."""
    _send(ACCEPTED, user_ids, {"club": club.pk, "path": path_to("club", club.slug)})


def send_hidden_text(club: Club, user_ids: Iterable[int], reason: str) -> None:
    """Tell the leaders that a moderator has hidden the name or the text of the club."""
    _send(HIDDEN, user_ids, {"club": club.pk, "path": path_to("club", club.slug), "reason": reason})


def send_closure(club: Club, user_ids: Iterable[int], reason: str) -> None:
    """Tell the leaders that a moderator has closed the club."""
    _send(CLOSED, user_ids, {"club": club.pk, "reason": reason})


def _send(kind: str, user_ids: Iterable[int], details: Details) -> None:
    by_person = dict.fromkeys(user_ids, details)
    if by_person:
        notices.send(kind, by_person)
        announcements.update_notices(by_person)


def _tournament_notice(details: Details) -> str | None:
    """Return the notice of a tournament, None once it has started or the club has closed."""
    rows = Tournament.objects.filter(pk=details["tournament"], stage=Tournament.Stage.ANNOUNCED)
    row = rows.select_related("club").first()
    if row is None or row.open_club is None:
        return None
    text = _("%(club)s has a new tournament: %(tournament)s.")
    return text % {"club": isolate(row.open_club.name), "tournament": isolate(title_of(row))}


def _acceptance_notice(details: Details) -> str | None:
    return _club_text(_("You are a member of the club %(club)s now."), details)


def _hidden_text_notice(details: Details) -> str | None:
    text = _club_text(_("A moderator has hidden the name or the text of your club %(club)s."), details)
    return with_reason(text, details) if text else None


def _closure_notice(details: Details) -> str:
    return with_reason(_("A moderator has closed a club that you led."), details)


def _club_text(text: str, details: Details) -> str | None:
    """Return a text about a club, None once it is closed."""
    club = Club.objects.filter(pk=details["club"], closed_at=None).first()
    return text % {"club": isolate(club.name)} if club is not None else None


notices.register_kind(TOURNAMENT, NoticeKind(_tournament_notice, link_label=gettext_lazy("Go to the tournament")))
notices.register_kind(ACCEPTED, NoticeKind(_acceptance_notice))
notices.register_kind(HIDDEN, NoticeKind(_hidden_text_notice))
notices.register_kind(CLOSED, NoticeKind(_closure_notice))
