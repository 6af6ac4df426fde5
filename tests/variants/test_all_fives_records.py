"""The recorded matches of All Fives show what their table says."""

from __future__ import annotations

import json
from pathlib import Path

from games.engine.events import Event, MatchStarted, Played, RoundEnded
from games.engine.evolve import evolve, fold, start_state
from games.engine.layout.spinner import SpinnerLine
from games.engine.notation import import_match
from games.engine.variants import rules_for
from tests.engine.matches import tables
from tests.engine.positions import begun, layout_of

RECORDS = Path(__file__).parents[1] / "records" / "all_fives"


def read(name: str) -> tuple[Event, ...]:
    return import_match(json.loads((RECORDS / f"{name}.json").read_text()))


NAMES = sorted(path.stem for path in RECORDS.glob("*.json"))
STARTS = {name: event for name in NAMES for event in read(name)[:1] if isinstance(event, MatchStarted)}


def ends(name: str) -> list[RoundEnded]:
    return [event for event in read(name) if isinstance(event, RoundEnded)]


def test_records_cover_every_choice_and_seat_count() -> None:
    expected = {(seats, choice) for seats, options in tables(rules_for("all_fives")) for choice in options.items()}
    chosen = [(start.seats, start_state(start).setup.options) for start in STARTS.values()]
    assert {(seats, choice) for seats, options in chosen for choice in options} == expected


def test_partners_end_their_hands_in_both_ways() -> None:
    choices = {dict(start.options)["hand_end"] for start in STARTS.values() if ("partners", "yes") in start.options}
    assert choices == {"subtract_own", "winner_collects"}


def test_scores_below_zero() -> None:
    for name in ("two-below-zero", "three-below-zero", "four-below-zero"):
        assert min(standing.points for ended in ends(name) for standing in ended.standing) < 0


def test_blocks() -> None:
    for name in ("two-thirty-points", "three-blocked", "four-partners-blocked", "four-partners-250"):
        assert "blocked" in [ended.reason for ended in ends(name)]
    for name in ("two-shared-lightest", "three-shared-lightest", "four-shared-lightest"):
        blocked = [ended for ended in ends(name) if ended.reason == "blocked"]
        assert any(not any(points.total for points in ended.points) for ended in blocked)
    (only,) = [ended for ended in ends("four-partners-collect") if ended.reason == "blocked"]
    assert sum(points.total > 0 for points in only.points) == 1


def test_counts() -> None:
    scored = [event.points.total for event in read("two-thirty-points") if isinstance(event, Played)]
    assert max(scored) >= 30
    arms = set()
    state = begun(read("two-below-zero")[0])
    for event in read("two-below-zero")[1:]:
        state = evolve(state, event)
        arms.add(bool(layout_of(state, SpinnerLine).up and layout_of(state, SpinnerLine).down))
    assert arms == {True, False}


def test_the_target() -> None:
    for name in ("two-won-with-the-last-tile", "four-partners-won-with-the-last-tile"):
        state = fold(read(name))
        assert state.round.over is not None
        assert state.round.over.reason == "target"
        assert not state.hands[state.round.over.seat or 0]
    for name in ("two-won-at-the-hand-end", "three-won-at-the-hand-end", "four-short"):
        assert ends(name)[-1].reason == "out"


def test_places() -> None:
    places = {
        "three-shared-place": (1, 2, 2),
        "four-short": (1, 2, 3, 3),
        "four-partners-collect": (3, 1, 3, 1),
        "four-below-zero": (4, 2, 3, 1),
    }
    for name, expected in places.items():
        over = fold(read(name)).match_over
        assert over is not None
        assert over.places == expected
    for name in ("two-timeout", "four-partners-timeout"):
        over = fold(read(name)).match_over
        assert over is not None
        assert (over.reason, over.losers) == ("timeout", (over.seat,))
        assert over.places[over.losers[0]] == len(over.places)
