"""Export and deletion of the personal data in matches."""

from __future__ import annotations

from typing import Any

from django.db.models import Case as Choose
from django.db.models import Exists, F, OuterRef, Q, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts import personal_data
from accounts.models import Notice, User
from games.broadcast import announcements
from games.clubs import joining
from games.match_reports.reports import reports_of
from games.models import (
    Absence,
    Case,
    ClubMember,
    ConductMark,
    Entry,
    Invitation,
    Match,
    Message,
    MutedTable,
    PuzzleAttempt,
    RatingChange,
    RatingPoints,
    Report,
    Seat,
    Tournament,
)
from games.moderation.acts import leave_all_tables
from games.presence.online import visible_pages_by_person
from games.words.names import DELETED_NAME

MATCH_FIELDS = (
    *("slug", "variant", "options", "status", "rated", "clock", "visibility"),
    *("created_at", "started_at", "finished_at", "void_reason"),
)


def visible_slug_for(user: User) -> Choose:
    """Return the slug of a row's match, None for an unlisted table where the person neither sat nor was invited.

    The slug of an unlisted table gives access to it, so a download must not reveal it.
    """
    has_seat = Seat.objects.filter(match=OuterRef("match"), user=user)
    was_invited = Invitation.objects.filter(match=OuterRef("match"), invited=user)
    is_public = Q(match__visibility=Match.Visibility.PUBLIC)
    return Choose(When(is_public | Exists(has_seat) | Exists(was_invited), then=F("match__slug")))


def export_matches(user: User) -> list[dict[str, Any]]:
    """Return all seats with the public data of their matches. Hands are in the records of finished matches."""
    seats = Seat.objects.filter(user=user).order_by("match_id")
    rows = seats.values(
        "index", "name", "colour", "place", "points_gain", "removed", *(f"match__{name}" for name in MATCH_FIELDS)
    )
    return [{name.removeprefix("match__"): value for name, value in row.items()} for row in rows]


def export_messages(user: User) -> list[Any]:
    rows = Message.objects.filter(user=user).order_by("pk")
    return list(rows.values("room", "text", "at", "hidden", table=visible_slug_for(user)))


def erase_from_matches(user: User) -> None:
    """Leave all tables by the rules, remove the name from remaining seats, and empty the messages."""
    leave_all_tables(user)
    chats = set(Message.objects.filter(user=user).values_list("room", "match"))
    for room, match_id in sorted(chats):
        if room != Message.Room.TABLE:
            announcements.touch_chat(room, match_id)
    # Selected by keys: a query over matches with their seats and messages would scan all matches.
    ids = {match for room, match in chats if room == Message.Room.TABLE}
    ids.update(Seat.objects.filter(user=user).values_list("match", flat=True))
    Seat.objects.filter(user=user).update(user=None, name=DELETED_NAME, colour="", name_key="")
    # The empty rows stay: revisions of delayed matches count them and must not decrease.
    Message.objects.filter(user=user).update(
        user=None, name=DELETED_NAME, text="", hidden=True, changes=F("changes") + 1
    )
    Match.objects.filter(pk__in=ids).update(revision=F("revision") + 1)
    changed = Match.objects.filter(pk__in=ids).values_list("slug", "revision")
    announcements.announce(announcements.match_announcements(changed))


def export_absences(user: User) -> list[Any]:
    """Return the recorded absences; they are deleted with the person."""
    rows = Absence.objects.filter(user=user).order_by("pk")
    fields = ("at", "reason", "led_to", "turn_started_at", "deadline", "last_seen", "left_at")
    return list(rows.values(*fields, table=visible_slug_for(user)))


def export_conduct(user: User) -> list[Any]:
    """Return the conduct ledger; it is deleted with the person."""
    rows = ConductMark.all_objects.filter(user=user).order_by("at", "pk")
    return list(rows.values("kind", "points", "at", "taken_back", table=visible_slug_for(user)))


def export_invitations(user: User) -> list[Any]:
    """Return the sent and received invitations; they are deleted with the person."""
    rows = Invitation.objects.filter(Q(inviter=user) | Q(invited=user)).order_by("pk")
    names = {"by": F("inviter__name"), "invited_person": F("invited__name"), "table": visible_slug_for(user)}
    return list(rows.values("at", "taken_back_at", **names))


def export_muted_tables(user: User) -> list[Any]:
    """Return the muted tables; the rows are deleted with the person."""
    rows = MutedTable.objects.filter(user=user).order_by("pk")
    return list(rows.values("at", table=visible_slug_for(user)))


def export_rating_points(user: User) -> list[Any]:
    """Return the rating points; they are deleted with the person."""
    return list(RatingPoints.objects.filter(user=user).order_by("pk").values("variant", "points", "matches"))


def export_rating_changes(user: User) -> list[Any]:
    """Return the rating changes. The rows stay without the name, because opponents' ratings depend on them."""
    rows = RatingChange.all_objects.filter(user=user).order_by("pk")
    return list(
        rows.values(
            "variant", "at", "place", "of", "expected", "mu", "sigma", "taken_back", table=visible_slug_for(user)
        )
    )


def export_match_reports(user: User) -> list[Any]:
    """Return the person's part of match reports, which stay with the matches, without the name."""
    seats = Seat.objects.filter(user=user, match__report__isnull=False).select_related("match").order_by("match_id")
    match_reports = reports_of([seat.match_id for seat in seats])
    return [
        {"table": seat.match.slug, **match_reports[seat.match_id].player_report(seat.index)._asdict()}
        for seat in seats
        if seat.match_id in match_reports
    ]


def export_reports(user: User) -> list[Any]:
    """Return the person's reports. The rows stay without the name, as part of their cases."""
    rows = Report.objects.filter(reporter=user).order_by("pk")
    return list(
        rows.values("reason", "words", "step", "at", about=F("case__suspect__name"), table=visible_slug_for(user))
    )


def export_cases(user: User) -> list[Any]:
    """Return the decided cases about the person, without their reporters."""
    rows = Case.objects.filter(suspect=user).exclude(closed_at=None).order_by("pk")
    return list(rows.values("area", "verdict", "opened_at", "closed_at"))


def erase_from_notices(user: User) -> None:
    """Delete other people's notices about their reports, which contain the name. Cases are deleted with the person."""
    decided = list(Case.objects.filter(suspect=user).exclude(closed_at=None).values_list("pk", flat=True))
    Notice.objects.filter(kind="report_decided", facts__case__in=decided).delete()


def export_visible_pages(user: User) -> list[Any]:
    """Return the visible pages, which are stored for a minute and deleted with the person."""
    match_ids = visible_pages_by_person(timezone.now()).get(user.pk, set())
    return [{"match": match_id} for match_id in sorted(match_ids, key=str)]


def export_tournaments(user: User) -> list[Any]:
    """Return the tournaments that the person entered, with the key by which their events name the person."""
    rows = Entry.objects.filter(user=user).order_by("pk")
    return list(
        rows.values(
            *("key", "party", "status", "created_at", "rank"),
            tournament_slug=F("tournament__slug"),
            format=F("tournament__format"),
            game=F("tournament__variant"),
            starts_at=F("tournament__starts_at"),
        )
    )


def export_hosted_tournaments(user: User) -> list[Any]:
    rows = Tournament.objects.filter(host=user).order_by("pk")
    return list(rows.values("slug", "format", "variant", "name", "starts_at", "stage"))


def erase_from_tournaments(user: User) -> None:
    """Remove the name. The clock takes the person out of tournaments that are not over.

    It, too, locks tournaments before people, so that no tournament is locked here.
    """
    rows = Entry.objects.filter(user=user)
    rows.exclude(status=Entry.Status.GONE).filter(tournament__stage__in=Tournament.UNFINISHED).update(
        leaving="deleted"
    )
    rows.update(user=None, name=DELETED_NAME, address="")


def erase_from_hosted_tournaments(user: User) -> None:
    """Remove the names that the person has given."""
    Tournament.objects.filter(host=user).update(host=None, name="")


def export_clubs(user: User) -> list[Any]:
    """Return the clubs in which the person is, or has asked to be; the rows are deleted with the person."""
    rows = ClubMember.objects.filter(user=user).order_by("pk")
    return list(rows.values("status", "since", slug=F("club__slug"), name=F("club__name")))


def erase_from_clubs(user: User) -> None:
    """Leave all clubs. Others lead those that the person led alone; empty clubs close, without their texts."""
    joining.take_out_deleted(user.pk, timezone.now())


def export_puzzles(user: User) -> list[Any]:
    """Return the puzzles that the person tried; they are deleted with the person."""
    rows = PuzzleAttempt.objects.filter(user=user).order_by("pk")
    game = Coalesce("puzzle_day__variant", "puzzle__variant")
    return list(rows.values("tries", "solved_at", game=game, day=F("puzzle_day__day"), number=F("puzzle__number")))


personal_data.register_section("matches", export_matches, erase_from_matches)
personal_data.register_section("absences", export_absences)
personal_data.register_section("conduct", export_conduct)
personal_data.register_section("messages", export_messages)
personal_data.register_section("invitations", export_invitations)
personal_data.register_section("visible_pages", export_visible_pages)
personal_data.register_section("muted_tables", export_muted_tables)
personal_data.register_section("match_reports", export_match_reports)
personal_data.register_section("puzzles", export_puzzles)
personal_data.register_section("tournaments", export_tournaments, erase_from_tournaments)
personal_data.register_section("hosted_tournaments", export_hosted_tournaments, erase_from_hosted_tournaments)
personal_data.register_section("clubs", export_clubs, erase_from_clubs)
personal_data.register_section("reports", export_reports)
personal_data.register_section("cases", export_cases, erase_from_notices)
personal_data.register_section("rating_points", export_rating_points)
personal_data.register_section("rating_changes", export_rating_changes)
