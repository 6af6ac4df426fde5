"""The command that replays every stored match."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from games.models import Match, MatchEvent
from tests.games import tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    match = tables.running_table([tables.person("Ann")], bots=1)
    tables.play_round(match)
    return match


def replayed(*args: str) -> str:
    out = io.StringIO()
    call_command("replay_matches", *args, stdout=out)
    return out.getvalue()


def test_matches_as_the_site_wrote_them_replay_strictly(match: Match) -> None:
    tables.running_table([tables.person("Ben")], bots=1)
    assert replayed("--strict") == "2 matches replayed, 0 differences.\n"
    assert replayed(match.slug) == "1 matches replayed, 0 differences.\n"


def test_a_changed_move_is_found_only_by_deciding_again(match: Match) -> None:
    ended = MatchEvent.objects.get(match=match, kind="round_ended")
    ended.data = ended.data.replace('"rule":"kozel.', '"rule":"kozel.other_', 1)
    ended.save()
    assert "0 differences" in replayed()
    with pytest.raises(CommandError):
        replayed("--strict")


@pytest.mark.parametrize("data", ["", "[]", '{"seat":7,"tile":"6-4","place":"","to_move":0}', '{"tile":"6-4"}'])
def test_a_broken_event_is_told_and_stops_nothing(match: Match, data: str) -> None:
    sound = tables.running_table([tables.person("Ben")], bots=1)
    MatchEvent.objects.filter(match=match, seq=3).update(kind="played", data=data)
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("replay_matches", stdout=out)
    assert out.getvalue().startswith(f"{match.slug}: ")
    assert sound.slug not in out.getvalue()
    assert "2 matches replayed, 1 differences." in out.getvalue()
