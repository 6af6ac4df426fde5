"""The short text of a match: exact in both directions, and clear about what it cannot read."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.events import Event, MatchStarted, Played, RoundEnded
from games.engine.notation import BadRecord
from games.engine.playout import playout
from games.engine.proof import verify
from games.engine.replay import replay_differences
from games.engine.rules import Rules
from games.engine.transcript import Entry, read, write
from games.engine.transcript_head import read_about, read_headers
from games.engine.variants import registry, rules_for
from tests.engine.honest_matches import honest_board
from tests.engine.test_records import timed


def untimed(events: tuple[Event, ...]) -> tuple[Entry, ...]:
    return tuple(Entry(event) for event in events)


@pytest.mark.parametrize("rules", registry().values(), ids=lambda rules: rules.key)
def test_random_matches_of_every_table_round_trip(rules: Rules) -> None:
    for seats in rules.seat_counts:
        match = untimed(tuple(playout(rules, seats, {}, "transcript", leave_after=60)))
        assert read(write(match)) == match


@pytest.mark.parametrize("rules", registry().values(), ids=lambda rules: rules.key)
def test_actor_of_each_move_round_trips_and_is_checked(rules: Rules) -> None:
    for seats in rules.seat_counts:
        events = playout(rules, seats, {}, "absences", leave_after=300, absences=True)
        text = write(untimed(tuple(events)))
        assert read(text) == untimed(tuple(events))
        assert "\n!" not in text
        assert verify(events) == []


def test_holds_returns_and_forfeits_have_words() -> None:
    head, _, _ = write(untimed(tuple(playout(rules_for("kozel"), 2, {}, "7", leave_after=0)))).partition("timeout")
    text = head + "3-3 by clock; held 1 gone; draw; returned 1; draw; forfeited 1 left; key\n"
    facts = [entry.event for entry in read(text)][-7:-1]
    rows = [(type(fact).__name__, getattr(fact, "by", None)) for fact in facts]
    assert rows == [
        ("Played", "clock"),
        ("SeatHeld", None),
        ("Drew", "bot"),
        ("SeatReturned", None),
        ("Drew", ""),
        ("SeatForfeited", None),
    ]
    assert write(read(text)) == text


@pytest.mark.parametrize(
    "acts", ["returned 0", "held 0 gone; held 0 gone", "held 2 gone", "held 0 hunger", "forfeited 0 left; returned 0"]
)
def test_seat_changes_need_a_cause(acts: str) -> None:
    with pytest.raises(BadRecord, match="Line 6"):
        read(HEAD + acts)


def test_bot_cannot_move_for_a_present_player() -> None:
    events = playout(rules_for("kozel"), 2, {}, "7", leave_after=3)
    place = next(place for place, event in enumerate(events) if isinstance(event, Played))
    played = events[place]
    assert isinstance(played, Played)
    events[place] = replace(played, by="bot")
    assert len(list(replay_differences(events))) == 1


def test_head_has_nonce_commitments_and_bots() -> None:
    first, *rest = playout(rules_for("kozel"), 2, {}, "head", leave_after=3)
    assert isinstance(first, MatchStarted)
    match = untimed((replace(first, nonce_commitments=("ab" * 32, ""), bots=(1,)), *rest))
    text = write(match)
    assert f'nonce_commitments: ["{"ab" * 32}", ""]\nbots: [1]\n' in text
    assert read(text) == match


@settings(max_examples=20)
@given(st.lists(st.none() | st.integers(0, 4 * 10**12), min_size=40, max_size=40))
def test_times_round_trip(times: list[int | None]) -> None:
    events = playout(rules_for("kozel"), 2, {}, "times", leave_after=20)
    match = tuple(map(Entry, events, cycle(times)))
    assert read(write(match)) == match


def test_moves_are_written_as_in_messages() -> None:
    text = write(timed(tuple(playout(rules_for("kozel"), 2, {}, "7", leave_after=3))))
    lines = text.splitlines()
    assert lines[:3] == ["dominoes match 1", 'variant: "kozel"', "seats: 2"]
    assert "at: 1772388001234" in lines
    (deal,) = [line for line in lines if line.startswith("deal ")]
    assert deal.endswith(" +1.234")
    moves = lines[lines.index(deal) + 1]
    assert moves == "3-3 +1.234; draw +1.234; draw +1.234; timeout 1; key +1.234"
    assert "timeout" in text
    assert lines[-1].startswith("secret ")


def test_comments_are_in_the_head_and_losses_at_their_moves() -> None:
    """The tenth event is a move: it would have been 5.5 points better to play 6-4 on the left."""
    match = timed(tuple(playout(rules_for("kozel"), 2, {}, "7", leave_after=9)))
    seq = next(seq for seq, entry in enumerate(match, 1) if seq > 9 and isinstance(entry.event, Played))
    choices = [{"seq": seq, "seat": 0, "loss": 5.5, "made": "x", "best": "6-4 left"}]
    about = {"players": [{"name": "Žofie {7}"}, {"name": ""}], "result": {"reason": "timeout"}}
    text = write(match, about | {"report": {"version": 1, "choices": choices}})
    assert text.splitlines()[:2] == ["dominoes match 2", 'players: [{"name": "Žofie {7}"}, {"name": ""}]']
    assert text.count(" +1.234 {-5.5 6-4 left}") == 1
    assert read(text) == match
    assert read_about(text) == about | {"report": {"version": 1}}
    assert read_about(write(match)) == {}


def test_events_of_other_rules_are_kept_as_facts() -> None:
    events = playout(rules_for("kozel"), 2, {}, "7", leave_after=40)
    place = next(place for place, event in enumerate(events) if isinstance(event, RoundEnded))
    ended = events[place]
    assert isinstance(ended, RoundEnded)
    events[place] = replace(ended, rule="kozel.other")
    match = untimed(tuple(events))
    text = write(match)
    assert text.count("\n! round_ended - ") == 1
    assert read(text) == match


def test_match_of_other_rules_is_written_as_facts() -> None:
    events = playout(rules_for("kozel"), 2, {}, "7", leave_after=5)
    start = events[0]
    assert isinstance(start, MatchStarted)
    events[0] = replace(start, rules_version=99)
    match = untimed(tuple(events))
    text = write(match)
    assert text.count("\n!") == len(events) - 1
    assert read(text) == match


HEAD = """dominoes match 1
variant: "kozel"
seats: 2
options: [["fish", "all"]]
rules_version: 1
"""


def test_unreadable_text_is_refused_with_its_line() -> None:
    for text, line in [
        ("", 1),
        ("chess match 1", 1),
        (HEAD.replace('"kozel"', "kozel"), 2),
        (HEAD.replace('"all"]]', '"all"'), 4),
        (HEAD + "6-4", 6),
        (HEAD + "\ndeal no-hex", 7),
        (HEAD + "\ndeal " + "0" * 64 + "\n9-9", 8),
        (HEAD + "\ndeal " + "0" * 64 + "\n6-4 +1e999", 8),
        (HEAD + "\ntimeout 1000", 7),
        (HEAD + "\nleft x", 7),
        (HEAD + "\n! played - {}", 7),
        (HEAD + "\n!", 7),
        (HEAD + "\nsecret xy", 7),
        (HEAD + "\n1-1 +5", 7),
        (HEAD + "at: 5\n\ndeal " + "0" * 64 + " +" + "9" * 400, 8),
    ]:
        with pytest.raises(BadRecord, match=f"Line {line}:"):
            read(text)


@pytest.mark.parametrize(
    "start", ['variant: "tiddlywinks"', "seats: 99", "seats: -1", 'seats: "2"', "rules_version: null"]
)
def test_impossible_start_is_refused(start: str) -> None:
    name = start.partition(":")[0]
    lines = [start if line.startswith(name) else line for line in HEAD.splitlines()]
    with pytest.raises(BadRecord):
        read("\n".join(lines))


def test_more_seats_than_tiles_are_refused_under_any_rules() -> None:
    """Each seat costs memory before anything is dealt: a line would do to stop the site."""
    with pytest.raises(BadRecord, match="seats"):
        read(HEAD.replace("seats: 2", "seats: 100000").replace("rules_version: 1", "rules_version: 2"))


def test_boards_round_trip_and_other_matches_have_no_fields_of_boards() -> None:
    for number in range(5):
        board = honest_board(str(number))
        text = write(untimed(tuple(board)))
        assert read(text) == untimed(tuple(board))
        assert "\n!" not in text
        assert {"source", "entropy"} <= read_headers(text)[0].keys()
    match = write(untimed(tuple(playout(rules_for("kozel"), 2, {}, "7", leave_after=5))))
    assert not {"source", "first", "entropy"} & read_headers(match)[0].keys()
