"""Whatever points at a person is handed out to that person, or it is said here why not; and none of it stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import notices, personal_data
from accounts.models import ApiToken, Block, Follow, Notice, PushSubscription, Sanction, Trace, User
from accounts.services import delete_person
from games.models import (
    Absence,
    Case,
    Club,
    ClubMember,
    ConductMark,
    Entry,
    Invitation,
    Match,
    Message,
    MutedTable,
    Presence,
    Puzzle,
    PuzzleAttempt,
    PuzzleDay,
    RatingChange,
    RatingPoints,
    Seat,
    Tournament,
)
from games.moderation import acts
from games.moderation.cases import queue
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.services import play
from tests.games import tables
from tests.games.services.test_points import rated
from tests.games.tables import person


def table() -> Match:
    return tables.open_table([person("Ann"), person("Ben")])


def report_and_uphold(*, reporter: User, suspect: User) -> None:
    report_person(reporter=reporter, suspect=suspect, reason="insults", place=ReportedPlace())
    Case.objects.update(closed_at=timezone.now(), verdict="upheld")


def tournament(**columns: Any) -> Tournament:
    return Tournament.objects.create(
        format="swiss", variant="kozel", seat_count=4, starts_at=timezone.now(), **columns
    )


def club_led_by(masha: User) -> ClubMember:
    club = Club.objects.create(name="Masha’s club", name_key="masha’s club", text="Masha’s text", members_count=1)
    return ClubMember.objects.create(club=club, user=masha, status="leader", since=timezone.now())


EXPORTED: dict[str, tuple[str, Callable[[User], Any]]] = {
    "account.EmailAddress.user": (
        "email_addresses",
        lambda masha: EmailAddress.objects.create(user=masha, email="m@example.org"),
    ),
    "mfa.Authenticator.user": (
        "second_factors",
        lambda masha: Authenticator.objects.create(user=masha, type="totp", data={}),
    ),
    "games.RatingPoints.user": (
        "rating_points",
        lambda masha: RatingPoints.objects.create(user=masha, variant="kozel"),
    ),
    "accounts.Block.blocker": ("blocks", lambda masha: Block.objects.create(blocker=masha, blocked=person())),
    "accounts.Follow.follower": ("follows", lambda masha: Follow.objects.create(follower=masha, followed=person())),
    "accounts.Sanction.user": (
        "sanctions",
        lambda masha: Sanction.objects.create(user=masha, kind="mute", reason="spam"),
    ),
    "accounts.Notice.user": ("notices", lambda masha: Notice.objects.create(user=masha, kind="match_void")),
    "accounts.PushSubscription.user": (
        "push_subscriptions",
        lambda masha: PushSubscription.objects.create(user=masha, endpoint="x", expires_at=timezone.now()),
    ),
    "accounts.Trace.user": (
        "traces",
        lambda masha: Trace.objects.create(user=masha, kind="device", mark="a" * 32, seen_at=timezone.now()),
    ),
    "accounts.User.bot_owner": ("bots", lambda masha: person("Masha’s bot [bot]", bot_owner=masha)),
    "accounts.ApiToken.user": (
        "tokens",
        lambda masha: ApiToken.objects.create(user=masha, name="Masha’s statistics", digest="a" * 64, scopes=["read"]),
    ),
    "games.Seat.user": ("matches", lambda masha: Seat.objects.filter(match=table(), index=0).update(user=masha)),
    "games.Absence.user": (
        "absences",
        lambda masha: Absence.objects.create(match=table(), user=masha, at=timezone.now(), reason="gone"),
    ),
    "games.ConductMark.user": (
        "conduct",
        lambda masha: ConductMark.objects.create(user=masha, kind="left", points=3, at=timezone.now()),
    ),
    "games.Message.user": (
        "messages",
        lambda masha: Message.objects.create(match=table(), user=masha, name="Masha", text="hi"),
    ),
    "games.MutedTable.user": ("muted_tables", lambda masha: MutedTable.objects.create(match=table(), user=masha)),
    "games.Invitation.inviter": (
        "invitations",
        lambda masha: Invitation.objects.create(match=table(), inviter=masha, invited=person()),
    ),
    "games.Invitation.invited": (
        "invitations",
        lambda masha: Invitation.objects.create(match=table(), inviter=person(), invited=masha),
    ),
    "games.RatingChange.user": (
        "rating_changes",
        lambda masha: RatingChange.objects.create(
            match=table(), user=masha, variant="kozel", at=timezone.now(), seat=0, side=0, place=1
        ),
    ),
    "games.Report.reporter": ("reports", lambda masha: report_and_uphold(reporter=masha, suspect=person())),
    "games.Case.suspect": ("cases", lambda masha: report_and_uphold(reporter=person(), suspect=masha)),
    "games.Entry.user": (
        "tournaments",
        lambda masha: Entry.objects.create(
            tournament=tournament(), user=masha, name="Masha", key="1", party="1", status="entered"
        ),
    ),
    "games.Tournament.host": ("hosted_tournaments", lambda masha: tournament(host=masha, name="Masha’s cup")),
    "games.ClubMember.user": ("clubs", club_led_by),
    "games.PuzzleAttempt.user": (
        "puzzles",
        lambda masha: PuzzleAttempt.objects.create(
            user=masha,
            puzzle_day=PuzzleDay.objects.create(
                variant="kozel",
                day=timezone.now().date(),
                puzzle=Puzzle.objects.create(variant="kozel", number=1, data={}),
            ),
        ),
    ),
}
NOT_EXPORTED = {
    "accounts.Block.blocked": "a blocked person is told nothing",
    "accounts.Follow.followed": "a followed person is told nothing",
    "accounts.ModerationAct.user": "what came of it is in the sanctions, cases, matches and messages",
    "games.Match.host": "a host has a seat, which is in the matches",
    **dict.fromkeys(
        (
            *("accounts.Sanction.moderator", "accounts.ModerationAct.moderator", "accounts.Appeal.moderator"),
            *("games.Case.holder", "games.Case.proposed_by"),
            *("accounts.User_groups.user", "accounts.User_user_permissions.user", "admin.LogEntry.user"),
        ),
        "what staff may do and did for the site",
    ),
}


def foreign_keys_to_people() -> set[str]:
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.fields
        if field.related_model is User
    }


def test_every_foreign_key_to_a_person_is_handled() -> None:
    assert not EXPORTED.keys() & NOT_EXPORTED.keys()
    assert foreign_keys_to_people() == EXPORTED.keys() | NOT_EXPORTED.keys()


@pytest.mark.parametrize("field", EXPORTED)
def test_rows_are_exported_and_deleted_with_the_person(field: str) -> None:
    masha = person("Masha")
    section, write = EXPORTED[field]
    assert not personal_data.export_person(masha)[section]
    write(masha)
    assert len(personal_data.export_person(masha)[section]) == 1
    delete_person(user=masha)
    for model in apps.get_models():
        for row in model._default_manager.values_list():
            assert "Masha" not in str(row), model


def test_visible_pages_are_exported() -> None:
    masha = person("Masha")
    Presence.objects.create(
        process="x", in_sight=[[masha.pk, 7], [masha.pk, None], [masha.pk + 1, 8]], at=timezone.now()
    )
    assert personal_data.export_person(masha)["visible_pages"] == [{"match": 7}, {"match": None}]


def test_export_hides_reporters_and_open_cases() -> None:
    masha = person("Masha")
    report_and_uphold(reporter=person("Vasya"), suspect=masha)
    report_person(
        reporter=person("Petya"), suspect=masha, reason="insults", place=ReportedPlace(), words="She swears."
    )
    (case,) = personal_data.export_person(masha)["cases"]
    assert case.keys() == {"area", "verdict", "opened_at", "closed_at"}


def test_notices_to_reporters_name_no_deleted_person(moderator: User) -> None:
    masha, anna, vasya = person("Masha"), person("Anna"), person("Vasya")
    for suspect in (masha, anna):
        case = report_person(reporter=vasya, suspect=suspect, reason="insults", place=ReportedPlace()).case
        queue.close_case(moderator=moderator, case=case, verdict="upheld", reason="Swears.", now=timezone.now())
    vasya.refresh_from_db()
    assert len(notices.pending_notices(vasya)) == 2
    delete_person(user=masha)
    (notice,) = notices.pending_notices(vasya)
    assert "Anna" in notice.text


def rows_of_all_tables() -> str:
    """Return what every table of the database holds, with the sessions decoded."""
    parts = [str(session.get_decoded()) for session in Session.objects.all()]
    with connection.cursor() as cursor:
        for table_name in connection.introspection.table_names():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table_name)}")
            parts += [f"{table_name}: {row}" for row in cursor.fetchall()]
    return "\n".join(parts)


def person_with_all_data(moderator: User) -> User:
    """Return a person who logged in, played, wrote, was settled against, reported and edited by an administrator."""
    zoe, ann, ben = person("Zoe Zebulon"), person("Ann"), person("Ben")
    zoe.username = "zebulon"
    zoe.set_password("eight-legged-goats")
    zoe.save()
    Client().post("/accounts/login/", {"login": "zebulon", "password": "eight-legged-goats"})
    match = play.start_match(match=rated([ann, zoe, ben], variant="all_fives", absence="hold", clock="relaxed"))
    tables.play_round(match)
    Message.objects.create(match=match, user=zoe, name=zoe.name, text="Zebulon was here.")
    case = report_person(reporter=ann, suspect=zoe, reason="insults", place=ReportedPlace()).case
    acts.settle_match(moderator=moderator, seat=match.seats.get(user=zoe), reason="Sells the match.")
    queue.close_case(moderator=moderator, case=case, verdict="upheld", reason="Swears.", now=timezone.now())
    LogEntry.objects.log_actions(moderator.pk, [zoe], CHANGE)
    return zoe


def test_no_table_keeps_the_name_of_a_deleted_person(moderator: User) -> None:
    zoe = person_with_all_data(moderator)
    assert "zebulon" in rows_of_all_tables().casefold()
    delete_person(user=zoe)
    assert [line for line in rows_of_all_tables().split("\n") if "zebulon" in line.casefold()] == []
    texts = [notice.text for notice in notices.pending_notices(User.objects.get(name="Ann"))]
    assert any("declared that Deleted player lost it." in text for text in texts)
