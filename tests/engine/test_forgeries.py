"""The verifier and the engine refuse records that a dishonest site could publish, and accept honest ones."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from typing import Any

import pytest

from games.engine.events import Event, KeyRevealed, MatchEnded
from games.engine.notation import BadRecord, import_match, read_json
from games.engine.proof import verify
from games.engine.variants import rules_for
from games.tournaments.core.duplicate import entropy
from tests.engine.crooked_matches import deal_schemes
from tests.engine.honest_matches import Data, HonestBoard, export_events, honest_board, honest_match
from tests.engine.mutations import mutate
from tests.engine.verifiers import run_program, run_script, verdicts

MATCHES = 20
SCHEMES = 75  # ways in which a site could cheat


@cache
def matches() -> list[list[Event]]:
    return [honest_match(str(number)) for number in range(MATCHES)]


def refused_by_the_engine(data: Data) -> bool:
    try:
        return bool(verify(import_match(data)))
    except BadRecord:
        return True


def test_honest_matches_of_every_kind_are_fair() -> None:
    records = list(map(export_events, matches()))
    assert set(verdicts(records)) == {"fair"}
    assert [verify(events) for events in matches()] == [[]] * MATCHES


def test_honest_boards_are_fair() -> None:
    boards = [honest_board(str(number)) for number in range(MATCHES)]
    assert set(verdicts(map(export_events, boards))) == {"fair"}
    assert [verify(events) for events in boards] == [[]] * MATCHES


def test_board_is_unchecked_until_the_secret_of_its_set_is_revealed() -> None:
    events = honest_board("0")
    while not isinstance(events[-1], MatchEnded):
        events.pop()
    board = honest_board("0")[: len(events) + 2]
    opened = [export_events(board[: len(events) + count]) for count in range(3)]
    assert verdicts(opened) == ["unchecked", "unchecked", "fair"]
    assert [bool(verify(import_match(data))) for data in opened] == [True, True, False]


def test_board_of_a_set_without_nonces_proves_less() -> None:
    table = HonestBoard(rules_for("rytmino"), 4, "alone")
    table.start_with(entropy=entropy([]))
    assert verdicts([export_events(table.play_match())]) == ["limited"]


def test_every_cheating_scheme_is_detected() -> None:
    records = deal_schemes()
    assert len(records) >= SCHEMES
    for (name, data), answer in zip(records.items(), verdicts(records.values()), strict=True):
        assert answer == "unfair", name
        assert refused_by_the_engine(data), name


def test_changed_records_are_refused() -> None:
    changed = [mutate(events, str(seed)) for seed, events in enumerate(matches())]
    for (name, data), answer in zip(changed, verdicts(data for _name, data in changed), strict=True):
        assert answer in ("unfair", "unchecked"), name
        assert refused_by_the_engine(data), name


def test_a_record_that_stops_anywhere_is_never_fair() -> None:
    events = matches()[0]
    records = [export_events(events[:count]) for count in range(1, len(events), 5)]
    assert set(verdicts(records)) == {"unchecked"}


def test_the_finished_rounds_of_a_running_match_are_checked() -> None:
    events = next(match for match in matches() if sum(isinstance(event, KeyRevealed) for event in match) > 2)
    last = [place for place, event in enumerate(events) if isinstance(event, KeyRevealed)][1]
    running = export_events(events[: last + 1])
    assert verdicts([running]) == ["unchecked"]
    deal = next(row for row in running["events"] if row["kind"] == "round_dealt")
    deal["hands"][0].reverse()
    assert verdicts([running]) == ["unfair"]


def test_record_without_commitments_proves_less() -> None:
    record = export_events(matches()[0])
    for name in ("nonce_commitments", "bots"):
        record["events"][0].pop(name, None)
    assert verdicts([record]) == ["limited"]


def test_match_without_nonces_proves_less() -> None:
    from tests.engine.crooked_matches import match_with_start

    assert verdicts([match_with_start("kozel", 2, nonces=["", ""], nonce_commitments=["ab" * 32, ""])]) == ["limited"]


NONSENSE: list[Any] = [
    None, True, -1, 1.5, 10**30, "", "x" * 1000, "6-4-", "\ud800", "0" * 64, [], [[]], [None], {}, ["6-4"], "9-9",
]  # fmt: skip


@pytest.mark.parametrize("where", ["head", "event"])
def test_invalid_fields_are_unreadable_or_unfair(where: str) -> None:
    """Fields that decide about the deal hold their own value and no other; points and texts are not looked at."""
    original = export_events(matches()[1][:8])
    ignored = {"standing", "pot", "points", "place", "shown", "made", "before", "reset", "last", "at", "events"}
    records = []
    for row in [original] if where == "head" else original["events"]:
        for name in row.keys() - ignored:
            for nonsense in NONSENSE:
                data = copy.deepcopy(original)
                target = data if where == "head" else data["events"][row["seq"] - 1]
                if target[name] != nonsense:
                    target[name] = nonsense
                    records.append(data)
    answers = run_script("verdicts.mjs", records)
    assert len(records) > 40
    for data, answer in zip(records, answers, strict=True):
        assert answer["verdict"] in ("unfair", "unchecked"), data


def test_engine_and_verifier_agree_on_integral_floats() -> None:
    text = json.dumps(export_events(honest_match("3")))
    pointed = re.sub(r'("(?:seats|rules_version|round|seq|seat)": \d+)', r"\1.0", text)
    assert pointed != text
    assert import_match(read_json(pointed)) == import_match(read_json(text))
    assert run_program(pointed.encode())[0] == 0


def test_option_named_like_an_object_property_is_refused() -> None:
    data = export_events(honest_match("3"))
    for name in ("__proto__", "constructor", "toString"):
        changed = json.loads(json.dumps(data))
        changed["events"][0]["options"] = changed["options"] = [[name, "all"], *data["events"][0]["options"][1:]]
        assert verdicts([changed]) == ["unchecked"]
