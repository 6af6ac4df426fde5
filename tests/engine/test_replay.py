"""Records decided again: what differs is found and named, and what makes no sense is told in words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from games.engine.events import Event, KeyRevealed, MatchStarted, Played, RoundDealt, RoundEnded
from games.engine.notation import BadRecord, import_match
from games.engine.replay import decisions, replay_differences, round_keys

RECORD = Path(__file__).parents[1] / "records" / "kozel" / "two-both-goats.json"


@pytest.fixture(scope="module")
def match() -> tuple[Event, ...]:
    return import_match(json.loads(RECORD.read_text()))


def first(match: tuple[Event, ...], kind: type[Event]) -> int:
    return next(place for place, event in enumerate(match) if isinstance(event, kind))


def with_event(match: tuple[Event, ...], place: int, event: Event) -> tuple[Event, ...]:
    return (*match[:place], event, *match[place + 1 :])


def test_every_event_belongs_to_one_decision(match: tuple[Event, ...]) -> None:
    steps = list(decisions(match))
    assert [event for decision in steps for event in decision.events] == list(match[1:])
    assert [decision.seq for decision in steps][:3] == [2, 3, 4]
    (ends,) = [decision for decision in steps if len(decision.events) == 3]
    assert [type(event).__name__ for event in ends.events] == ["Played", "RoundEnded", "MatchEnded"]


def test_record_of_the_current_rules_replays_without_differences(match: tuple[Event, ...]) -> None:
    assert list(replay_differences(match)) == []


def test_changed_points_are_found(match: tuple[Event, ...]) -> None:
    place = first(match, RoundEnded)
    ended = match[place]
    assert isinstance(ended, RoundEnded)
    changed = replace(ended, points=ended.points[::-1])
    (difference,) = replay_differences(with_event(match, place, changed))
    assert difference.startswith(f"Event {place}: Played")


def test_an_illegal_move_is_found_with_its_rule(match: tuple[Event, ...]) -> None:
    places = [place for place, event in enumerate(match) if isinstance(event, Played)]
    second = match[places[1]]
    assert isinstance(second, Played)
    hand = next(event for event in match if isinstance(event, RoundDealt)).hands[second.seat]
    lead = match[places[0]]
    assert isinstance(lead, Played)
    unfit = next(tile for tile in hand if not set(tile) & set(lead.tile))
    sentences = list(replay_differences(with_event(match, places[1], replace(second, tile=unfit))[: places[1] + 1]))
    assert f"Event {places[1] + 1}: refused today, kozel.turn." in sentences


def test_changed_tile_in_a_deal_is_found(match: tuple[Event, ...]) -> None:
    place = first(match, RoundDealt)
    dealt = match[place]
    assert isinstance(dealt, RoundDealt)
    swapped = replace(dealt, boneyard=(dealt.boneyard[1], dealt.boneyard[0], *dealt.boneyard[2:]))
    sentences = replay_differences(
        (*with_event(match, place, swapped)[: place + 1], *(e for e in match if isinstance(e, KeyRevealed)))
    )
    assert any(difference.startswith(f"Event {place + 1}: RoundDealt") for difference in sentences)


def test_a_key_that_was_not_revealed_follows_from_the_secret(match: tuple[Event, ...]) -> None:
    assert round_keys(tuple(event for event in match if not isinstance(event, KeyRevealed))) == round_keys(match)


def test_deal_without_a_revealed_key_is_not_checked(match: tuple[Event, ...]) -> None:
    running = match[: first(match, RoundEnded) - 1]
    assert round_keys(running) == {}
    assert list(replay_differences(running)) == []


@pytest.mark.parametrize(
    "broken",
    [
        (),
        (RoundEnded(1, "out", 0, "kozel.out", (), (), (), (), 0, None),),
        (MatchStarted("tiddlywinks", 2, (), 1),),
        (MatchStarted("kozel", 2, (("fish", "all"),), 1), Played(0, (6, 4), "", 1)),
        (MatchStarted("all_fives", 2, (), 1),),
    ],
    ids=["nothing", "no start", "no variant", "a tile of nobody", "no options"],
)
def test_senseless_events_are_reported(broken: tuple[Event, ...]) -> None:
    with pytest.raises(BadRecord):
        list(replay_differences(broken))
