"""Inviting people to the free seats of an open table.

Everybody at the table may invite people whom they follow: they all have its link and could send it anyway. Nobody can
be invited to a quick game, because bots take its seats in a moment. An invitation is a notice on every page of the
invited person while it can be accepted. It reserves no seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import blocks, follows, notices
from accounts.models import Block, Follow, Notice, User
from accounts.selectors import lock_people
from games.access import require_not_suspended
from games.broadcast import announcements
from games.enums import DAILY_CLOCKS
from games.errors import Refused
from games.models import Invitation, Match, Seat
from games.presence.online import online_user_ids
from games.services import seating
from games.words.notices import invitation_text

MAX_CANDIDATES = 12
RATE_PERIOD = timedelta(hours=1)
MAX_FROM_ONE_PERSON = 3  # invitations of one person to another in a period
MAX_FROM_STRANGERS = 5  # invitations to one person in a period, from all people whom that person does not follow
MAX_PENDING_FROM_STRANGERS = 3  # of those, invitations whose notices that person has not put away
NOTICE_KIND = "invitation"


class Candidate(NamedTuple):
    """A person who can be invited. ``is_here``: on a page of the site now, as far as it knows."""

    person: User
    is_here: bool


@transaction.atomic
def invite(*, match: Match, by: User, person_id: int) -> Match:
    """Invite a person whom somebody at this table follows.

    Raises Refused ``not_open``, ``starting``, ``not_seated``, ``no_guests``, ``table_full``, ``suspended``,
    ``invited``, ``invited_often``, ``invited_enough``, and ``cannot_invite``, which gives no reason.
    """
    # People are locked before tables everywhere, so that two transactions cannot deadlock.
    if not lock_people(by.pk, person_id):
        raise Refused("cannot_invite")
    require_not_suspended(by.pk)
    table = seating.lock_open_table(match.pk)
    seats = seating.seats_of(table)
    seating.seat_of(seats, by.pk)
    if table.due_kind == Match.Due.FILL:
        raise Refused("no_guests")
    if not any(map(seating.is_free, seats)):
        raise Refused("table_full")
    person = _invitable_people(table, by).filter(pk=person_id).first()
    if person is None:
        raise Refused("cannot_invite")
    _require_rate_limits(by.pk, person_id)
    row, is_new = Invitation.objects.get_or_create(match=table, invited=person, defaults={"inviter": by})
    if not is_new:
        raise Refused("invited")
    paths = {
        "path": reverse("match", args=[table.slug]),
        "act": reverse("match-sit", args=[table.slug]),
        "refuse": reverse("invitation-block", args=[row.pk]),
    }
    notices.send(NOTICE_KIND, {person_id: {"invitation": row.pk} | paths})
    announcements.update_notices([person_id])
    return table


@transaction.atomic
def withdraw_invitation(*, match: Match, by: User, person_id: int) -> Match:
    """Withdraw an invitation if there is one. Only its sender and the host may do so.

    Raises Refused ``not_host``.
    """
    row = Invitation.objects.filter(match=match, invited=person_id, taken_back_at=None).first()
    if row is not None:
        if by.pk not in (row.inviter_id, match.host_id):
            raise Refused("not_host")
        row.taken_back_at = timezone.now()
        row.save(update_fields=["taken_back_at"])
        announcements.update_notices([person_id])
    return match


def refuse_invitation(*, invited: User, invitation_id: int) -> User:
    """Block the person who sent this invitation, which voids it, and return that person.

    Raises Invitation.DoesNotExist for invitations of somebody else, and ValidationError as ``blocks.block`` does.
    """
    invitation = Invitation.objects.select_related("inviter").get(pk=invitation_id, invited=invited)
    blocks.block(blocker=invited, blocked=invitation.inviter)
    return invitation.inviter


def update_invitation_notices(table: Match) -> None:
    """Update the notices of the invited people after a table changed, started or closed."""
    announcements.update_notices(_not_withdrawn(table).values_list("invited", flat=True))


def load_candidates(match: Match, user: User, now: datetime) -> list[Candidate]:
    """Return the people whom a player can invite now: those online and bots, or all for a daily match."""
    online_ids = online_user_ids(now)
    invited = Invitation.objects.filter(match=match).values("invited")
    people = _invitable_people(match, user).exclude(pk__in=invited).order_by("name", "pk")
    candidates = [Candidate(person, person.pk in online_ids) for person in people]
    if match.clock not in DAILY_CLOCKS:
        candidates = [candidate for candidate in candidates if candidate.is_here or candidate.person.is_bot]
    return sorted(candidates, key=lambda candidate: not candidate.is_here)[:MAX_CANDIDATES]


def pending_invitations(match: Match) -> Sequence[Invitation]:
    """Return the invitations to a table that were not withdrawn, of people who have not sat down there."""
    seated = Seat.objects.filter(match=match, user__isnull=False).values("user")
    rows = _not_withdrawn(match).exclude(invited__in=seated)
    return list(rows.select_related("invited").order_by("pk"))


def has_seat_to_offer(match: Match) -> bool:
    """Return True if the table has a free seat that no bot takes in a moment."""
    return _has_free_seat(match, seating.seats_of(match))


def invitation_notice(facts: notices.Details) -> str | None:
    """Return the text of the notice, "" while no seat is free, None once nobody can accept the invitation again."""
    row = Invitation.objects.select_related("match", "inviter", "invited").filter(pk=facts["invitation"]).first()
    if row is None or not _is_valid(row):
        return None
    return invitation_text(row) if has_seat_to_offer(row.match) else ""


def invitations_to_accept(user_id: int) -> list[Invitation]:
    """Return the invitations of a person to tables with a free seat."""
    rows = Invitation.objects.filter(invited=user_id, taken_back_at=None, match__status=Match.Status.OPEN)
    rows = rows.select_related("match", "inviter", "invited").order_by("pk")
    return [row for row in rows if _is_valid(row) and has_seat_to_offer(row.match)]


def _is_valid(row: Invitation) -> bool:
    """Return whether the table is open, the sender still sits there, and nobody there has blocked the person."""
    return (
        row.taken_back_at is None
        and row.match.status == Match.Status.OPEN
        and seating.is_seated(seating.seats_of(row.match), row.inviter)
        and _invitable_people(row.match, row.inviter).filter(pk=row.invited_id).exists()
    )


def _not_withdrawn(match: Match) -> QuerySet[Invitation]:
    return Invitation.objects.filter(match=match, taken_back_at=None)


def _has_free_seat(match: Match, seats: Sequence[Seat]) -> bool:
    if match.status != Match.Status.OPEN or match.due_kind == Match.Due.FILL or seating.is_starting(match):
        return False
    return any(map(seating.is_free, seats))


def _invitable_people(match: Match, user: User) -> QuerySet[User]:
    """Return the people whom the user may invite, who have no seat there and whom nobody there has blocked."""
    seated = Seat.objects.filter(match=match, user__isnull=False).values("user")
    blocked_ids = Block.objects.filter(blocker__in=seated).values("blocked")
    return follows.invitable_people(user).exclude(pk__in=seated).exclude(pk__in=blocked_ids)


def _require_rate_limits(inviter_id: int, person_id: int) -> None:
    """Raise Refused ``invited_often``, ``invited_enough``.

    The limit for strangers does not count invitations by people whom the invited person follows.
    """
    received = Invitation.objects.filter(invited=person_id)
    recent = received.filter(at__gt=timezone.now() - RATE_PERIOD)
    if recent.filter(inviter=inviter_id).count() >= MAX_FROM_ONE_PERSON:
        raise Refused("invited_often")
    followed = Follow.objects.filter(follower=person_id).values("followed")
    if followed.filter(followed=inviter_id).exists():
        return
    notices_of_kind = Notice.objects.filter(user=person_id, kind=NOTICE_KIND, put_away_at=None)
    open_ids = notices_of_kind.values_list("facts__invitation", flat=True)
    pending = received.filter(pk__in=list(open_ids), match__status=Match.Status.OPEN, taken_back_at=None)
    limits = (recent, MAX_FROM_STRANGERS), (pending, MAX_PENDING_FROM_STRANGERS)
    if any(rows.exclude(inviter__in=followed).count() >= limit for rows, limit in limits):
        raise Refused("invited_enough")


notices.register_kind(
    NOTICE_KIND,
    notices.NoticeKind(
        invitation_notice,
        link_label=_("See the table"),
        accept_label=_("Sit down"),
        refuse_label=_("Block this person"),
        dismiss_label=_("Not now"),
    ),
)
