"""The two checkers of a record: the engine's, and the program that anybody can run."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.events import DealVoided, Event, KeyRevealed, MatchStarted, RoundDealt, SecretRevealed
from games.engine.notation import export_match, import_match
from games.engine.playout import playout
from games.engine.proof import verify
from games.engine.variants import rules_for
from tests.engine.verifiers import run_program, run_script, verdicts

KOZEL = rules_for("kozel")


@pytest.fixture(scope="module")
def record() -> list[Event]:
    """A match of two with a void deal, drawn tiles and several rounds."""
    for seed in range(1000):
        events = playout(KOZEL, 2, {}, str(seed))
        if any(isinstance(event, DealVoided) for event in events):
            return events
    raise AssertionError("No seed voids a deal.")


@pytest.fixture
def download(client: Client, tmp_path: Path) -> Path:
    """The program as a visitor downloads and unpacks it."""
    archive = tmp_path / "verify_deal.zip"
    archive.write_bytes(client.get(reverse("fair-dealing-file", args=[archive.name])).content)
    with ZipFile(archive) as opened:
        opened.extractall(tmp_path)
    return tmp_path / "verify_deal"


def changed(record: list[Event], kind: type, **fields: Any) -> list[Event]:
    """Return the record with fields of its first event of a kind changed."""
    place = next(place for place, event in enumerate(record) if isinstance(event, kind))
    return [*record[:place], replace(record[place], **fields), *record[place + 1 :]]


def without(record: list[Event], kind: type) -> list[Event]:
    place = next(place for place, event in enumerate(record) if isinstance(event, kind))
    return [*record[:place], *record[place + 1 :]]


def exported(events: list[Event]) -> dict[str, Any]:
    data = export_match((seq, event, "") for seq, event in enumerate(events, 1))
    return dict(json.loads(json.dumps(data)))


def findings_of(*records: Any) -> list[list[list[Any]]]:
    return [answer["findings"] for answer in run_script("verdicts.mjs", records)]


def test_an_honest_record_passes_both_checkers(record: list[Event], download: Path) -> None:
    assert verify(record) == []
    deals = sum(isinstance(event, DealVoided | RoundDealt) for event in record)
    expected = (
        f"FAIR: All deals follow from the site’s secret and the players’ texts. Deals checked: {deals}. "
        "The texts of these seats are in the deals: 1, 2.\n"
    )
    program = download / "verify_deal.mjs"
    assert run_program(exported(record), program=program) == (0, expected)
    file = download / "match.json"
    file.write_text(json.dumps(exported(record)))
    assert run_program(b"", str(file), program=program) == (0, expected)


def test_program_needs_only_its_files_and_node(download: Path) -> None:
    modules = [*download.glob("*.js"), *download.glob("*.mjs")]
    imports = {name for path in modules for name in re.findall(r'^import .* from "(.+)";', path.read_text(), re.M)}
    assert imports == {"node:fs", *(f"./{path.name}" for path in modules if path.suffix == ".js")}


def test_a_hidden_void_deal_is_found_and_named_in_the_sentence_of_the_page(
    record: list[Event], download: Path
) -> None:
    voided = next(event for event in record if isinstance(event, DealVoided))
    code, output = run_program(exported(without(record, DealVoided)), program=download / "verify_deal.mjs")
    assert code == 1
    assert f"A different deal was expected here: round {voided.round}, attempt {voided.attempt}." in output
    assert output.splitlines()[-1].startswith("UNFAIR: This record does not match. Failed checks: ")


def swap(tiles: tuple[Any, ...], one: int, other: int) -> tuple[Any, ...]:
    row = list(tiles)
    row[one], row[other] = row[other], row[one]
    return tuple(row)


def first_deal(record: list[Event]) -> RoundDealt:
    return next(event for event in record if isinstance(event, RoundDealt))


def frauds(record: list[Event]) -> dict[str, list[Event]]:
    """Return the record changed in every way a cheat would need."""
    deal, started = first_deal(record), record[0]
    assert isinstance(started, MatchStarted)
    hand, other = deal.hands
    return {
        "two tiles of a hand in another order": changed(record, RoundDealt, hands=(swap(hand, 0, 6), other)),
        "tiles of two hands exchanged": changed(
            record, RoundDealt, hands=((other[0], *hand[1:]), (hand[0], *other[1:]))
        ),
        "the boneyard in another order": changed(record, RoundDealt, boneyard=swap(deal.boneyard, 0, 13)),
        "a void deal touched": changed(record, DealVoided, boneyard=(), hands=()),
        "another nonce": changed(record, MatchStarted, nonces=("x", *started.nonces[1:])),
        "a nonce more": changed(record, MatchStarted, nonces=(*started.nonces, "")),
        "another commitment of the match": changed(record, MatchStarted, commitment="00" * 32),
        "another commitment of the round": changed(record, RoundDealt, commitment="00" * 32),
        "another name of the match": changed(record, MatchStarted, match="x"),
        "another secret": changed(record, SecretRevealed, secret="00" * 32),
        "another key": changed(record, KeyRevealed, key="00" * 32),
        "another attempt": changed(record, RoundDealt, attempt=7),
    }


def test_both_checkers_find_every_fraud(record: list[Event]) -> None:
    changed_records = frauds(record)
    for name, events in changed_records.items():
        assert verify(events), name
    assert verdicts(map(exported, changed_records.values())) == ["unfair"] * len(changed_records)


def test_one_changed_tile_anywhere_in_a_deal_is_found(record: list[Event]) -> None:
    """Each of the 28 tiles, replaced by its neighbour in the set, by both checkers; the program names the place."""
    deal = first_deal(record)
    seq = record.index(deal)
    forged = []
    for hand, place in [*product((0, 1), range(7)), *((None, place) for place in range(14))]:
        data = exported(record)
        row = data["events"][seq]
        tiles = row["boneyard"] if hand is None else row["hands"][hand]
        tiles[place] = data["tiles"][(data["tiles"].index(tiles[place]) + 1) % 28]
        assert verify(import_match(data))
        forged.append(data)
    for place, findings in enumerate(findings_of(*forged), 1):
        assert ["tile", place] in [finding[:2] for finding in findings]


def test_one_changed_tile_in_the_moves_is_found(record: list[Event]) -> None:
    for kind, finding in (("played", "played"), ("drew", "drawn")):
        data = exported(record)
        row = next(event for event in data["events"] if event["kind"] == kind)
        row["tile"] = data["tiles"][(data["tiles"].index(row["tile"]) + 1) % 28]
        assert [finding, row["seq"], row["tile"]] in findings_of(data)[0]
        assert verdicts([data]) == ["unfair"]


def test_a_changed_set_of_tiles_is_found(record: list[Event]) -> None:
    good = exported(record)
    tiles = good["tiles"]
    bad = [tiles[:-1], [*tiles[:-1], "6-5"], [*tiles[1:], tiles[0]], [*tiles, "6-6"], []]
    forged = [{**good, "tiles": tile_set} for tile_set in bad]
    assert verdicts(forged) == ["unfair"] * len(bad)
    assert all(["set"] in findings for findings in findings_of(*forged))


def test_missing_secret_is_reported(record: list[Event]) -> None:
    events = without(record, SecretRevealed)
    assert verify(events) == ["The secret was not revealed."]
    code, output = run_program(exported(events))
    assert (code, output.splitlines()[-1].split(":")[0]) == (2, "UNCHECKED")
    assert "secret_missing" in output


def test_finished_round_needs_its_key(record: list[Event]) -> None:
    events = without(record, KeyRevealed)
    assert verify(events)
    assert verdicts([exported(events)]) == ["unfair"]


def test_a_missing_event_is_found(record: list[Event]) -> None:
    data = exported(record)
    del data["events"][5]
    assert verdicts([data]) == ["unfair"]


def test_rounds_must_be_in_order(record: list[Event]) -> None:
    numbers = [event.round for event in record if isinstance(event, RoundDealt)]
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers))
    data = exported(record)
    rows = [row for row in data["events"] if row.get("round") != 2]
    for seq, row in enumerate(rows, 1):
        row["seq"] = seq
    data["events"] = rows
    assert verdicts([data]) == ["unfair"]
    assert ["due", 2, 1] in findings_of(data)[0]


def test_invalid_match_is_unchecked() -> None:
    for text in [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"format": 2}',
        '{"format": 1}',
        '{"format": 1, "events": [], "tiles": []}',
        '{"format": 1, "events": [{}], "tiles": []}',
        '{"format": 1, "events": [{"kind": "passed"}], "tiles": []}',
        '{"format": 1, "events": {"0": 1}, "tiles": 7}',
        "[" * 100_000,
        '{"format": NaN}',
        '{"format": 1, "events": [' + "9" * 5_000 + "]}",
        " " * 10_000_001,
        '{"format": 1, "events": ' + "[" * 900 + "]" * 900 + "}",
        '{"format": 1, "events": [' + "{}," * 20_001 + "{}]}",
        '{"format": 1, "events": [{"kind": "\\ud800"}]}',
        '{"format": "\x1b[31m',
        "\udcff\udcfe",  # bytes that are no UTF-8
    ]:
        code, output = run_program(text.encode(errors="surrogateescape"))
        assert code == 2
        assert output.startswith("UNCHECKED: ")
        assert "\x1b" not in output


def test_missing_file_is_unchecked() -> None:
    assert run_program(b"", "/nowhere/match.json")[0] == 2


def test_a_record_without_a_start_cannot_be_checked(record: list[Event]) -> None:
    assert verify([]) == verify(record[1:]) == ["A match begins with MatchStarted."]


def test_a_record_with_absences_passes_both_checkers() -> None:
    events = playout(KOZEL, 4, {}, "absent", leave_after=400, absences=True)
    kinds = {type(event).__name__ for event in events}
    assert {"SeatHeld", "SeatReturned", "SeatForfeited"} <= kinds
    assert verify(events) == []
    swapped = [*events[:2], events[-1], *events[2:]]
    assert verdicts([exported(events), exported(swapped)]) == ["fair", "unfair"]
