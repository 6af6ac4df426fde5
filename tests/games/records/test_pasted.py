"""Records that mail programs, editors and archives have changed, and the reasons why others are refused."""

from __future__ import annotations

import codecs
import gzip
import json
import textwrap
from functools import cache

import pytest

from games.engine.variants import registry
from games.records import validation
from games.records.decoding import MAX_RECORD_BYTES, decode_file
from games.records.import_errors import UnreadableRecord
from tests.engine import corpus
from tests.games.records.test_imported import as_json

VARIANTS = sorted(registry())


def checked(text: str) -> str:
    return validation.validate_record(text).to_transcript()


@cache
def transcript(variant: str = "kozel") -> str:
    return checked(as_json(variant))


def wrapped(text: str, width: int) -> str:
    def lines(line: str) -> list[str]:
        return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]

    return "\n".join(part for line in text.split("\n") for part in lines(line))


@pytest.mark.parametrize(("variant", "width"), [*zip(VARIANTS, [40, 65, 72, 76, 78], strict=True)])
def test_lines_wrapped_by_a_mail_program_are_joined(variant: str, width: int) -> None:
    text = transcript(variant)
    assert wrapped(text, width) != text
    assert checked(wrapped(text, width)) == text


def test_wrapped_lines_with_times_are_joined() -> None:
    for text in [text for _name, text in corpus.load()[:8]]:
        assert checked(wrapped(text, 76)) == text


def test_wrapped_lines_with_comments_are_joined() -> None:
    head, start, acts = transcript().partition("\ndeal ")
    commented = head + start + acts.replace("; ", " {-31.2 6-2 left}; ")
    assert checked(wrapped(commented, 30)) == transcript()


@pytest.mark.parametrize(
    "changed",
    [
        transcript().replace(" ", "\u00a0"),
        transcript().replace("\n", "\r\n"),
        transcript().replace("\n", "\n> "),
        "\ufeff\n\n  " + transcript().replace("; ", ";\u200b "),
    ],
    ids=["no-break spaces", "lines of Windows", "quoted", "invisible characters"],
)
def test_changes_by_pages_and_mails_are_undone(changed: str) -> None:
    assert checked(changed) == transcript()


def test_json_wrapped_within_a_name_is_read() -> None:
    data = json.loads(as_json())
    data["players"] = [{"name": f"Anna Long {seat}"} for seat in range(data["events"][0]["seats"])]
    text = json.dumps(data)
    assert checked(text.replace("Anna Long", "Anna\nLong")) == checked(text)


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_mark_is_honoured(mark: str) -> None:
    assert decode_file(transcript().encode(mark)) == transcript()


def test_utf_16_of_either_order_is_read() -> None:
    assert decode_file(codecs.BOM_UTF16_BE + "é".encode("utf-16-be")) == "é"


def test_a_file_compressed_by_gzip_is_unpacked() -> None:
    assert decode_file(gzip.compress(transcript().encode(), mtime=0)) == transcript()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (gzip.compress(bytes(MAX_RECORD_BYTES + 1), mtime=0), "This is too large: a record can have at most 1000 kB."),
        (gzip.compress(b"x" * 99, mtime=0)[:20] + b"y" * 20, "This compressed file is damaged."),
        (b"PK\x03\x04abc", "This file is compressed. Unpack it and choose the record in it."),
        ("dominoes match 2 é".encode("latin-1"), "This text is not in UTF-8. Save it as UTF-8 and try again."),
        (b"\x89PNG\0\0", "This is not a text file, so it cannot be a record of a match."),
        (codecs.BOM_UTF16_LE + b"\0", "This is not a text file, so it cannot be a record of a match."),
    ],
)
def test_binary_file_is_reported(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableRecord) as refused:
        decode_file(content)
    assert str(refused.value) == reason


def test_refusal_has_no_python_terms() -> None:
    for text, reason in [
        (f"{as_json()}\n{as_json()}\n", "This file has 2 matches: choose one."),
        (f"{transcript()}\n{transcript()}\n", "This file has 2 matches: choose one."),
        (f"{as_json()} Greetings, Ann", "There is more text after the end of the record."),
        ('{"a":' * 200_000, "This is not a record of a match."),
        ('{"a": ' + "9" * 5000 + "}", "This is not a record of a match."),
        ('{"format": 1, "events": [1]}', "This is not a record of a match."),
        ('dominoes match 2\nvariant: {"a": 1', "This is not a record of a match: line 2 cannot be read."),
    ]:
        with pytest.raises(UnreadableRecord) as refused:
            checked(text)
        assert str(refused.value) == reason


def test_truncated_file_is_reported_as_truncated() -> None:
    # Half of a line: the text ends where something more is expected.
    with pytest.raises(UnreadableRecord, match=r"cut off at line 1, character \d+\.$"):
        validation.validate_record(as_json()[:5000])


def test_changed_event_is_named_without_quoting_it() -> None:
    data = json.loads(as_json())
    dealt = next(row for row in data["events"] if row["kind"] == "round_dealt")
    dealt["hands"][0][0], dealt["hands"][1][0] = dealt["hands"][1][0], dealt["hands"][0][0]
    with pytest.raises(UnreadableRecord, match=rf"changed: event {dealt['seq']} is not"):
        validation.validate_record(json.dumps(data))
