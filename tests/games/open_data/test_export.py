"""The files of a month contain its public matches, which replay strictly, and nothing that names a person."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import override_settings

from accounts.models import User
from accounts.services import delete_person
from games.engine.notation import import_match
from games.models import BoardDay, Match, MatchEvent, Message, OpenDataMonth, RatingChange, Seat
from games.open_data import selection
from games.open_data.checks import folder_faults
from tests.games import tables
from tests.games.daily_boards.days import open_today, play_boards
from tests.games.open_data.month import (
    EXPORTED_AT,
    PLANTED,
    PLAYED_AT,
    contents_of,
    lines_of,
    make_month,
    planted_person,
    play_match,
)

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with override_settings(OPEN_DATA_DIR=tmp_path):
        yield tmp_path / "2026-10"


def export(*arguments: str) -> str:
    out = io.StringIO()
    with time_machine.travel(EXPORTED_AT, tick=False):
        call_command("export_open_data", "2026-10", *arguments, stdout=out)
    return out.getvalue()


def people_in(lines: list[dict[str, Any]]) -> set[str]:
    return {player["name"] for line in lines for player in line["players"] if player["name"]}


def change_all_personal_data() -> None:
    """Enter another world, where only what the files must not contain is different."""
    for user in User.objects.exclude(name=""):
        User.objects.filter(pk=user.pk).update(
            name=f"Other{user.pk}", username=f"other{user.pk}", email=f"other{user.pk}@example.net", language="it"
        )
    Seat.objects.update(name="other", nonce="other", colour="red", address="other")
    Message.objects.update(text="other line", name="other")
    Match.objects.update(host=None, secret="11" * 32, finished_at=F("finished_at") + timedelta(minutes=7))
    for match in Match.objects.all():
        Match.objects.filter(pk=match.pk).update(slug=f"other{match.pk}")
    MatchEvent.objects.update(at=F("at") + timedelta(minutes=5))
    for event in MatchEvent.objects.filter(kind__in=("match_started", "key_revealed", "secret_revealed")):
        data = json.loads(event.data)
        texts = {
            "match": "other",
            "commitment": "22" * 32,
            "nonces": ["x"],
            "nonce_commitments": ["y"],
            "entropy": "z",
        }
        data |= {name: text for name, text in (texts | {"key": "33", "secret": "44"}).items() if name in data}
        MatchEvent.objects.filter(pk=event.pk).update(data=json.dumps(data))


def test_files_replay_strictly_and_are_the_same_in_a_world_of_other_people(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.open_data.codes.secrets.token_hex", lambda size: "5a" * size)
    matches = make_month()
    export()
    files, lines = contents_of(folder), lines_of(folder)
    assert len(lines) == len(matches) == 4
    assert "All sums hold, and all matches replay." in export("--check")
    texts = [PLANTED, "@", "example", "nonce", *(match.slug for match in matches)]
    texts += [secret for match in matches for secret in (match.secret, match.commitment, match.source) if secret]
    assert [text for text in texts for content in files.values() if text.lower().encode() in content.lower()] == []
    change_all_personal_data()
    export("--again")
    assert contents_of(folder) == files


def plant_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "_player_data", lambda _source, _user, _bot, name, _codes: {"name": name})


def plant_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.open_data.content._public_event", lambda event, _code: event)


@pytest.mark.parametrize("plant", [plant_names, plant_events])
def test_planted_leak_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch, plant: Callable[..., None]) -> None:
    monkeypatch.setattr("games.open_data.codes.secrets.token_hex", lambda size: "5a" * size)
    with time_machine.travel(PLAYED_AT, tick=False):
        play_match([planted_person("Ann"), planted_person("Ben")])
    plant(monkeypatch)
    monkeypatch.setattr("games.open_data.content._first_fault", lambda _events: "")
    export()
    files = contents_of(folder)
    change_all_personal_data()
    export("--again")
    assert contents_of(folder) != files


def test_only_public_matches_of_people_and_closed_boards_are_in_the_files(folder: Path) -> None:
    with time_machine.travel(PLAYED_AT, tick=False):
        ann, ben = planted_person("Ann"), planted_person("Ben")
        public = play_match([ann, ben])
        play_match([ann, ben], visibility="link")
        play_match([ann, ben], rated=False)
        play_match([ann, ben], bots=1)
        void = play_match([ann, ben])
        Match.objects.filter(pk=void.pk).update(status=Match.Status.VOID)
        delayed = play_match([ann, ben])
        Match.objects.filter(pk=delayed.pk).update(public_at=EXPORTED_AT + timedelta(days=3))
        open_today(now=PLAYED_AT)
        play_boards(ann, 1, PLAYED_AT)
        tables.running_table([ann, ben], rated=True)
    export()
    (line,) = lines_of(folder)
    assert line["result"]["points"] == [side.get("points", 0) for side in json.loads(public.standing)["standing"]]
    assert (line["day"], line["kind"]) == ("2026-10-15", "rated")


def test_open_day_keeps_its_boards_out_even_if_a_match_looks_public(folder: Path) -> None:
    with time_machine.travel(PLAYED_AT, tick=False):
        open_today(now=PLAYED_AT)
        (board,) = play_boards(planted_person("Ann"), 1, PLAYED_AT)
    Match.objects.filter(pk=board.pk).update(public_at=PLAYED_AT)
    export()
    assert not folder.exists()
    BoardDay.objects.filter(opened_at__isnull=False).update(closed_at=PLAYED_AT)
    export("--again")
    assert len(lines_of(folder)) == 1


def test_match_belongs_to_the_month_in_which_its_end_became_public(folder: Path) -> None:
    with time_machine.travel(datetime(2026, 9, 30, 23, tzinfo=UTC), tick=False):
        match = play_match([planted_person("Ann"), planted_person("Ben")])
    export()
    assert not folder.exists()
    Match.objects.filter(pk=match.pk).update(public_at=datetime(2026, 10, 1, tzinfo=UTC))
    export("--again")
    (line,) = lines_of(folder)
    assert line["day"] == "2026-09-30"


def test_people_have_one_code_in_rated_matches_and_another_on_the_boards_of_a_day(folder: Path) -> None:
    make_month()
    export()
    lines = lines_of(folder)
    rated = [line for line in lines if line["kind"] == "rated"]
    boards = [line for line in lines if line["kind"] == "daily_board"]
    assert (len(people_in(rated)), len(people_in(boards))) == (3, 1)
    assert not people_in(rated) & people_in(boards)
    assert [line["board"] for line in sorted(boards, key=lambda line: line["board"])] == [1, 2]
    assert {player.get("bot") for line in boards for player in line["players"]} == {None, "steady"}
    codes_before = people_in(lines)
    export("--again")
    assert not people_in(lines_of(folder)) & codes_before


def test_deleted_account_has_no_code(folder: Path) -> None:
    with time_machine.travel(PLAYED_AT, tick=False):
        ann = planted_person("Ann")
        play_match([ann, planted_person("Ben")])
        delete_person(user=ann)
    export()
    (line,) = lines_of(folder)
    assert [bool(player["name"]) for player in line["players"]] == [False, True]


def test_matches_of_people_who_do_not_want_it_are_missing(folder: Path) -> None:
    make_month()
    User.objects.filter(name=f"{PLANTED}Ann").update(in_open_data=False)
    export()
    assert not folder.exists()


def test_ratings_are_those_before_the_match(folder: Path) -> None:
    with time_machine.travel(PLAYED_AT, tick=False):
        match = play_match([planted_person("Ann"), planted_person("Ben")])
        RatingChange.objects.all().delete()
        RatingChange.objects.create(
            match=match, variant="kozel", at=PLAYED_AT, seat=1, side=1, place=1, mu_before=27.5, sigma_before=3, mu=28
        )
    export()
    assert lines_of(folder)[0]["ratings"] == [None, {"rating": 1620, "deviation": 144}]


def test_table_of_choices_fits_the_records(folder: Path) -> None:
    make_month()
    export()
    lines = {line["match"]: line for line in lines_of(folder)}
    contents = contents_of(folder)
    for name in ("kozel-2026-10-choices.csv.gz", "gamezz-2026-10-choices.csv.gz"):
        rows = list(csv.DictReader(io.StringIO(contents[name].decode())))
        assert len(rows) > 3
        for row in rows:
            line = lines[row["match"]]
            event = line["events"][int(row["event"]) - 1]
            assert event["seat"] == int(row["seat"])
            assert event.get("tile", "") in row["move"]
            assert row["player"] == line["players"][event["seat"]]["name"] != ""
            assert int(row["legal_moves"]) > 1
            assert (row["points_lost"], row["chance_lost"], row["chance"]) == ("1.5", "0.02", "0.5")


def test_changed_file_or_match_is_found(folder: Path) -> None:
    with time_machine.travel(PLAYED_AT, tick=False):
        play_match([planted_person("Ann"), planted_person("Ben")])
    export()
    path = folder / "kozel-2026-10.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert next(folder_faults(folder)) == "kozel-2026-10.jsonl.gz: the sum does not hold."
    with pytest.raises(CommandError):
        export("--check")


def test_match_that_does_not_replay_is_logged_and_left_out(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with time_machine.travel(PLAYED_AT, tick=False):
        match = play_match([planted_person("Ann"), planted_person("Ben")])
    event = MatchEvent.objects.filter(match=match, kind="played").earliest("seq")
    MatchEvent.objects.filter(pk=event.pk).update(data=json.dumps(json.loads(event.data) | {"to_move": None}))
    export()
    assert not folder.exists()
    assert "open_data_match_failed" in caplog.text


def test_files_are_made_once_and_never_of_a_month_that_goes_on(folder: Path) -> None:
    with time_machine.travel(PLAYED_AT, tick=False):
        play_match([planted_person("Ann"), planted_person("Ben")])
    export()
    with pytest.raises(CommandError, match="exist"):
        export()
    with pytest.raises(CommandError, match="not over"), time_machine.travel(EXPORTED_AT, tick=False):
        call_command("export_open_data", "2026-11")
    row = OpenDataMonth.objects.get(month=date(2026, 10, 1))
    assert {file["name"] for file in row.files} == {path.name for path in folder.iterdir()}
    assert [path.name for path in folder.parent.iterdir()] == ["2026-10"]
    assert import_match(lines_of(folder)[0])
