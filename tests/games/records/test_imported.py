"""A record that somebody uploads is shown like a match of the site, or refused with a reason, never a 500."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from functools import cache as once
from html import unescape
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.engine.events import Event, KeyRevealed, RoundDealt
from games.engine.evolve import fold
from games.engine.notation import export_match
from games.engine.playout import playout
from games.engine.state import State
from games.engine.transcript import Entry, read, write
from games.engine.variants import registry, rules_for
from games.engine.view import View, view_for
from games.records import parsing, uploads, validation
from games.records.import_errors import UnreadableRecord
from games.records.imported_match import ImportedMatch
from infrastructure.limit_settings import parse_place_limits, parse_rate_limits
from infrastructure.limits import limits
from tests.engine import corpus
from tests.engine.crooked_matches import deal_schemes
from tests.engine.honest_matches import export_events, honest_match

ADDRESS = "/review/import/"


@once
def events(variant: str = "kozel", leave_after: int = 30) -> tuple[Event, ...]:
    rules = rules_for(variant)
    return tuple(playout(rules, rules.seat_counts[-1], {}, "brought", leave_after=leave_after))


def as_json(variant: str = "kozel", at: str = "") -> str:
    rows = ((seq, event, at % seq if at else "") for seq, event in enumerate(events(variant), 1))
    return json.dumps(export_match(rows))


def upload(client: Client, text: str) -> Any:
    return client.post(ADDRESS, {"text": text})


def view_of(state: State) -> View:
    return view_for(rules_for(state.setup.variant), state, None, open_hands=True)


def reason(answer: Any) -> str:
    """Return why a record was refused."""
    assert answer.status_code == 400
    errors = re.search(r'<ul class="errorlist.*?>(.*?)</ul>', answer.content.decode(), re.DOTALL)
    assert errors
    return unescape(re.sub(r"<[^>]+>", "", errors[1])).strip()


@pytest.mark.parametrize("variant", sorted(registry()))
def test_both_formats_of_every_game_are_shown_to_the_last_step(variant: str, client: Client) -> None:
    untimed = write(tuple(map(Entry, events(variant))))
    for text in (as_json(variant), untimed):
        answer = upload(client, text)
        assert answer.status_code == 303
        first = client.get(answer.url)
        assert first.status_code == 200
        last = re.search(rb'name="at"[^>]* max="(\d+)"', first.content)[1].decode()
        for perspective in ("open", "public", "0"):
            response = client.get(answer.url, {"at": last, "as": perspective})
            assert response.status_code == 200
            assert b'id="board"' in response.content


def test_a_file_is_read_like_a_text(client: Client) -> None:
    file = SimpleUploadedFile("match.json", as_json().encode())
    assert client.post(ADDRESS, {"file": file}).status_code == 303


def test_one_match_of_a_file_with_several_can_be_chosen(client: Client) -> None:
    transcripts = [validation.validate_record(as_json(variant)).to_transcript() for variant in ("kozel", "rytmino")]
    seats = rules_for("rytmino").seat_counts[-1]
    players = [{"name": "Ann <b>"}, *({"name": "Ben"} for _ in range(seats - 1))]
    named = json.dumps(json.loads(as_json("rytmino")) | {"format": 2, "players": players})
    for content, label in (
        ("\n".join(transcripts), "2: Rytmino"),
        (f"{as_json()}\n{named}\n", ", ".join(["2: Rytmino, Ann <b>", *["Ben"] * (seats - 1)])),
    ):
        refused = client.post(ADDRESS, {"file": SimpleUploadedFile("matches.txt", content.encode())})
        assert reason(refused) == "This file has 2 matches: choose one."
        page = refused.content.decode()
        assert unescape(page).count(f'<option value="2">{label}</option>') == 1
        form = refused.context["form"]
        accepted: Any = client.post(ADDRESS, {"text": form["text"].value(), "number": "2"})
        assert accepted.status_code == 303
        assert "Rytmino" in client.get(accepted.url).content.decode()
        for number in ("", "3"):
            assert "choose one" in reason(client.post(ADDRESS, {"text": content, "number": number}))


def test_a_file_with_many_matches_may_have_more_events_than_a_match(client: Client) -> None:
    transcript = validation.validate_record(as_json()).to_transcript()
    answer = upload(client, "\n".join([transcript] * 40))
    assert reason(answer) == "This file has 40 matches: choose one."


def test_several_matches_that_cannot_be_read_are_listed_by_number(client: Client) -> None:
    page = upload(client, '{"a": 1}\n{"events": [{"variant": ["kozel"]}], "players": 7}').content.decode()
    assert [f'<option value="{number}">{number}</option>' in page for number in (1, 2)] == [True, True]


def test_a_record_is_shown_only_to_the_visitor_who_uploaded_it(client: Client) -> None:
    address = upload(client, as_json()).url
    assert client.get(address).status_code == 200
    other = Client()
    upload(other, as_json("rytmino"))
    assert other.get(address).status_code == 404
    assert Client().get(address).status_code == 404


def test_upload_survives_becoming_a_guest_and_logging_in(client: Client) -> None:
    address = upload(client, as_json()).url
    assert client.post("/accounts/guest/", {"name": "Rosa", "colour": "teal"}).status_code == 302
    assert client.get(address).status_code == 200
    User.objects.create_user("rosa", password="three-spotted-tiles", name="Rosa")
    other = Client()
    address = upload(other, as_json()).url
    answer = other.post("/accounts/login/", {"login": "rosa", "password": "three-spotted-tiles"})
    assert answer.status_code == 302
    assert other.get(address).status_code == 200


def test_uploads_are_rate_limited(client: Client, settings: Settings) -> None:
    settings.RATES = settings.RATES | {"imports": parse_rate_limits("2+1/m address")}
    address = upload(client, as_json()).url
    uploads._parsed_uploads().values.clear()
    assert [client.get(address).status_code for _ in range(3)] == [200] * 3  # read again once, then remembered
    answer = upload(client, as_json("rytmino"))
    assert answer.status_code == 429
    assert 45 <= int(answer["Retry-After"]) <= 60
    assert upload(Client(REMOTE_ADDR="192.0.2.2"), as_json()).status_code == 303


def test_one_visitor_leaves_places_to_others(client: Client, settings: Settings) -> None:
    settings.PLACES = settings.PLACES | {"imports": parse_place_limits("1 address")}
    with limits.hold_place("imports", address="127.0.0.1"):
        assert upload(client, as_json()).status_code == 429
        assert upload(Client(REMOTE_ADDR="192.0.2.2"), as_json()).status_code == 303
    assert upload(client, as_json()).status_code == 303


def test_a_visitor_is_remembered_as_long_as_the_record(client: Client) -> None:
    upload(client, as_json())
    assert client.session.get_expiry_age() <= uploads.UPLOAD_LIFETIME.total_seconds()


def test_last_step_folds_only_the_last_round(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = tuple(map(Entry, events("all_fives", leave_after=300)))
    match = ImportedMatch.from_entries(entries)
    last = match.match_steps.step(match.match_steps.last_number)
    whole = fold(entry.event for entry in entries)
    folded = []
    monkeypatch.setattr("games.records.imported_match.fold", lambda some: fold(folded.extend(some) or folded))
    assert view_of(match.position_after(last)) == view_of(whole)
    assert len([event for event in folded if isinstance(event, RoundDealt)]) == 1
    assert last.round > 2
    assert len(folded) < len(entries) / 2


def test_a_record_can_be_reviewed_for_a_day(client: Client) -> None:
    address = upload(client, as_json()).url
    day = uploads.UPLOAD_LIFETIME
    with time_machine.travel(datetime.now(UTC) + day - timedelta(minutes=1)):
        uploads._parsed_uploads().values.clear()
        cache.clear()
        assert client.get(address).status_code == 200
    with time_machine.travel(datetime.now(UTC) + day):
        assert client.get(address).status_code == 404


def test_an_upload_is_parsed_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for module in (parsing, uploads, validation):
        monkeypatch.setattr(module, "read", lambda text: texts.append(text) or read(text))
    transcript = write(tuple(map(Entry, events())))
    for text in (transcript, as_json()):
        assert client.get(upload(client, text).url).status_code == 200
    assert len(texts) == 2


def test_unknown_step_has_an_error_page(client: Client) -> None:
    for query in ["?at=0", "?at=99999", "?at=x", "?at=-1", "?as=9", "?as=nobody", "?at=٣"]:
        assert client.get(upload(client, as_json()).url + query).status_code == 404


def changed(**fields: Any) -> str:
    """Return the record with other fields in its start."""
    data = json.loads(as_json())
    data["events"][0].update(fields)
    return json.dumps(data)


def altered(kind: str, /, **fields: Any) -> str:
    """Return the record with other fields in the first event of a kind."""
    data = json.loads(as_json())
    next(row for row in data["events"] if row["kind"] == kind).update(fields)
    return json.dumps(data)


def without(*kinds: str) -> str:
    """Return the record without some facts, numbered again."""
    data = json.loads(as_json())
    rows = [row for row in data["events"] if row["kind"] not in kinds]
    data["events"] = [row | {"seq": seq} for seq, row in enumerate(rows, 1)]
    return json.dumps(data)


HEAD = 'dominoes match 1\nvariant: "kozel"\nseats: 2\noptions: [["fish", "all"]]\nrules_version: 1\n\n'
BAD = {
    "nothing": "",
    "no record": "Hello",
    "a foreign game": "[Event 'Chess']\n1. e4 e5",
    "other JSON": '{"a": 1}',
    "broken JSON": as_json()[:-30],
    "deep JSON": '{"format":' + "[" * 200_000,
    "no list": '{"format": 1, "events": 5}',
    "a list of texts": '{"format": 1, "events": ["x"]}',
    "no numbers": '{"format": 1, "events": [{"kind": "secret_revealed", "secret": "00"}]}',
    "no start": '{"format": 1, "events": []}',
    "other variant": changed(variant="chess"),
    "a list as variant": changed(variant=["kozel"]),
    "a billion seats": changed(seats=10**9),
    "half a seat": changed(seats=2.5),
    "old rules": changed(rules_version=0),
    "a billion seats under old rules": changed(rules_version=0, seats=10**9),
    "a version that is none": changed(rules_version="<b>"),
    "an object as name": changed(match={"a": 1}),
    "a long name": changed(match="x" * 500),
    "markup as commitment": changed(commitment="<script>alert(1)</script>"),
    "numbers as nonces": changed(nonces=[1, 2, 3, 4]),
    "an unknown option": changed(options=[["fish", "<script>"]]),
    "options that are none": changed(options=7),
    "a tile of another set": altered("played", tile="9-9"),
    "no tile": altered("played", tile="six-four"),
    "a tile that is a number": altered("played", tile=64),
    "another seat": altered("played", seat=77),
    "another next seat": altered("played", to_move="<script>"),
    "other points": altered("played", points={"total": 10**30}),
    "points that are none": altered("played", points={"total": [], "terms": [{"rule": "<b>"}]}),
    "another deal": altered("round_dealt", rule="kozel.other"),
    "markup as key": altered("key_revealed", key="<script>alert(1)</script>"),
    "another key": altered("key_revealed", key="0" * 64),
    "a list as round": altered("key_revealed", round=[1]),
    "markup as secret": altered("secret_revealed", secret="<script>"),
    "an unknown reason": altered("match_ended", reason="<script>"),
    "an unknown field": altered("played", html="<script>"),
    "an unknown kind": altered("played", kind="exploded"),
    "a time that is none": altered("played", at="yesterday"),
    "no keys": without("key_revealed", "secret_revealed"),
    "no deal": HEAD,
    "only facts": HEAD + '! standing_set - {"standing":[{"points":"<b>"}],"pot":0}\n',
    "a huge number": HEAD + '! standing_set - {"standing":[{"points":' + "9" * 10_000 + '}],"pot":0}\n',
    "far too many acts": HEAD + "key 00; " * 100_000,
    "a time of the far future": HEAD.replace("\n\n", "\nat: 99999999999999999\n\n"),
    "a null byte": "dominoes match 1\n\0",
    "larger than any match": "x" * 1_000_001,
}


def test_invalid_record_is_refused_with_the_reason(client: Client) -> None:
    for text in BAD.values():
        text_of_reason = reason(upload(client, text))
        assert len(text_of_reason) > 20
        assert len(text_of_reason) < 600


def is_taken(text: str) -> bool:
    try:
        return bool(validation.validate_record(text))
    except UnreadableRecord:
        return False


def test_dishonest_record_is_refused() -> None:
    assert [name for name, data in deal_schemes().items() if is_taken(json.dumps(data))] == []


def test_running_match_is_shown_but_a_finished_one_needs_its_secret() -> None:
    whole = honest_match("3")
    keys = [place for place, event in enumerate(whole, 1) if isinstance(event, KeyRevealed)]
    assert validation.validate_record(json.dumps(export_events(whole[: keys[0]])))
    with pytest.raises(UnreadableRecord, match="its secret is not in the record"):
        validation.validate_record(json.dumps(export_events(whole[:-1])))


def test_reasons_are_in_plain_words(client: Client) -> None:
    reasons = [reason(upload(client, text)) for text in BAD.values()]
    for technical in ("Expecting", "char ", "column", "kozel.", "refused today", "Traceback", "NoneType"):
        assert [text for text in reasons if technical in text] == []


def test_reasons_name_the_event_and_the_line(client: Client) -> None:
    assert "event 3 is not" in reason(upload(client, altered("played", points={"total": 7})))
    assert "line 7 cannot be read" in reason(upload(client, HEAD + "6-4"))
    assert "1000 kB" in reason(upload(client, "x" * 1_000_001))


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x" * 1_000_001, b""])
def test_missing_file_is_refused(content: bytes, client: Client) -> None:
    assert client.post(ADDRESS, {"file": SimpleUploadedFile("x.json", content)}).status_code == 400


def test_oversized_form_is_refused(client: Client) -> None:
    assert upload(client, "x" * 3_000_000).status_code == 400


def test_stored_upload_has_only_replayed_events() -> None:
    """What happened at one stroke has one time on the site; where it has several, the match is kept without times."""
    match = validation.validate_record(as_json(at="2026-03-01T18:00:00.%03d+00:00"))
    assert match == validation.validate_record(as_json())
    assert validation.validate_record(match.to_transcript()) == match


def test_own_transcript_is_stored_with_its_times() -> None:
    text = corpus.load()[0][1]
    assert validation.validate_record(text).to_transcript() == text
    assert ImportedMatch.from_entries(read(text)).match_steps.step(1).at is not None


def test_records_are_read_one_at_a_time_with_a_timeout(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = upload(client, as_json()).url
    monkeypatch.setattr(validation, "LOCK_TIMEOUT_SECONDS", 0.01)
    uploads._parsed_uploads().values.clear()
    with validation._validation_lock:
        for answer in (upload(client, as_json()), client.get(address)):
            assert (answer.status_code, answer["Retry-After"]) == (429, "1")
    assert client.get(address).status_code == 200
    with pytest.raises(UnreadableRecord, match="not a record"):
        validation.validate_record("")
