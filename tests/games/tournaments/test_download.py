"""The file of a tournament's events: anybody can compute the standing from it, and it keeps no deleted names."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from django.test import Client

from accounts.services import delete_person
from games.models import Tournament
from games.tournaments import clock, download, entering, selectors
from games.tournaments.core.__main__ import standing_of_file
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    announced,
    arena,
    begin_round,
    end_matches,
    entrants,
    run_clock,
)

NAMES = ("Anna", "Bela", "Cyril", "Dora", "Emil")


def downloaded(tournament: Tournament) -> dict[str, Any]:
    answer = Client().get(f"/tournament/{tournament.slug}/events.json")
    assert answer["Content-Disposition"] == f'attachment; filename="tournament-{tournament.slug}.json"'
    data: dict[str, Any] = json.loads(answer.content)
    return data


def play_to_the_end(tournament: Tournament) -> None:
    people = entrants(tournament, *NAMES)
    now = START
    while Tournament.objects.get(pk=tournament.pk).stage in Tournament.UNFINISHED:
        begin_round(now, people)
        end_matches()
        run_clock(now + MINUTE / 2, people)
        now += MINUTE
        assert now < START + 20 * MINUTE


def test_the_standing_from_the_file_is_the_standing_of_the_site() -> None:
    tournament = announced()
    play_to_the_end(tournament)
    data = downloaded(tournament)
    lines = standing_of_file(json.loads(json.dumps(data)))
    row = Tournament.objects.get(pk=tournament.pk)
    assert lines == tuple(standing.line for standing in selectors.standing_rows(row))
    assert {line.party: line.rank for line in lines} == dict(row.entries.values_list("party", "rank"))
    assert [(line["rank"], line["party"]) for line in data["standing"]] == [(line.rank, line.party) for line in lines]


def test_the_program_prints_the_standing_of_a_file() -> None:
    tournament = announced()
    play_to_the_end(tournament)
    text = download.file_text(Tournament.objects.get(pk=tournament.pk))
    command = [sys.executable, "-m", "games.tournaments.core"]
    printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed[0].startswith("1\tAnna\t")
    assert len(printed) == len(NAMES)


def test_the_events_of_a_running_tournament_have_times_and_people() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    run_clock(START, people)
    data = downloaded(tournament)
    assert data["people"] == dict(zip("12345", NAMES, strict=True))
    assert data["events"][1] == {
        "time": "2026-03-14T17:55:00+00:00",
        "kind": "entered",
        "data": {"party": "1", "people": ["1"], "at": data["events"][1]["data"]["at"], "by": "1"},
    }
    assert "started" in [event["kind"] for event in data["events"]]


def test_a_deleted_person_has_no_name_and_no_reason_is_named() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES[:4], "Zebulon")
    begin_round(START, people)
    entering.withdraw(tournament=tournament, user=people[0], now=START)
    delete_person(user=people[4])
    clock.settle_marks(now=START + SECOND)
    data = downloaded(tournament)
    assert "Zebulon" not in json.dumps(data)
    assert data["people"]["5"] == "Deleted player"
    departures = [event["data"] for event in data["events"] if event["kind"] == "left"]
    assert [(event["party"], event["reason"]) for event in departures] == [("1", "left"), ("5", "left")]
    assert "by" not in departures[1]


def test_people_who_only_asked_are_not_in_the_file() -> None:
    tournament = announced(asks=True)
    entrants(tournament, "Anna")
    assert downloaded(tournament)["people"] == {}


def test_results_of_boards_are_secret_until_the_end() -> None:
    tournament, address = announced(), "/tournament/{}/events.json"
    Tournament.objects.update(format="duplicate", stage="running")
    assert Client().get(address.format(tournament.slug)).status_code == 404
    Tournament.objects.update(stage="over")  # the clock still has to stop tables and to reveal the secret
    assert Client().get(address.format(tournament.slug)).status_code == 404
    Tournament.objects.update(due_at=None)
    assert Client().get(address.format(tournament.slug)).status_code == 200
