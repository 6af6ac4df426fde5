"""Format 2: records keep their people, the result, and what choices cost; nobody who was deleted is named."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.services import delete_person
from games.engine.evolve import fold
from games.engine.notation import export_match, import_match
from games.engine.transcript import read
from games.engine.transcript_head import read_about
from games.match_reports import reports
from games.models import Match
from games.moderation import reversals
from games.records import exports
from tests.games.reviewed import SHORT_RECORD as FILE
from tests.games.reviewed import import_recording, play_random_moves, stop_match, store_report
from tests.games.reviewed import read_events as recording

BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def record(match: Match, client: Client | None = None) -> dict[str, Any]:
    answer = (client or Client()).get(reverse("match-record", args=[match.slug]))
    data: dict[str, Any] = json.loads(answer.content) if answer.status_code == 200 else {}
    return data


def transcript(match: Match) -> str:
    return Client().get(reverse("match-transcript", args=[match.slug])).content.decode()


def seated(match: Match, seat: int) -> Client:
    client, user = Client(), match.seats.get(index=seat).user
    assert user
    client.force_login(user)
    return client


def test_both_formats_name_the_players_the_result_and_what_choices_cost() -> None:
    match = store_report(import_recording(FILE))
    match.seats.filter(index=1).update(user=None, bot="strong", name="Emil")
    report, over = reports.report_of(match), fold(recording(FILE))
    assert report
    assert over.match_over
    data, text = record(match), transcript(match)
    assert data["format"] == 2
    assert data["players"][:2] == [{"name": "Person 0"}, {"name": "Emil", "bot": "strong"}]
    assert data["result"]["places"] == list(over.match_over.places)
    assert data["result"]["points"] == [row.points for row in over.standing]
    assert [row["loss"] for row in data["report"]["choices"]] == [choice.certain_loss for choice in report.choices]
    assert [row["chance_loss"] for row in data["report"]["choices"]] == [row.chance_loss for row in report.choices]
    assert data["report"]["rounds"][0]["luck"] == list(report.rounds[0].luck)
    assert import_match(data) == tuple(entry.event for entry in read(text)) == recording(FILE)
    about = read_about(text)
    assert (about["players"], about["result"]) == (data["players"], data["result"])
    assert about["report"]["players"] == data["report"]["players"]
    worst = max(report.choices, key=attrgetter("certain_loss"))
    assert f" {{-{worst.certain_loss} {worst.best}}}" in text


def test_deleted_people_are_named_in_no_record() -> None:
    match = import_recording(FILE)
    gone = match.seats.get(index=0).user
    assert gone
    delete_person(user=gone)
    assert record(match)["players"][0] == {"name": ""}
    assert "Person 0" not in transcript(match)


def test_a_match_that_was_declared_void_says_so_and_has_no_report() -> None:
    match = store_report(stop_match(play_random_moves("kozel", 20)))
    reversals.make_void(match)
    data = record(match, seated(match, 0))
    assert data["result"] == {"reason": "void"}
    assert "report" not in data


def later() -> Match:
    """Return a match that is over, and whose end spectators do not know for a minute."""
    with time_machine.travel(BEGAN, tick=False):
        match = store_report(stop_match(play_random_moves("kozel", 20)))
    Match.objects.filter(pk=match.pk).update(delay=Match.Delay.SHORT, public_at=BEGAN + timedelta(minutes=1))
    return match


def told(match: Match, client: Client | None = None) -> set[str]:
    return set(record(match, client)) & {"result", "report"}


def test_result_and_report_are_exported_once_disclosed() -> None:
    match = later()
    with time_machine.travel(BEGAN + timedelta(seconds=40), tick=False):
        assert told(match) == set()
        assert told(match, seated(match, 0)) == {"result", "report"}
    with time_machine.travel(BEGAN + timedelta(seconds=61), tick=False):
        assert told(match) == {"result", "report"}


def test_premature_result_in_a_record_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    match = later()
    monkeypatch.setattr(exports, "is_over_for", lambda _viewer, _match: True)
    with time_machine.travel(BEGAN + timedelta(seconds=40), tick=False):
        assert told(match) == {"result", "report"}


def test_exports_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match = import_recording(FILE)
    assert exports.to_json_line(exports.read_record(match.pk)).startswith('{"format":2,')
    file = tmp_path / "matches.jsonl"
    file.write_text(exports.to_json_line(exports.read_record(match.pk)))
    call_command("deal_statistics", str(file))
    assert "rytmino" in capsys.readouterr().out


def test_records_of_the_first_format_are_readable() -> None:
    events = recording(FILE)
    data = export_match((seq, event, "") for seq, event in enumerate(events, 1))
    assert data["format"] == 1
    assert import_match(json.loads(json.dumps(data))) == events
