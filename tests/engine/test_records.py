"""Whole recorded matches: replayed, dealt again from their keys, every move decided again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from games.engine import transcript as transcripts
from games.engine.events import DealVoided, Event, MatchEnded, RoundEnded
from games.engine.evolve import fold
from games.engine.notation import export_match, import_match
from games.engine.proof import verify
from games.engine.replay import replay_differences
from games.engine.transcript import Entry
from games.engine.variants import rules_for
from tests.engine.verifiers import verdicts

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*/*.json"))
START = 1_772_388_000_000
NAMES = [f"{path.parent.name}/{path.stem}" for path in RECORDS]


def read(path: Path) -> tuple[Event, ...]:
    return import_match(json.loads(path.read_text()))


def timed(events: tuple[Event, ...]) -> tuple[Entry, ...]:
    """Return the events with a move every 1.234 seconds; what follows from a move happens with it."""
    entries, moments = [], 0
    for before, event in zip((None, *events), events, strict=False):
        moments += not isinstance(event, RoundEnded | MatchEnded) and not isinstance(before, DealVoided)
        entries.append(Entry(event, START + 1234 * moments))
    return tuple(entries)


@pytest.mark.parametrize("path", RECORDS, ids=NAMES)
def test_record_round_trips_replays_and_is_fair(path: Path) -> None:
    """A fix of the rules leaves old records as they are: each is judged by the version it began under."""
    data = json.loads(path.read_text())
    events = import_match(data)
    written = export_match((seq, event, "") for seq, event in enumerate(events, 1))
    assert json.loads(json.dumps(written)) == data
    state = fold(events)
    assert state.match_over in events
    assert state.rounds == tuple(event for event in events if isinstance(event, RoundEnded))
    assert list(replay_differences(events)) == []
    assert verify(events) == []
    transcript = transcripts.write(timed(events))
    assert transcripts.read(transcript) == timed(events)
    assert "\n!" not in transcript, "a bare fact"


def test_verifier_accepts_records_and_proves_less_without_commitments() -> None:
    records = [json.loads(path.read_text()) for path in RECORDS]
    expected = ["fair" if "nonce_commitments" in record["events"][0] else "limited" for record in records]
    assert verdicts(records) == expected
    assert set(expected) == {"fair", "limited"}


def test_verifier_refuses_other_files() -> None:
    nonsense = [[], {}, {"format": 1, "events": []}, {"format": 1, "events": [{}]}]
    assert set(verdicts(nonsense)) == {"unchecked"}


@pytest.mark.parametrize("folder", sorted({path.parent for path in RECORDS}), ids=lambda folder: folder.name)
def test_every_record_is_in_the_table_of_its_folder(folder: Path) -> None:
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
    assert rules_for("kozel").pot(fold(kozel("four-timeout-with-pot"))) == 0
