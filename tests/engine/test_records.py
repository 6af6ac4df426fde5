"""Whole recorded matches: replayed, dealt again from their keys, every move decided again."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from runpy import run_path

import pytest

from games.engine.deal import shuffler, verify
from games.engine.decide import deal_round, decide, leave
from games.engine.events import (
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
)
from games.engine.evolve import evolve, fold, start_state
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.notation import export_match, import_match
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import rules_for

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*/*.json"))
NAMES = [f"{path.parent.name}/{path.stem}" for path in RECORDS]
PROGRAM = run_path(str(Path(__file__).parents[2] / "docs" / "verify_deal.py"))


def read(path: Path) -> tuple[Event, ...]:
    return import_match(json.loads(path.read_text()))


def started(events: tuple[Event, ...]) -> MatchStarted:
    assert isinstance(events[0], MatchStarted)
    return events[0]


@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_a_record_replays_to_its_end(path: Path) -> None:
    events = read(path)
    state = fold(events)
    assert state.match_over in events
    assert state.rounds == tuple(event for event in events if isinstance(event, RoundEnded))


@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_a_record_is_written_as_it_was_read(path: Path) -> None:
    data = json.loads(path.read_text())
    written = export_match((seq, event, "") for seq, event in enumerate(read(path), 1))
    assert json.loads(json.dumps(written)) == data


@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_a_record_was_dealt_fairly(path: Path) -> None:
    assert verify(read(path)) == []


@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_the_published_program_finds_a_record_fair(path: Path) -> None:
    findings = PROGRAM["check"](json.loads(path.read_text()))
    assert (findings.wrong, findings.missing) == ([], [])


def decided_again(rules: Rules, state: State, event: Event) -> tuple[Event, ...]:
    """Return what the rules make of what somebody did, or nothing for an event that only follows."""
    if isinstance(event, Played | Drew | Passed):
        return decide(rules, state, event.seat, move_of(event))
    if isinstance(event, MatchEnded) and event.reason in ("timeout", "left") and event.seat is not None:
        return leave(rules, state, event.seat, event.reason)
    return ()


def move_of(event: Played | Drew | Passed) -> Move:
    if isinstance(event, Played):
        return Play(event.tile, event.place)
    return Draw() if isinstance(event, Drew) else Pass()


@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_every_move_of_a_record_is_decided_as_it_was(path: Path) -> None:
    """Only under the same version of the rules: a fix of them leaves old records as they are."""
    events = read(path)
    rules = rules_for(started(events).variant)
    if started(events).rules_version != rules.rules_version:
        return
    state = start_state(started(events))
    for place, event in enumerate(events[1:], 1):
        made = decided_again(rules, state, event)
        assert made == events[place : place + len(made)]
        state = evolve(state, event)


@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_every_round_of_a_record_is_dealt_as_it_was(path: Path) -> None:
    events = read(path)
    start = started(events)
    rules = rules_for(start.variant)
    if start.rules_version != rules.rules_version:
        return
    keys = {event.round: event.key for event in events if isinstance(event, KeyRevealed)}
    state = start_state(start)
    for dealing, group in groupby(events[1:], lambda event: isinstance(event, DealVoided | RoundDealt)):
        made = tuple(group)
        if dealing:
            last = made[-1]
            assert isinstance(last, RoundDealt)
            shuffle = shuffler(
                keys[last.round], start.match, last.round, nonces=start.nonces, count=len(rules.tile_set)
            )
            assert deal_round(rules, state, shuffle, commitment=last.commitment) == made
        for event in made:
            state = evolve(state, event)


@pytest.mark.parametrize("folder", sorted({path.parent for path in RECORDS}), ids=lambda folder: folder.name)
def test_every_record_stands_in_the_table_of_its_folder(folder: Path) -> None:
    rows = re.findall(r"^\| `(.+?)\.json` \|", (folder / "README.md").read_text(), flags=re.MULTILINE)
    assert sorted(rows) == sorted(path.stem for path in folder.glob("*.json"))


def kozel(name: str) -> tuple[Event, ...]:
    return read(Path(__file__).parents[1] / "records" / "kozel" / f"{name}.json")


def ends(events: tuple[Event, ...]) -> list[RoundEnded]:
    return [event for event in events if isinstance(event, RoundEnded)]


def test_kozel_records_show_what_their_table_says() -> None:
    assert any(isinstance(event, DealVoided) for event in kozel("two-fish-redeal"))
    for name, goats in {"two-both-goats": 2, "three-all-goats": 3, "four-all-goats": 4, "four-two-goats": 2}.items():
        assert len(fold(kozel(name)).match_over.losers) == goats
    reasons = [end.reason for end in ends(kozel("three-drawn-twice"))]
    assert "".join(reasons).count("fish_drawnfish_drawn") == 1
    for name in ("three-pot-stays", "four-pot-stays"):
        rounds = ends(kozel(name))
        assert any(end.reason == "out" and end.pot for end in rounds)
    for name in ("two-timeout", "four-timeout-with-pot"):
        over = fold(kozel(name)).match_over
        assert over is not None
        assert (over.reason, over.losers) == ("timeout", (over.seat,))
    assert ends(kozel("four-timeout-with-pot"))[-1].pot > 0
    assert fold(kozel("four-timeout-with-pot")).pot == 0
