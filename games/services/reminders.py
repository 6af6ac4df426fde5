"""Mails that remind players of daily matches of their turn, after half and after four fifths of their time.

A mail names all matches that wait for a person. There is at most one in six hours, so a reminder may be late. It goes
to the confirmed address of an account.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F, Q
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import unsubscribing
from accounts.models import User
from games.enums import DAILY_CLOCKS
from games.links import path_to
from games.models import Match, Seat
from games.site_switches import current_switches
from games.words import words_of
from infrastructure.bidi import isolate

REMINDER_SHARES = (0.5, 0.8)  # of the time of a turn, after which its player is reminded
MIN_MAIL_INTERVAL = timedelta(hours=6)  # between two mails to a person


@dataclass(frozen=True, slots=True)
class DailyTurn:
    """A seat of a daily match that waits for its player."""

    seat: Seat

    @property
    def deadline(self) -> datetime:
        return self.seat.match.due_at or datetime.max

    def is_reminder_due(self, now: datetime) -> bool:
        """Return whether a reminder has become due since the last one."""
        started_at, reminded_at = self.seat.match.turn_started_at, self.seat.reminded_at
        if started_at is None:
            return False
        due_times = [
            due_at for share in REMINDER_SHARES if (due_at := started_at + share * (self.deadline - started_at)) <= now
        ]
        return bool(due_times) and (reminded_at is None or reminded_at < due_times[-1])


def send_reminders(*, now: datetime) -> int:
    """Send the mails that are due, none while the clocks are stopped. Return how many."""
    if current_switches().clocks_stopped:
        return 0
    turns_by_user: dict[int, list[DailyTurn]] = defaultdict(list)
    for turn in _waiting_turns():
        turns_by_user[turn.seat.user_id or 0].append(turn)
    due_user_ids = [
        user_id
        for user_id, user_turns in turns_by_user.items()
        if any(turn.is_reminder_due(now) for turn in user_turns)
    ]
    addresses = EmailAddress.objects.filter(user__in=due_user_ids, verified=True, primary=True)
    return sum(
        _send_reminder(user_id, address, turns_by_user[user_id], now)
        for user_id, address in addresses.values_list("user", "email")
    )


def _waiting_turns() -> Iterator[DailyTurn]:
    seats = Seat.objects.filter(
        match__status=Match.Status.RUNNING,
        match__clock__in=DAILY_CLOCKS,
        match__due_kind=Match.Due.TIMEOUT,
        match__to_move=F("index"),
        bot="",
        user__mails_turns=True,
    )
    columns = ("match__slug", "match__variant", "match__due_at", "match__turn_started_at")
    yield from map(DailyTurn, seats.select_related("match").only("match", "index", "user", "reminded_at", *columns))


@transaction.atomic
def _send_reminder(user_id: int, address: str, turns: Sequence[DailyTurn], now: datetime) -> bool:
    """Send a person a mail, unless there was one lately or another process sends it."""
    recipient = User.objects.filter(Q(mailed_at=None) | Q(mailed_at__lte=now - MIN_MAIL_INTERVAL), pk=user_id)
    if not recipient.update(mailed_at=now):
        return False
    Seat.objects.filter(pk__in=[turn.seat.pk for turn in turns]).update(reminded_at=now)
    mail = _build_mail(User.objects.get(pk=user_id), address, sorted(turns, key=lambda turn: turn.deadline), now)
    transaction.on_commit(mail.send)
    return True


def _build_mail(user: User, address: str, turns: Sequence[DailyTurn], now: datetime) -> EmailMessage:
    with translation.override(user.mail_language):
        count = len(turns)
        subject = ngettext("Your turn in %(count)d match", "Your turn in %(count)d matches", count) % {"count": count}
        matches = [
            {
                "game": words_of(turn.seat.match.variant).name,
                "left": timeuntil(turn.deadline, now, depth=1),
                "link": settings.SITE_URL + path_to("match", turn.seat.match.slug),
            }
            for turn in turns
        ]
        end = unsubscribing.unsubscribe_url(user.pk)
        text = render_to_string("mail/your_turn.txt", {"name": isolate(str(user)), "matches": matches, "end": end})
        site = _("Dominoes online")
    headers = {"List-Unsubscribe": f"<{end}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(f"{site}: {subject}", text, to=[address], headers=headers)
