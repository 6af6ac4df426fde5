"""Reports are made once beside the site when a match is over, kept with it, and gone with it."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import timedelta
from functools import partial
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import personal_data
from games.broadcast.database_threads import in_database
from games.engine.events import MatchEnded
from games.engine.notation import export_match
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.match import record
from games.match_reports import computation, reports, upload_reports
from games.match_reports.report import REPORT_VERSION
from games.match_reports.reporter import Reporter
from games.models import Match, MatchReport, UploadedRecord
from tests.games.finished import create_finished_match
from tests.games.tables import person, running_table


def over(people: list[User], moves: int = 4, variant: str = "kozel", **columns: Any) -> Match:
    """Return a match that is over now, after so many moves."""
    events = playout(rules_for(variant), 2, {}, "reported", leave_after=moves)
    events = [event for event in events if not isinstance(event, MatchEnded)]
    return create_finished_match(
        people, variant=variant, events=events, at=columns.pop("at", timezone.now()), **columns
    )


def work() -> None:
    """Work as the reporter does until nothing waits."""
    reporter = Reporter()
    try:
        while async_to_sync(reporter.make_next_report)():
            pass
    finally:
        reporter.workers.close()


def made(*arguments: str) -> str:
    out = StringIO()
    call_command("match_reports", *arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_report_is_made_in_a_worker_after_the_match(ann: User, caplog: pytest.LogCaptureFixture) -> None:
    """One record has no start, so nothing can be made of it: that is logged, and not tried again."""
    broken = over([ann, person("Ben")], at=timezone.now() - timedelta(minutes=1))
    broken.events.filter(seq=1).delete()
    match, running = over([ann, person("Elsa")]), running_table([person("Cleo"), person("Dora")])
    assert reports.report_of(match) is None
    work()
    assert reports.report_of(match) == computation.make_report(record.events(match.pk))
    assert MatchReport.objects.get(match=match).seconds > 0
    assert reports.report_of(broken) is reports.report_of(running) is None
    assert "match_report_failed" in caplog.text
    assert reports.next_match_to_report(timezone.now()) is None
    assert f"{broken.slug}: BadRecord" in made()
    assert set(MatchReport.objects.values_list("match", flat=True)) == {match.pk, broken.pk}
    match.delete()
    assert MatchReport.objects.get().match == broken


@pytest.mark.django_db(transaction=True)
def test_report_waits_for_a_busy_machine(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others may keep a worker of the lowest priority waiting for minutes, which the limit does not count."""
    monkeypatch.setattr("games.match_reports.reporter.REPORT_SECONDS", 3)
    match = over([ann, person("Ben")])
    reporter = Reporter()
    try:
        reporter.workers.submit(time.sleep, 4)
        async_to_sync(reporter.make_next_report)()
    finally:
        reporter.workers.close()
    assert reports.report_of(match)


@pytest.mark.django_db(transaction=True)
def test_uploaded_record_gets_a_report_for_its_uploader(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """The second record is damaged in the database: that is logged, and not tried again."""
    events = playout(rules_for("kozel"), 2, {}, "uploaded", leave_after=30)
    text = json.dumps(export_match((seq, event, "") for seq, event in enumerate(events, 1)))
    address = client.post("/review/import/", {"text": text})["Location"]
    UploadedRecord.objects.create(owner="somebody", name="damaged", packed=b"", at=timezone.now())
    waiting = client.get(address).content.decode()
    assert "The report will be ready" in waiting
    assert "report-plot" not in waiting
    work()
    html = client.get(address).content.decode()
    assert "The report will be ready" not in html
    assert html.count('class="report-plot"') == 2
    assert 'class="seat-chance"' in html
    frames = client.get(f"{address}round/?at=1").content.decode()
    assert "seat-chance" in frames
    assert "upload_report_failed" in caplog.text
    assert upload_reports.next_upload_to_report() is None
    upload = UploadedRecord.objects.exclude(name="damaged").get()
    assert upload_reports.report_of_upload(upload.owner, upload.name) == computation.make_report(events)
    assert upload_reports.report_of_upload("somebody", upload.name) is None
    assert Client().get(address).status_code == 404
    UploadedRecord.objects.update(report_version=REPORT_VERSION - 1)
    assert "report-plot" not in client.get(address).content.decode()
    assert upload_reports.next_upload_to_report() == upload.pk


@pytest.mark.django_db(transaction=True)
async def test_interrupted_report_of_an_upload_is_made_after_the_next_start() -> None:
    create = partial(UploadedRecord.objects.create, owner="somebody", name="record", packed=b"", at=timezone.now())
    upload = await in_database(create)
    reporter = Reporter()
    try:
        making = asyncio.create_task(reporter.make_upload_report(upload.pk))
        while await in_database(upload_reports.next_upload_to_report) is not None:
            await asyncio.sleep(0)
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making
    finally:
        reporter.workers.close()
    assert await in_database(upload_reports.next_upload_to_report) == upload.pk


@pytest.mark.stack
def test_old_bot_and_void_matches_need_no_report(ann: User) -> None:
    now, ben = timezone.now(), person("Ben")
    over([ann, ben], at=now - timedelta(days=2))
    over([ann, ben], reason="void")
    alone = over([], bots=2)
    assert reports.next_match_to_report(now) is None
    Match.objects.filter(pk=alone.pk).update(visited=True)
    assert reports.next_match_to_report(now) == alone.pk
    assert reports.claim_report(alone.pk)
    assert not reports.claim_report(alone.pk)
    assert reports.next_match_to_report(now) is None


@pytest.mark.django_db(transaction=True)
def test_outdated_reports_are_made_again_after_the_new_ones(ann: User) -> None:
    """The match with an outdated report ended days ago, the other one now. A failed report of this version stays."""
    ben, now = person("Ben"), timezone.now()
    old, failed, new = (over([ann, ben], at=now - timedelta(days=days)) for days in (9, 8, 0))
    MatchReport.objects.create(match=old, version=REPORT_VERSION - 1, data={"choices": []})
    MatchReport.objects.create(match=failed, version=REPORT_VERSION)
    assert reports.report_of(old) is None
    assert reports.next_match_to_report(now) == new.pk
    assert reports.next_match_with_outdated_report() == old.pk
    work()
    assert reports.report_of(old) == computation.make_report(record.events(old.pk))
    assert reports.report_of(new)
    assert reports.report_of(failed) is None
    assert reports.next_match_with_outdated_report() is None


def test_an_outdated_report_is_claimed_once(ann: User) -> None:
    match = over([ann, person("Ben")])
    MatchReport.objects.create(match=match, version=REPORT_VERSION - 1, data={"choices": []})
    assert reports.claim_report(match.pk)
    assert not reports.claim_report(match.pk)
    assert (MatchReport.objects.get().version, MatchReport.objects.get().data) == (REPORT_VERSION, None)


def test_command_makes_missing_and_outdated_reports(ann: User) -> None:
    match = over([ann, person("Ben")], at=timezone.now() - timedelta(days=9))
    assert made("--most", "0") == "No report was missing.\n"
    assert made().startswith("kozel: 1 reports, ")
    assert made() == "No report was missing.\n"
    report = reports.report_of(match)
    assert report
    MatchReport.objects.update(version=REPORT_VERSION - 1)
    assert reports.report_of(match) is None
    assert made().startswith("kozel: 1 reports, ")
    assert reports.report_of(match) == report


def test_a_match_that_is_declared_void_has_no_report_any_more(ann: User) -> None:
    match = over([ann, person("Ben")])
    made()
    assert reports.report_of(match)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    assert reports.report_of(match) is None


def test_report_of_a_deleted_match_is_not_stored(ann: User) -> None:
    match = over([ann, person("Ben")])
    data, seconds = computation.make_report_timed(record.events(match.pk))
    pk = match.pk
    match.delete()
    assert not reports.store_report(pk, data, seconds)
    assert not reports.claim_report(pk)


def test_download_has_the_reported_choices_of_the_person(ann: User) -> None:
    match = over([ann, person("Ben")])
    assert personal_data.export_match_reports(ann) == []
    made()
    report = reports.report_of(match)
    assert report
    (row,) = personal_data.export_match_reports(ann)
    player = report.player_report(0)
    assert row == {
        "table": match.slug,
        "lost": player.lost,
        "choices": player.choices,
        "best": player.best,
        "chance_lost": player.chance_lost,
    }
