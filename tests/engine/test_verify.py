"""The two checkers of a record: the engine's, and the script that anybody can run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from games.engine.events import DealVoided, Event, KeyRevealed, MatchStarted, RoundDealt, SecretRevealed
from games.engine.notation import export_match, import_match
from games.engine.playout import playout
from games.engine.proof import verify
from games.engine.variants import rules_for
from tests.engine import verifiers

DOCS = Path(__file__).parents[2] / "docs"
KOZEL = rules_for("kozel")


@pytest.fixture(scope="module")
def record() -> list[Event]:
    """A match of two with a void deal, drawn tiles and several rounds."""
    for seed in range(1000):
        events = playout(KOZEL, 2, {}, str(seed))
        if any(isinstance(event, DealVoided) for event in events):
            return events
    raise AssertionError("No seed voids a deal.")


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


def script(data: object, *arguments: str) -> tuple[int, str]:
    """Run the script alone, away from the project; return its exit code and what it printed."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(DOCS / "verify_deal.py"), *arguments],
        input=data if isinstance(data, str) else json.dumps(data),
        capture_output=True,
        text=True,
        cwd="/",
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_an_honest_record_passes_both_checkers(record: list[Event], tmp_path: Path) -> None:
    assert verify(record) == []
    deals = sum(isinstance(event, DealVoided | RoundDealt) for event in record)
    said = f"FAIR: all {deals} deals follow from the secret committed to and the nonces of these seats: 0, 1.\n"
    assert script(exported(record)) == (0, said)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(exported(record)))
    assert script("", str(file))[0] == 0


def test_the_script_needs_nothing_of_ours() -> None:
    imports = re.findall(r"^(?:import|from) (\S+)", (DOCS / "verify_deal.py").read_text(), flags=re.MULTILINE)
    assert set(imports) <= sys.stdlib_module_names | {"collections.abc", "__future__"}


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


def test_every_fraud_is_found_by_both(record: list[Event]) -> None:
    for name, events in frauds(record).items():
        assert verify(events), name
        code, said = script(exported(events))
        assert code == 1, name
        assert said.splitlines()[-1].startswith("UNFAIR"), name


def test_a_hidden_void_deal_is_found(record: list[Event]) -> None:
    code, said = script(exported(without(record, DealVoided)))
    assert code == 1
    assert "attempt 1 is due" in said


def test_one_changed_tile_anywhere_in_a_deal_is_found(record: list[Event]) -> None:
    """Each of the 28 tiles, replaced by its neighbour in the set, by both checkers; the script names the place."""
    check = run_path(str(DOCS / "verify_deal.py"))["check"]
    deal = first_deal(record)
    seq = record.index(deal)
    for hand, place in [*product((0, 1), range(7)), *((None, place) for place in range(14))]:
        data = exported(record)
        row = data["events"][seq]
        tiles = row["boneyard"] if hand is None else row["hands"][hand]
        tiles[place] = data["tiles"][(data["tiles"].index(tiles[place]) + 1) % 28]
        assert any("instead of" in text for text in check(data).wrong)
        assert verify(import_match(data))


def test_one_changed_tile_in_the_moves_is_found(record: list[Event]) -> None:
    for kind, text in (("played", "was not in the hand"), ("drew", "was not the next to draw")):
        data = exported(record)
        row = next(event for event in data["events"] if event["kind"] == kind)
        row["tile"] = data["tiles"][(data["tiles"].index(row["tile"]) + 1) % 28]
        code, said = script(data)
        assert code == 1
        assert text in said


def test_a_changed_set_of_tiles_is_found(record: list[Event]) -> None:
    good = exported(record)
    tiles = good["tiles"]
    for bad in (tiles[:-1], [*tiles[:-1], "6-5"], [*tiles[1:], tiles[0]], [*tiles, "6-6"], []):
        code, said = script({**good, "tiles": bad})
        assert code == 1
        assert "not the whole set" in said


def test_a_missing_secret_is_told(record: list[Event]) -> None:
    events = without(record, SecretRevealed)
    assert verify(events) == ["The secret was not revealed."]
    code, said = script(exported(events))
    assert (code, said.splitlines()[-1].split(":")[0]) == (2, "UNCHECKED")
    assert "is missing" in said


def test_a_round_that_was_followed_by_another_must_have_its_key(record: list[Event]) -> None:
    events = without(record, KeyRevealed)
    assert verify(events)
    code, said = script(exported(events))
    assert (code, said.splitlines()[-1].split(":")[0]) == (1, "UNFAIR")


def test_a_missing_event_is_found(record: list[Event]) -> None:
    data = exported(record)
    del data["events"][5]
    assert script(data)[0] == 1


def test_every_round_is_due_in_its_turn(record: list[Event]) -> None:
    numbers = [event.round for event in record if isinstance(event, RoundDealt)]
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers))
    data = exported(record)
    rows = [row for row in data["events"] if row.get("round") != 2]
    for seq, row in enumerate(rows, 1):
        row["seq"] = seq
    code, said = script({**data, "events": rows})
    assert code == 1
    assert "round 2, attempt 1 is due" in said


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"format": 2}', '{"format": 1}', '{"format": 1, "events": [], "tiles": []}',
     '{"format": 1, "events": [{}], "tiles": []}', '{"format": 1, "events": [{"kind": "passed"}], "tiles": []}',
     '{"format": 1, "events": {"0": 1}, "tiles": 7}', "[" * 100_000,
     '{"format": NaN}', '{"format": 1, "events": [' + "9" * 5_000 + "]}", " " * 10_000_001,
     '{"format": 1, "events": ' + "[" * 900 + "]" * 900 + "}", '{"format": 1, "events": [' + "{}," * 20_001 + "{}]}",
     '{"format": 1, "events": [{"kind": "\\ud800"}]}'],
    ids=range(18),
)  # fmt: skip
def test_what_is_no_match_is_unchecked(text: str) -> None:
    code, said = script(text)
    assert code == 2
    assert said.startswith("UNCHECKED: ")


def test_a_file_that_is_not_there_is_unchecked() -> None:
    assert script("", "/nowhere/match.json")[0] == 2


def test_a_record_without_a_start_cannot_be_checked(record: list[Event]) -> None:
    assert verify([]) == verify(record[1:]) == ["A match begins with MatchStarted."]


def test_a_record_with_absences_passes_all_checkers() -> None:
    events = playout(KOZEL, 4, {}, "absent", leave_after=400, absences=True)
    kinds = {type(event).__name__ for event in events}
    assert {"SeatHeld", "SeatReturned", "SeatForfeited"} <= kinds
    assert verify(events) == []
    assert script(exported(events))[0] == 0
    assert verifiers.browser([exported(events)]) == ["fair"]
    swapped = [*events[:2], events[-1], *events[2:]]
    assert verifiers.program(exported(swapped)) == "unfair"
    assert verifiers.browser([exported(swapped)]) == ["unfair"]
