from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone, translation

from accounts.models import ModerationAct, Sanction, User
from accounts.sanctions import imposing
from accounts.sanctions.wording import sanction_text
from accounts.selectors import active_sanction
from accounts.signals import sanction_imposed

MUTE, SUSPENSION = Sanction.Kind.MUTE, Sanction.Kind.SUSPENSION


@pytest.fixture
def alice() -> User:
    return User.objects.create(username="alice", name="Alice")


@pytest.fixture
def moderator() -> User:
    user = User.objects.create(username="mo", name="Mo", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["mute", "suspend", "lift"]))
    return user


def impose(moderator: User, user: User, **changes: Any) -> Sanction:
    arguments: dict[str, Any] = {"kind": MUTE, "reason": "spam", "until": timezone.now() + timedelta(hours=1)}
    return imposing.impose(moderator=moderator, user=user, **arguments | changes)


def in_force(user: User, kind: str = MUTE) -> Sanction | None:
    return active_sanction(user_id=user.pk, kind=kind)


def test_mute_ends_at_its_time(alice: User, moderator: User) -> None:
    start = datetime(2026, 3, 12, 14, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        sanction = impose(moderator, alice, until=start + timedelta(hours=1))
        assert in_force(alice) == sanction
        assert in_force(alice, SUSPENSION) is None
        clock.shift(timedelta(hours=1))
        assert in_force(alice) is None


def test_longest_of_several_sanctions_counts(alice: User, moderator: User) -> None:
    impose(moderator, alice)
    day = impose(moderator, alice, until=timezone.now() + timedelta(days=1))
    assert in_force(alice) == day
    forever = impose(moderator, alice, until=None)
    assert in_force(alice) == forever


def test_sanction_can_be_lifted_once(alice: User, moderator: User) -> None:
    sanction = impose(moderator, alice, until=None)
    imposing.lift(moderator=moderator, sanction=sanction, reason="appealed")
    assert in_force(alice) is None
    with pytest.raises(ValidationError, match="no longer in force"):
        imposing.lift(moderator=moderator, sanction=sanction, reason="again")


def test_acts_are_logged_with_their_reason(alice: User, moderator: User) -> None:
    sanction = impose(moderator, alice, kind=SUSPENSION, reason=" insults ")
    imposing.lift(moderator=moderator, sanction=sanction, reason="appealed")
    rows = ModerationAct.objects.order_by("pk").values_list("act", "user", "target", "reason", "moderator")
    assert list(rows) == [
        ("suspend", alice.pk, f"sanction:{sanction.pk}", "insults", moderator.pk),
        ("lift", alice.pk, f"sanction:{sanction.pk}", "appealed", moderator.pk),
    ]


@pytest.mark.parametrize(("kind", "permission"), [(MUTE, "suspend"), (SUSPENSION, "mute")])
def test_kinds_need_their_own_permission(alice: User, kind: str, permission: str) -> None:
    helper = User.objects.create(username="helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename=permission))
    with pytest.raises(PermissionDenied):
        impose(helper, alice, kind=kind)
    assert not Sanction.objects.exists()
    assert not ModerationAct.objects.exists()


def test_lifting_needs_a_permission(alice: User, moderator: User) -> None:
    sanction = impose(moderator, alice)
    with pytest.raises(PermissionDenied):
        imposing.lift(moderator=alice, sanction=sanction, reason="I want to talk")
    assert in_force(alice) == sanction


def test_chat_moderators_can_lift_only_their_own_mutes(alice: User, moderator: User) -> None:
    helper = User.objects.create(username="helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename="mute"))
    own, other = impose(helper, alice), impose(moderator, alice)
    assert [imposing.can_lift(helper, sanction) for sanction in (own, other)] == [True, False]
    imposing.lift(moderator=helper, sanction=own, reason="the wrong person")
    with pytest.raises(ValidationError, match="only sanctions that you imposed"):
        imposing.lift(moderator=helper, sanction=other, reason="the wrong person")
    assert in_force(alice) == other


@pytest.mark.parametrize("reason", ["", "  "])
def test_reason_is_required(alice: User, moderator: User, reason: str) -> None:
    with pytest.raises(ValidationError, match="Give a reason"):
        impose(moderator, alice, reason=reason)


def test_past_time_is_refused(alice: User, moderator: User) -> None:
    with pytest.raises(ValidationError, match="past"):
        impose(moderator, alice, until=timezone.now())


def test_moderators_cannot_sanction_each_other_or_themselves(moderator: User) -> None:
    other = User.objects.create(username="other", is_staff=True)
    with pytest.raises(ValidationError, match="administrator"):
        impose(moderator, other)
    with pytest.raises(ValidationError, match="concerns you"):
        impose(moderator, moderator)
    admin = User.objects.create(username="admin", is_staff=True, is_superuser=True)
    assert impose(admin, other)


def test_sanction_sends_a_signal(alice: User, moderator: User) -> None:
    heard = []

    def listen(sanction: Sanction, **_kwargs: object) -> None:
        heard.append(sanction)

    sanction_imposed.connect(listen)
    try:
        sanction = impose(moderator, alice)
    finally:
        sanction_imposed.disconnect(listen)
    assert heard == [sanction]


def test_texts_of_sanctions() -> None:
    until = datetime(2026, 3, 12, 14, 5, tzinfo=UTC)
    with translation.override("en"):
        assert sanction_text(Sanction(kind=MUTE, reason="spam", until=until)) == (
            "You are muted until 12 March 2026, 14:05 UTC: you can play, but not write. Reason: spam"
        )
        assert sanction_text(Sanction(kind=SUSPENSION, reason="cheating 100%", until=until)) == (
            "You are suspended until 12 March 2026, 14:05 UTC and cannot play. Reason: cheating 100%"
        )
        assert "permanently" in sanction_text(Sanction(kind=MUTE, reason="spam"))
        assert "permanently" in sanction_text(Sanction(kind=SUSPENSION, reason="spam"))
