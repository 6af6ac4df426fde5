"""The command that replays every stored match."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.models import Match, MatchEvent
from games.services import play
from tests.games import tables


@pytest.fixture
def match() -> Match:
    match = tables.running_table([tables.person("Ann")], bots=1)
    tables.play_round(match)
    return match


def replayed(*args: str) -> str:
    out = io.StringIO()
    call_command("replay_matches", *args, stdout=out)
    return out.getvalue()


def test_stored_matches_replay_strictly(match: Match) -> None:
    tables.running_table([tables.person("Ben")], bots=1)
    assert replayed("--strict") == "2 matches replayed, 0 differences.\n"
    assert replayed(match.slug) == "1 matches replayed, 0 differences.\n"


def changed(match: Match, kind: str, **fields: Any) -> MatchEvent:
    """Change the first event of a kind behind the site's back."""
    event = MatchEvent.objects.filter(match=match, kind=kind).earliest("seq")
    MatchEvent.objects.filter(pk=event.pk).update(data=json.dumps(json.loads(event.data) | fields))
    return event


def complaint(*args: str) -> str:
    """Return what is said of records that do not replay."""
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("replay_matches", *args, stdout=out)
    return out.getvalue()


TAMPERED: dict[str, tuple[str, dict[str, Any]]] = {
    "another reason of the end": ("round_ended", {"rule": "kozel.other"}),
    "other points": ("round_ended", {"pot": 7}),
    "another turn": ("played", {"to_move": 1}),
    "a tile that had to be shown": ("played", {"shown": ["6-6"]}),
    "another seat that leads": ("round_dealt", {"rule": "kozel.other"}),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_found_by_replay(match: Match, name: str) -> None:
    kind, fields = TAMPERED[name]
    event = changed(match, kind, **fields)
    first = event.seq - 1 if kind == "round_ended" else event.seq  # the move that ended the round
    output = complaint("--strict")
    assert f"{match.slug}: Event {first}: " in output
    assert "; today " in output


def test_changed_decision_is_found_only_by_replay(match: Match) -> None:
    changed(match, "round_ended", rule="kozel.other")
    assert "0 differences" in replayed()
    assert "1 differences." in complaint("--strict")


@pytest.mark.parametrize("data", ["", "[]", '{"seat":7,"tile":"6-4","place":"","to_move":0}', '{"tile":"6-4"}'])
def test_broken_event_is_reported_without_stopping(match: Match, data: str) -> None:
    sound = tables.running_table([tables.person("Ben")], bots=1)
    MatchEvent.objects.filter(match=match, seq=3).update(kind="played", data=data)
    output = complaint()
    assert output.startswith(f"{match.slug}: ")
    assert sound.slug not in output
    assert "2 matches replayed, 1 differences." in output


LOST = {
    "all but the deal": {"seq__gt": 2},
    "the last ones": {"seq__gt": 20},
    "one in the middle": {"seq": 5},
    "what was revealed": {"kind__in": ("key_revealed", "secret_revealed")},
}


@pytest.mark.parametrize("which", LOST.values(), ids=LOST)
def test_lost_events_are_reported(match: Match, which: dict[str, Any]) -> None:
    play.stop_match(match_id=match.pk)
    assert MatchEvent.objects.filter(match=match, **which).delete()[0]
    assert "The record has" in complaint()


FORGED = {
    "the secret": ("secret_revealed", "secret", "The secret is not the one committed to."),
    "what the match committed to": ("match_started", "commitment", "The secret is not the one committed to."),
    "a key": ("key_revealed", "key", "Round 1: the key does not come from the secret."),
    "the commitment of a deal": ("round_dealt", "commitment", "attempt 1: the key is not the one committed to."),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_commitment_is_reported_after_the_match(match: Match, name: str) -> None:
    kind, field, complaint_text = FORGED[name]
    play.stop_match(match_id=match.pk)
    changed(match, kind, **{field: "ab" * 32})
    assert complaint_text in complaint("--strict")
