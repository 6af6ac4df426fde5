"""Whatever is asked or uploaded, the answer is a page that says what is wrong, soon, never a 500."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from html import unescape
from time import process_time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.engine.notation import export_match
from games.engine.playout import Playout
from games.engine.transcript import Entry, write
from games.engine.variants import rules_for
from games.records import validation
from games.records.import_errors import UnreadableRecord
from tests.games.reviewed import play_random_moves, stop_match

SECONDS = 3.0  # of CPU time for any refused input, ten times what it takes
NUMBERS = ["-1", "0", "99999", "1.5", "x", "", "٣", "²", "+1", "0x1", "NaN", "9" * 5000, "\ud800"]
EYES = ["", "9", "-1", "٣", "nobody", "OPEN", "x" * 5000, "<script>alert", "\u202e0"]
HOSTILE = ["<script>alert(1)</script>", "\u202eevil", "a\x00b", "\ud800", "\n! passed - {}", "x" * 5000]
NONSENSE = [*HOSTILE, float("nan"), float("inf"), None, [], {}, [[[]]], 10**40, -1, 1.5]
Record = dict[str, Any]


def assert_page(answer: Any, language: str = "en") -> None:
    """It is a page of the site in the reader's language, which repeats nothing of what was sent."""
    text = answer.content.decode()
    assert f'lang="{language}"' in text
    assert "<h1" in text
    assert "\u202e" not in text
    assert "<script>alert" not in text


# Addresses


@pytest.mark.parametrize("running", [True, False], ids=["running", "over"])
def test_unknown_step_or_perspective_has_an_error_page(running: bool, client: Client) -> None:
    match = play_random_moves("kozel", 6)
    match = match if running else stop_match(match)
    for page in ("review/", "review/opinion/"):
        for name, values in (("at", NUMBERS), ("as", EYES)):
            for value in values:
                sent = value.encode("utf-8", "surrogatepass")
                answer = client.get(f"/match/{match.slug}/{page}", {name: sent}, headers={"accept-language": "hu"})
                assert answer.status_code == 404, (page, name, value)
                assert_page(answer, "hu")


@pytest.mark.parametrize("page", ["", "review/", "review/opinion/", "record/", "record.txt", "verify/", "scores/"])
@pytest.mark.parametrize("slug", ["nosuchmatch", "x" * 3000, "..%2f..%2fetc", "٣"])
def test_an_unknown_match_has_a_page(slug: str, page: str, client: Client) -> None:
    answer = client.get(f"/match/{slug}/{page}", headers={"accept-language": "pl"})
    assert answer.status_code == 404
    assert_page(answer, "pl")


@pytest.mark.parametrize("page", ["", "matches.jsonl", "matches.txt", "matches.csv"])
@pytest.mark.parametrize("number", [0, 10**12, 10**30, "9" * 5000, "-1", "٣", "x"])
def test_an_unknown_person_has_a_page(number: object, page: str, client: Client) -> None:
    answer = client.get(f"/people/{number}/{page}")
    assert answer.status_code == 404
    assert_page(answer)


# Records


@cache
def playout() -> Playout:
    match = Playout(rules_for("kozel"), 2, {}, "brought")
    match.play_match(leave_after=9)
    return match


def record() -> Record:
    rows = ((seq, event, "") for seq, event in enumerate(playout().events, 1))
    exported: Record = json.loads(json.dumps(export_match(rows)))
    return exported


def kinds() -> Mapping[str, int]:
    """Return where the first event of each kind stands in the record."""
    rows = record()["events"]
    return {row["kind"]: place for place, row in reversed(list(enumerate(rows)))}


def refused(text: str) -> str:
    """Return why a record is refused, "" if it is not. What is taken can be kept, and what is said be read."""
    began = process_time()
    try:
        validation.validate_record(text).to_transcript().encode()
        reason = ""
    except UnreadableRecord as unreadable:
        reason = str(unreadable)
    assert process_time() - began < SECONDS
    assert reason.isprintable()
    assert len(reason) < 600
    return reason


@pytest.mark.parametrize("kind", kinds())
def test_invalid_fields_of_a_record_are_refused_or_ignored(kind: str) -> None:
    place = kinds()[kind]
    for name in (*record()["events"][place], "html"):
        for value in NONSENSE:
            changed = record()
            changed["events"][place][name] = value
            assert refused(json.dumps(changed)) or not value or name == "at", (name, value)


@pytest.mark.parametrize("name", ["format", "events"])
def test_nonsense_around_the_events_is_refused(name: str) -> None:
    for value in [*NONSENSE, 3, "1", [[]], [None], [{}]]:
        assert refused(json.dumps(record() | {name: value})), value


HEAD = 'dominoes match 1\nvariant: "kozel"\nseats: 2\noptions: [["fish", "all"]]\nrules_version: 1\n\n'
ENDED = {
    "round": 1, "reason": "out", "seat": 0, "rule": "", "points": [{"total": 0, "terms": []}] * 2, "lead": 0, "pot": 0,
    "before": [{"points": 0}] * 2, "standing": [{"points": 0}] * 2, "reset": ["", ""],
}  # fmt: skip


def hands_without_end() -> str:
    """Thousands of tiles that no set has, hundreds of placements, and turns that each look for what fits."""
    rules = rules_for("triominoes")
    options = [[option.name, option.default] for option in rules.options]
    start = {"variant": "triominoes", "seats": 2, "options": options, "rules_version": rules.rules_version}
    hands = [[f"0-0-{10 + number}" for number in range(4000)], ["0-0-1"] * 200]
    deal = {"round": 1, "attempt": 1, "hands": hands, "boneyard": [], "to_move": 1, "must_lead": [], "rule": ""}
    rows = [start | {"kind": "match_started"}, deal | {"kind": "round_dealt", "standing": [{"points": 0}] * 2}]
    for number in range(200):
        played = {"kind": "played", "seat": 1, "tile": "0-0-1", "place": f"U({3 * number},0)=7/8/{number % 10}"}
        rows.append(played | {"to_move": int(number < 199), "points": {"total": 0}})
    rows += [{"kind": "passed", "seat": 0, "to_move": 0}] * 20
    rows.append({"kind": "secret_revealed", "secret": "ab" * 32})
    return json.dumps({"format": 1, "events": [row | {"seq": seq} for seq, row in enumerate(rows, 1)]})


LARGE = {
    "hands without end": hands_without_end(),
    "nonces without end": f"{HEAD.strip()}\nnonces: {json.dumps([''] * 120_000)}\n\n"
    + f"deal ab\n! round_ended - {json.dumps(ENDED)}\n" * 400,
    "nonces without end before the first deal": f"{HEAD.strip()}\nnonces: {json.dumps([''] * 120_000)}\n\ndeal ab\n",
    "facts without end": HEAD + f"deal ab\n! round_ended - {json.dumps(ENDED)}\n" * 400,
    "a million spaces": HEAD + " " * 900_000 + "x",
    "a million lines": HEAD + "\n" * 900_000 + "x",
    "lines of one act": HEAD + "\n".join([" " * 190 + ";"] * 4900),
    "a million signs": HEAD + " +1" * 300_000,
    "a number without end": HEAD + "6-6 +" + "1" * 900_000,
    "a million headers": "dominoes match 1\n" + "a: 1\n" * 190_000,
    "one long header": "dominoes match 1\n" + "a" * 900_000,
    "a deep header": "dominoes match 1\na: " + "[" * 900_000,
    "a deep fact": HEAD + "! standing_set - " + "[" * 900_000,
    "a deep list that ends": '{"format":1,"events":' + "[" * 400_000 + "]" * 400_000 + "}",
    "the same name again and again": "{" + '"format":1,' * 80_000 + '"events":[]}',
    "more events than any match": '{"format":1,"events":[' + '{"kind":"passed"},' * 50_000 + "1]}",
    "numbers without end": '{"format":1,"events":[' + ",".join(["9" * 4000] * 240) + "]}",
    "a newer format": HEAD.replace("match 1", "match 2"),
    "newer rules": HEAD.replace("rules_version: 1", "rules_version: 2"),
    "two matches": HEAD + HEAD,
    "the same header twice": HEAD.replace("seats: 2", "seats: 2\nseats: 3"),
}


def test_large_and_odd_records_are_refused_fast() -> None:
    for text in LARGE.values():
        assert refused(text)


def test_more_nonces_than_seats_are_refused() -> None:
    """All are read for every eight tiles of every deal, so a few thousand would keep the site busy."""
    match = Playout(rules_for("kozel"), 2, {}, "brought")
    match.started = replace(match.started, nonces=("ab",) * 3)
    match.events = [match.started]
    match.play_match(leave_after=2)
    assert "player’s text" in refused(write([Entry(event) for event in match.events]))


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe" + HEAD.encode("utf-16-le"),
        HEAD.encode() + b"\xc3",
        gzip.compress(b"0" * 10_000_000),
        b"\x00" * 100,
        b"{}",
        b"\xef\xbb\xbf",
    ],
    ids=["UTF-16", "cut within a letter", "packed", "zeroes", "an empty object", "a mark of the order of bytes"],
)
def test_a_file_of_other_bytes_has_a_page_with_the_reason(content: bytes, client: Client) -> None:
    file = SimpleUploadedFile("<script>alert(1)</script>\u202e.json", content)
    answer = client.post("/review/import/", {"file": file}, headers={"accept-language": "cs"})
    assert answer.status_code == 400
    assert_page(answer, "cs")
    assert re.search(r'class="errorlist', unescape(answer.content.decode()))


@pytest.mark.parametrize("fields", [{"match": "\ud800"}, {"nonces": ["\ud800", ""]}], ids=["name", "nonce"])
def test_a_start_that_cannot_be_written_is_refused_even_where_nothing_was_dealt(fields: Record) -> None:
    start, end = record()["events"][0], record()["events"][-1]
    stopped = {"kind": "match_ended", "reason": "stopped", "seat": None, "rule": "", "places": []}
    for last in (end, stopped | {"losers": [], "rating": []}):
        assert refused(json.dumps(record() | {"events": [start | fields, last | {"seq": 2}]}))


@pytest.mark.parametrize("version", HOSTILE)
def test_a_reason_quotes_nothing_that_cannot_be_written(version: str, client: Client) -> None:
    changed = record()
    changed["events"][0]["rules_version"] = version
    file = SimpleUploadedFile("match.json", json.dumps(changed).encode())
    answer = client.post("/review/import/", {"file": file})
    assert answer.status_code == 400
    assert_page(answer)


@pytest.mark.parametrize("name", ["x", "0" * 16, "f" * 5000])
def test_unknown_upload_has_an_error_page(name: str, client: Client) -> None:
    client.post("/review/import/", {"text": write([Entry(event) for event in playout().events])})
    answer = client.get(f"/review/import/{name}/")
    assert answer.status_code == 404
    assert_page(answer)
