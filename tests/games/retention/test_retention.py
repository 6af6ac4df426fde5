"""What has been kept long enough leaves, not a second earlier, and not while something needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts import notices
from accounts.models import ApiToken, Notice, PushSubscription, Sanction, Trace, User
from games.conduct import ledger
from games.conduct.balance import LedgerEntry, standing_after_entries
from games.models import (
    Absence,
    Case,
    ConductMark,
    Entry,
    Invitation,
    Match,
    Message,
    MutedTable,
    RatingChange,
    Report,
    Seat,
    Tournament,
    UploadedRecord,
)
from games.retention import schedule
from games.retention.schedule import RETENTION_SCHEDULE, delete_expired
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.games.tables import person

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
TIMES = {item.key: item.lifetime for item in RETENTION_SCHEDULE if item.expired_rows is not None}
YEARS_LATER = NOW + timedelta(days=4000)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def deleted_counts(now: datetime) -> dict[str, int]:
    """Delete expired rows. Return the number of deleted rows by kind, without zeros."""
    counts = dict.fromkeys(TIMES, 0)
    for key, count in delete_expired(now):
        counts[key] += count
    return {key: count for key, count in counts.items() if count}


# Rows whose time begins now


def finished_match() -> Match:
    return create_finished_match([person("Ann"), person("Ben")], at=NOW)


def guest() -> QuerySet[User]:
    gail = person("Gail", is_guest=True, last_login=NOW)
    return User.objects.filter(pk=gail.pk)


def session(lasts: timedelta) -> QuerySet[Session]:
    Session.objects.create(session_key="key", expire_date=NOW + lasts)
    return Session.objects.all()


def subscription() -> QuerySet[PushSubscription]:
    PushSubscription.objects.create(user=person(), endpoint="https://push.example/1", expires_at=NOW)
    return PushSubscription.objects.all()


def exhibition() -> QuerySet[Match]:
    match = create_finished_match([], bots=2, at=NOW, visited=True)
    return Match.objects.filter(pk=match.pk)


def address() -> QuerySet[Seat]:
    Seat.objects.filter(pk=finished_match().seats.order_by("index")[0].pk).update(address="a" * 32)
    return Seat.objects.exclude(address="")


def suspended_address() -> QuerySet[Sanction]:
    Sanction.objects.create(user=person("Gail", is_guest=True), kind="suspend", reason="threats", address="a" * 32)
    return Sanction.objects.exclude(address="")


def token() -> QuerySet[ApiToken]:
    ApiToken.objects.create(user=person("Ann"), name="statistics", digest="a" * 64, expires_at=NOW)
    return ApiToken.objects.all()


def tournament_address() -> QuerySet[Entry]:
    tournament = Tournament.objects.create(
        format="swiss", variant="kozel", seat_count=4, starts_at=NOW, stage="over", finished_at=NOW
    )
    Entry.objects.create(tournament=tournament, user=person("Ann"), name="Ann", key="1", party="1", address="a" * 32)
    return Entry.objects.exclude(address="")


def trace() -> QuerySet[Trace]:
    Trace.objects.create(user=person("Ann"), kind="device", mark="a" * 32, seen_at=NOW)
    return Trace.objects.all()


def line() -> QuerySet[Message]:
    Message.objects.create(match=finished_match(), user=person("Cleo"), name="Cleo", text="hello")
    return Message.objects.all()


def muted_table() -> QuerySet[MutedTable]:
    MutedTable.objects.create(match=finished_match(), user=person("Cleo"))
    return MutedTable.objects.all()


def invitation() -> QuerySet[Invitation]:
    Invitation.objects.create(match=finished_match(), inviter=person("Dan"), invited=person("Eve"))
    return Invitation.objects.all()


def absence() -> QuerySet[Absence]:
    Absence.objects.create(match=finished_match(), user=person("Cleo"), at=NOW, reason="gone", led_to="held")
    return Absence.objects.all()


def mark() -> QuerySet[ConductMark]:
    ann = person("Ann")
    ledger.charge_points(ann.pk, "stood_up", NOW)
    return ConductMark.objects.all()


def notice() -> QuerySet[Notice]:
    ann = person("Ann")
    notices.send("report_decided", {ann.pk: {"name": "Ben", "verdict": "upheld"}})
    notices.dismiss(ann.pk, ann.notices.get().pk)
    return Notice.objects.all()


def case() -> QuerySet[Report]:
    decided = Case.objects.create(suspect=person("Ann"), area="chat", closed_at=NOW, verdict="upheld")
    Report.objects.create(case=decided, reporter=person("Ben"), reason="insults", words="He swore.")
    return Report.objects.all()


def sanction() -> QuerySet[Sanction]:
    Sanction.objects.create(user=person("Ann"), kind="mute", reason="spam", until=NOW)
    return Sanction.objects.all()


def upload() -> QuerySet[UploadedRecord]:
    UploadedRecord.objects.create(owner="token", name="digest", packed=b"", at=NOW)
    return UploadedRecord.objects.all()


ROWS: dict[str, Callable[[], QuerySet[Any]]] = {
    "guests": guest,
    "sessions": lambda: session(schedule.ACCOUNT_SESSION_LIFETIME),
    "guest_sessions": lambda: session(schedule.GUEST_SESSION_LIFETIME),
    "push_subscriptions": subscription,
    "tokens": token,
    "exhibitions": exhibition,
    "addresses": address,
    "suspended_addresses": suspended_address,
    "tournament_addresses": tournament_address,
    "traces": trace,
    "chat": line,
    "muted_tables": muted_table,
    "invitations": invitation,
    "absences": absence,
    "conduct": mark,
    "notices": notice,
    "cases": case,
    "sanctions": sanction,
    "uploads": upload,
}


@pytest.mark.stack
@pytest.mark.usefixtures("clock")
class TestTimes:
    @pytest.mark.parametrize("key", TIMES)
    def test_row_is_deleted_exactly_when_its_time_is_over(self, key: str) -> None:
        rows = ROWS[key]()
        deleted_counts(NOW + TIMES[key] - SECOND)
        assert rows.count() == 1
        deleted_counts(NOW + TIMES[key])
        assert rows.count() == 0

    def test_many_rows_are_deleted_in_batches(self) -> None:
        match = finished_match()
        Message.objects.bulk_create(Message(match=match, name="Bot", text=str(number)) for number in range(45))
        for _guest in range(4):
            guest()
        steps = list(delete_expired(NOW + TIMES["chat"]))
        assert [count for key, count in steps if key == "chat"] == [20, 20, 5, 0]
        assert [count for key, count in steps if key == "guests"] == [3, 1, 0]

    def test_error_in_one_kind_does_not_stop_the_others(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        guest(), notice()

        def fail(**_person: User) -> None:
            raise RuntimeError("planted")

        monkeypatch.setattr("games.retention.expired.delete_person", fail)
        assert deleted_counts(NOW + TIMES["guests"]) == {"notices": 1}
        assert "forgetting_failed" in caplog.text

    def test_command_prints_the_numbers(self, clock: time_machine.Traveller) -> None:
        notice()
        clock.shift(TIMES["notices"])
        call_command("clear_expired", stdout=(output := StringIO()))
        assert "notices: 1\n" in output.getvalue()
        assert "chat: 0\n" in output.getvalue()


@pytest.mark.usefixtures("clock")
class TestWhatIsNeeded:
    def test_records_results_ratings_and_accounts_stay(self) -> None:
        ann, ben = person("Ann"), person("Gail", is_guest=True, last_login=NOW)
        match = tables.running_table([ann, ben])
        tables.make_first_move(match)
        Match.objects.filter(pk=match.pk).update(status="finished", finished_at=NOW)
        RatingChange.objects.create(match=match, user=ann, variant="kozel", at=NOW, seat=0, side=0, place=1)
        events = match.events.count()
        deleted_counts(YEARS_LATER)
        assert match.events.count() == events > 1
        assert list(match.seats.order_by("index").values_list("user", "name")) == [(ann.pk, "Ann"), (ben.pk, "Gail")]
        assert RatingChange.objects.get().user == ann

    def test_matches_of_people_stay_although_somebody_opened_them(self) -> None:
        create_finished_match([person("Ann")], bots=1, at=NOW, visited=True)
        Match.objects.update(host=None)
        create_finished_match([person("Ann"), person("Ben")], at=NOW, visited=True)
        assert deleted_counts(YEARS_LATER) == {}

    def test_guests_with_activity_or_cases_stay(self, client: Client) -> None:
        guests = [person(name, is_guest=True, last_login=NOW) for name in ("Came", "Wrote", "Muted", "Known", "Gone")]
        client.force_login(guests[0])
        with time_machine.travel(NOW + 20 * DAY, tick=False):
            client.get("/")
        match = tables.running_table([person("Ann"), person("Ben")])
        Message.objects.create(match=match, user=guests[1], name="Wrote", text="hi")
        Sanction.objects.create(user=guests[2], kind="mute", reason="spam")
        Case.objects.create(suspect=guests[3], area="chat")
        deleted_counts(NOW + TIMES["guests"])
        assert set(User.objects.filter(is_guest=True)) == set(guests[:4])

    def test_chat_stays_while_a_rematch_is_played_or_a_case_is_open(self) -> None:
        played, reported, other = finished_match(), finished_match(), finished_match()
        rematch = tables.running_table([person("Ann"), person("Ben")], series=played)
        lines = [Message.objects.create(match=match, name="Bot", text="hi") for match in (played, reported, other)]
        around = Message.objects.create(match=reported, name="Bot", text="what?")
        opened = Case.objects.create(suspect=person("Cleo"), area="chat")
        Report.objects.create(case=opened, reason="insults", match=reported, message=lines[1])
        revision = Match.objects.get(pk=other.pk).revision
        assert deleted_counts(YEARS_LATER)["chat"] == 1
        assert set(Message.objects.all()) == {*lines[:2], around}
        assert Match.objects.get(pk=other.pk).revision > revision, "what was drawn before is out of date"
        Case.objects.update(closed_at=YEARS_LATER)
        Match.objects.filter(pk=rematch.pk).update(status="finished", finished_at=YEARS_LATER)
        assert deleted_counts(YEARS_LATER)["chat"] == 3
        assert Report.objects.get().message is None

    def test_data_of_running_matches_stays(self) -> None:
        match = tables.running_table([ann := person("Ann"), person("Ben")], rated=True)
        match.seats.update(address="a" * 32)
        Message.objects.create(match=match, user=ann, name="Ann", text="hi")
        MutedTable.objects.create(match=match, user=ann)
        Absence.objects.create(match=match, user=ann, at=NOW, reason="gone", led_to="held")
        Invitation.objects.create(match=tables.open_table([ann], bots=1), inviter=ann, invited=person("Eve"))
        assert deleted_counts(YEARS_LATER) == {}

    def test_notices_wait_until_they_are_put_away_and_cases_until_they_are_decided(self) -> None:
        notices.send("report_decided", {person("Ann").pk: {"name": "Ben", "verdict": "upheld"}})
        Case.objects.create(suspect=person("Cleo"), area="chat")
        assert deleted_counts(YEARS_LATER) == {}

    def test_a_sanction_without_end_stays_and_keeps_its_case_until_it_is_lifted(self) -> None:
        cleo = Case.objects.create(suspect=person("Cleo"), area="chat", closed_at=NOW, verdict="upheld").suspect
        Sanction.objects.create(user=cleo, kind="suspend", reason="threats")
        assert deleted_counts(YEARS_LATER) == {}
        Sanction.objects.update(lifted_at=YEARS_LATER)
        assert deleted_counts(YEARS_LATER + TIMES["sanctions"]) == {"cases": 1, "sanctions": 1}

    def test_conduct_that_still_counts_stays(self) -> None:
        ann = person("Ann")
        ConductMark.objects.create(user=ann, kind="left", points=300, at=NOW)
        assert deleted_counts(NOW + 299 * DAY) == {}
        assert deleted_counts(NOW + 300 * DAY + TIMES["conduct"]) == {"conduct": 1}


MOMENTS = st.tuples(st.integers(0, 400), st.integers(-1, 8))


@given(st.lists(MOMENTS, min_size=1, max_size=30))
def test_deleting_faded_marks_keeps_the_balance(lines: list[tuple[int, int]]) -> None:
    entries = [LedgerEntry(NOW + timedelta(hours=6 * hours), points, "left") for hours, points in sorted(lines)]
    for place, (moment, _points, _kind) in enumerate(entries):
        then = standing_after_entries(entries[:place], moment)
        if then.points == 0 and then.paused_until is None:
            now = entries[-1].at + SECOND
            assert standing_after_entries(entries[place:], now) == standing_after_entries(entries, now)
