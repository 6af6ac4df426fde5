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


def run_replay(*args: str) -> str:
    out = io.StringIO()
    call_command("replay_matches", *args, stdout=out)
    return out.getvalue()


def test_stored_matches_replay_strictly(match: Match) -> None:
    tables.running_table([tables.person("Ben")], bots=1)
    assert run_replay("--strict") == "Matches replayed: 2, differences: 0.\n"
    assert run_replay(match.slug) == "Matches replayed: 1, differences: 0.\n"


def tamper(match: Match, kind: str, **fields: Any) -> MatchEvent:
    """Change the first event of a kind behind the site's back."""
    event = MatchEvent.objects.filter(match=match, kind=kind).earliest("seq")
    MatchEvent.objects.filter(pk=event.pk).update(data=json.dumps(json.loads(event.data) | fields))
    return event


def failing_output(*args: str) -> str:
    """Run the command, expect it to fail, and return its output."""
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("replay_matches", *args, stdout=out)
    return out.getvalue()


TAMPERED: dict[str, tuple[str, dict[str, Any]]] = {
    "a different reason for the end of a round": ("round_ended", {"rule": "kozel.other"}),
    "other points": ("round_ended", {"pot": 7}),
    "another turn": ("played", {"to_move": 1}),
    "an extra revealed tile": ("played", {"shown": ["6-6"]}),
    "a different rule for the lead": ("round_dealt", {"rule": "kozel.other"}),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_found_by_replay(match: Match, name: str) -> None:
    kind, fields = TAMPERED[name]
    event = tamper(match, kind, **fields)
    # A changed end of a round is reported at the move that caused it.
    first = event.seq - 1 if kind == "round_ended" else event.seq
    output = failing_output("--strict")
    assert f"{match.slug}: Event {first}: " in output
    assert "; today " in output


def test_changed_decision_is_found_only_with_strict(match: Match) -> None:
    tamper(match, "round_ended", rule="kozel.other")
    assert "differences: 0." in run_replay()
    assert "differences: 1." in failing_output("--strict")


@pytest.mark.parametrize("data", ["", "[]", '{"seat":7,"tile":"6-4","place":"","to_move":0}', '{"tile":"6-4"}'])
def test_broken_event_is_reported_without_stopping(match: Match, data: str) -> None:
    intact_match = tables.running_table([tables.person("Ben")], bots=1)
    MatchEvent.objects.filter(match=match, seq=3).update(kind="played", data=data)
    output = failing_output()
    assert output.startswith(f"{match.slug}: ")
    assert intact_match.slug not in output
    assert "Matches replayed: 2, differences: 1." in output


MISSING_EVENTS = {
    "all but the deal": {"seq__gt": 2},
    "the last events": {"seq__gt": 20},
    "one in the middle": {"seq": 5},
    "the revealed keys and secret": {"kind__in": ("key_revealed", "secret_revealed")},
}


@pytest.mark.parametrize("which", MISSING_EVENTS.values(), ids=MISSING_EVENTS)
def test_lost_events_are_reported(match: Match, which: dict[str, Any]) -> None:
    play.stop_match(match_id=match.pk)
    assert MatchEvent.objects.filter(match=match, **which).delete()[0]
    assert "The record has" in failing_output()


FORGED = {
    "the secret": ("secret_revealed", "secret", "The secret is not the one committed to."),
    "what the match committed to": ("match_started", "commitment", "The secret is not the one committed to."),
    "a key": ("key_revealed", "key", "Round 1: the key does not come from the secret."),
    "the commitment of a deal": ("round_dealt", "commitment", "attempt 1: the key is not the one committed to."),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_secrets_keys_and_commitments_are_reported_after_the_match(match: Match, name: str) -> None:
    kind, field, complaint_text = FORGED[name]
    play.stop_match(match_id=match.pk)
    tamper(match, kind, **{field: "ab" * 32})
    assert complaint_text in failing_output("--strict")
