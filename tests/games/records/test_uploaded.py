"""An uploaded record names its players, is analysed by the bot, and its deals are checked in the browser."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import delete_person
from games.engine.evolve import fold
from games.engine.notation import import_match
from games.engine.transcript import Entry
from games.match import record
from games.models import Match
from games.moderation import acts
from games.records.imported_match import ImportedMatch
from games.records.players import RecordPlayer, parse_players, people_of_record
from games.review import analysis
from tests.games import tables
from tests.games.records.test_imported import as_json, events, reason, upload
from tests.games.reviewed import import_recording, recording_files
from tests.games.tables import person

NAMED = ({"name": "Žofie <b>"}, {"name": ""}, {"name": "Emil", "bot": "master"}, {"name": "Ben"})


def as_json_of(players: Any) -> str:
    return json.dumps(json.loads(as_json()) | {"format": 2, "players": players})


def test_upload_shows_its_names_and_is_offered_in_both_formats(client: Client) -> None:
    address = upload(client, as_json_of(NAMED)).url
    page = client.get(address).content.decode()
    for text in ("As Žofie &lt;b&gt; sees it", "As Deleted player sees it", "As Emil sees it", "Master"):
        assert text in page
    data = client.get(f"{address}record.json").json()
    assert (data["format"], data["players"]) == (2, list(NAMED))
    assert import_match(data) == events()
    text = client.get(f"{address}record.txt").content.decode()
    assert upload(client, text).url == address
    assert client.get(f"{address}record.exe").status_code == 404


NOBODY: Any = [
    [],
    "Ann",
    {},
    [{}] * 4,
    [None] * 4,
    [{"name": "a" * 31}] * 4,
    [{"name": "\u202e"}] * 4,
    [{"name": 1}] * 4,
]


@pytest.mark.parametrize("players", [*NOBODY, [{"name": "Ann", "bot": "genius"}] * 4, [{"name": "Ann"}] * 3])
def test_invalid_names_are_refused(players: Any, client: Client) -> None:
    assert reason(upload(client, as_json_of(players))) == "This record does not name one player for each seat."


def test_a_match_of_this_site_shows_the_names_that_it_has_here_today(client: Client) -> None:
    """A deleted name stays deleted, even for somebody who has the record."""
    match = import_recording(recording_files("rytmino")[0])
    data = client.get(f"/match/{match.slug}/record/").json()
    slug, sealed = data["match"], data["events"][0].get("commitment", "")
    assert "Person 0" in json.dumps(data["players"])
    Match.objects.filter(pk=match.pk).update(slug=slug, commitment=sealed)
    gone = match.seats.get(index=0).user
    assert gone
    delete_person(user=gone)
    page = client.get(upload(client, json.dumps(data)).url).content.decode()
    assert "As Deleted player sees it" in page
    assert "Person 0" not in page
    assert "As Person 1 sees it" in page


def test_a_record_of_a_delayed_match_does_not_show_early_who_was_removed() -> None:
    ann = person("Ann")
    match = tables.running_table([ann, person("Ben")], delay="120")
    start = record.start_event(match.pk)
    boss = User.objects.create_superuser("boss")
    acts.remove_from_seat(moderator=boss, seat=match.seats.get(user=ann), reason="Rude")
    assert [(player.name, player.bot) for player in people_of_record(start, ())] == [("Ann", ""), ("Ben", "")]


def test_the_bot_is_asked_about_a_choice_of_an_uploaded_record(client: Client) -> None:
    address = upload(client, as_json()).url
    match = ImportedMatch.from_entries(tuple(map(Entry, events())))
    step = next(step for step in match.match_steps.steps if _chooses(step.version))
    assert client.post(f"{address}opinion/", {"at": step.number}).status_code == 303
    name = address.split("/")[-2]
    while not (running := analysis.find_analysis(name, step)) or not running.is_complete:
        time.sleep(0.05)
    page = client.get(address, {"at": step.number}).content.decode()
    assert "All hands open" in page
    polled = client.get(f"{address}opinion/", {"at": step.number}, headers={"HX-Request": "true"}).content.decode()
    assert "All hands open" in polled
    assert Client().post(f"{address}opinion/", {"at": step.number}).status_code == 404
    for wrong in ("0", "x", "99999"):
        assert client.post(f"{address}opinion/", {"at": wrong}).status_code == 404


def _chooses(version: int) -> bool:
    return analysis.view_to_analyse(fold(events()[:version])) is not None


def test_deals_of_an_upload_are_verified_in_the_browser(client: Client) -> None:
    address = upload(client, as_json()).url
    assert "Every deal of this match follows from its secret" in " ".join(client.get(address).content.decode().split())
    page = client.get(f"{address}verify/").content.decode()
    assert f'data-record="{address}record.json"' in page
    assert Client().get(f"{address}verify/").status_code == 404


def test_a_record_names_players_with_the_joiners_of_their_script() -> None:
    assert parse_players([{"name": "علی\u200cرضا"}], 1) == (RecordPlayer("علی\u200cرضا"),)
