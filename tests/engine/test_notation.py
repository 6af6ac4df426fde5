"""Events and matches as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Points,
    RoundDealt,
    RoundEnded,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    SecretRevealed,
    Standing,
    StandingSet,
    Term,
)
from games.engine.notation import (
    EVENT_KINDS,
    EVENT_TYPES,
    BadRecord,
    event_from_json,
    event_to_json,
    export_match,
    import_match,
    standing_from_json,
)
from tests.engine.matches import Match, matches

STARTED = MatchStarted("kozel", 2, (("fish", "one"),), 1, "k7m2p9x4", "c0", ("жребий", ""))
WRITTEN: list[tuple[Event, str, str]] = [
    (
        STARTED,
        "match_started",
        '{"variant":"kozel","seats":2,"options":[["fish","one"]],"rules_version":1,"match":"k7m2p9x4",'
        '"commitment":"c0","nonces":["жребий",""]}',
    ),
    (
        replace(STARTED, nonce_commitments=("d0", ""), bots=(1,)),
        "match_started",
        '{"variant":"kozel","seats":2,"options":[["fish","one"]],"rules_version":1,"match":"k7m2p9x4",'
        '"commitment":"c0","nonces":["жребий",""],"nonce_commitments":["d0",""],"bots":[1]}',
    ),
    (
        DealVoided(1, 2, (((6, 4),), ((0, 0),)), ((1, 1),), "kozel.redeal"),
        "deal_voided",
        '{"round":1,"attempt":2,"hands":[["6-4"],["0-0"]],"boneyard":["1-1"],"rule":"kozel.redeal"}',
    ),
    (
        RoundDealt(1, 1, (((6, 4),), ()), (), 1, ((6, 4),), "r", (Standing(), Standing(3, opened=False)), 35),
        "round_dealt",
        '{"round":1,"attempt":1,"hands":[["6-4"],[]],"boneyard":[],"to_move":1,"must_lead":["6-4"],"rule":"r",'
        '"standing":[{},{"points":3,"opened":false}],"pot":35}',
    ),
    (
        RoundDealt(1, 1, (), (), 0, (), "r", (), 0, ("H(0,0)=2-4",), ((0, 1, 2),), "c1"),
        "round_dealt",
        '{"round":1,"attempt":1,"hands":[],"boneyard":[],"to_move":0,"must_lead":[],"rule":"r","standing":[],'
        '"start":["H(0,0)=2-4"],"aside":["0-1-2"],"commitment":"c1"}',
    ),
    (Played(0, (6, 4), "left", 1), "played", '{"seat":0,"tile":"6-4","place":"left","to_move":1}'),
    (
        Played(0, (6, 4), "", None, Points(5, (Term("r", "6 + 4", 5),))),
        "played",
        '{"seat":0,"tile":"6-4","place":"","to_move":null,'
        '"points":{"total":5,"terms":[{"rule":"r","text":"6 + 4","value":5}]}}',
    ),
    (Drew(1, (0, 0), 1), "drew", '{"seat":1,"tile":"0-0","to_move":1}'),
    (Passed(1, None), "passed", '{"seat":1,"to_move":null}'),
    (Passed(1, None, by="clock"), "passed", '{"seat":1,"to_move":null,"by":"clock"}'),
    (SeatHeld(1, "gone"), "seat_held", '{"seat":1,"reason":"gone"}'),
    (SeatReturned(1), "seat_returned", '{"seat":1}'),
    (SeatForfeited(1, "left"), "seat_forfeited", '{"seat":1,"reason":"left"}'),
    (
        RoundEnded(1, "out", 0, "r", (Points(0),), (Standing(),), (Standing(2),), ("",), 0, None),
        "round_ended",
        '{"round":1,"reason":"out","seat":0,"rule":"r","points":[{"total":0}],"before":[{}],"standing":[{"points":2}],'
        '"reset":[""],"pot":0,"lead":null}',
    ),
    (
        MatchEnded("finished", None, "r", (1, 2), (1,), (Points(3),)),
        "match_ended",
        '{"reason":"finished","seat":null,"rule":"r","places":[1,2],"losers":[1],"rating":[{"total":3}]}',
    ),
    (StandingSet((Standing(7),), 0), "standing_set", '{"standing":[{"points":7}],"pot":0}'),
    (KeyRevealed(3, "ab"), "key_revealed", '{"round":3,"key":"ab"}'),
    (SecretRevealed("cd"), "secret_revealed", '{"secret":"cd"}'),
]


def test_events_round_trip() -> None:
    for event, kind, text in WRITTEN:
        assert event_to_json(event) == (kind, text)
        assert event_from_json(kind, text) == event


def test_every_event_type_is_tested() -> None:
    assert {kind for _, kind, _ in WRITTEN} == set(EVENT_KINDS.values())
    assert len(EVENT_TYPES) == len(EVENT_KINDS) == 14


def test_invalid_events_are_refused() -> None:
    for kind, text in [
        ("flew", "{}"),
        ("passed", "{"),
        ("passed", "[]"),
        ("passed", "7"),
        ("passed", "{}"),
        ("passed", '{"seat":0,"to_move":1,"wings":2}'),
        ("drew", '{"seat":0,"to_move":1,"tile":"a-b"}'),
        ("drew", '{"seat":0,"to_move":1,"tile":64}'),
        ("standing_set", '{"standing":[7],"pot":0}'),
    ]:
        with pytest.raises(BadRecord):
            event_from_json(kind, text)


def test_standing_is_read_alone() -> None:
    text = '{"hands":[["no tile"]],"standing":[{"points":19,"opened":false},{"points":-5}]}'
    assert standing_from_json(text) == (Standing(19, opened=False), Standing(-5))


@pytest.mark.parametrize("text", ["", "[]", '{"pot":0}', '{"standing":7}', '{"standing":[{"pips":7}]}'])
def test_event_without_a_standing_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        standing_from_json(text)


def test_a_match_is_exported_with_its_set_and_numbered_events() -> None:
    data = export_match([(1, STARTED, "2026-01-02T03:04:05Z"), (2, Passed(1, 0), "")])
    assert set(data) == {"format", "rules_version", "match", "tiles", "events"}
    assert (data["format"], data["rules_version"], data["match"]) == (1, 1, "k7m2p9x4")
    assert data["tiles"][:4] == ["0-0", "1-0", "1-1", "2-0"]
    assert len(data["tiles"]) == 28
    assert data["events"][0]["at"] == "2026-01-02T03:04:05Z"
    assert data["events"][1] == {"seq": 2, "kind": "passed", "seat": 1, "to_move": 0}


@settings(max_examples=10, deadline=None)
@given(matches())
def test_exported_match_is_imported_unchanged(match: Match) -> None:
    data = export_match((seq, event, "") for seq, event in enumerate(match.events, 1))
    assert import_match(json.loads(json.dumps(data))) == match.events


@pytest.mark.parametrize(
    "change",
    [
        {"format": 3},
        {"events": None},
        {"events": [{"seq": 2, "kind": "passed", "seat": 0, "to_move": 1}]},
        {"events": [{}]},
    ],
)
def test_invalid_matches_are_refused(change: dict[str, Any]) -> None:
    data = export_match([(1, STARTED, "")])
    with pytest.raises(BadRecord):
        import_match({**data, **change})


def test_an_export_begins_with_the_start() -> None:
    for rows in ([], [(1, Passed(0, 1), "")]):
        with pytest.raises(BadRecord):
            export_match(rows)
