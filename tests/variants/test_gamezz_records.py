"""The recorded matches of Classic goat show what their table says."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

from games.engine.events import Drew, Event, RoundDealt, RoundEnded
from games.engine.evolve import evolve, fold
from games.engine.notation import import_match
from games.engine.tiles import is_double, pips
from tests.engine.positions import begun

RECORDS = Path(__file__).parents[1] / "records" / "gamezz"


def read(name: str) -> tuple[Event, ...]:
    return import_match(json.loads((RECORDS / f"{name}.json").read_text()))


def ends(name: str) -> list[RoundEnded]:
    return [event for event in read(name) if isinstance(event, RoundEnded)]


def hands_left(name: str) -> list[tuple[tuple[tuple[int, ...], ...], ...]]:
    """Return the hands at the end of each round."""
    first, *rest = read(name)
    state, rows = begun(first), []
    for event in rest:
        state = evolve(state, event)
        if isinstance(event, RoundEnded):
            rows.append(state.hands)
    return rows


def test_blocks() -> None:
    for name in ("two-three-blocks", "three-blocks"):
        assert [ended.reason for ended in ends(name)].count("blocked") == 3
    rows = zip(ends("four-heaviest-blocks"), hands_left("four-heaviest-blocks"), strict=True)
    heaviest = [
        ended.reason == "blocked" and max(range(4), key=lambda seat: sum(map(pips, hands[seat]))) == ended.seat
        for ended, hands in rows
    ]
    assert any(heaviest)


def test_points() -> None:
    assert [standing.points for standing in ends("two-exactly-100")[0].standing] == [0, 100]
    runs = [
        len(list(group))
        for drawn, group in groupby(read("two-exactly-100"), lambda event: isinstance(event, Drew))
        if drawn
    ]
    assert max(runs) == 14
    for name in ("two-lone-blank", "three-lone-blank"):
        assert any(((0, 0),) in hands for hands in hands_left(name))
    leads = [event.must_lead[0] for event in read("two-no-double") if isinstance(event, RoundDealt)]
    assert not all(map(is_double, leads))


def test_ends() -> None:
    places = {
        "three-two-losers": ((2, 1, 3), (0, 2)),
        "three-losers-share-a-place": ((2, 1, 2), (0, 2)),
        "three-winners-share-a-place": ((3, 1, 1), (0,)),
        "four-two-losers": ((3, 1, 2, 4), (0, 3)),
        "four-shared-place": ((1, 2, 4, 2), (2,)),
        "four-winners-share-a-place": ((1, 3, 4, 1), (2,)),
        "four-timeout": ((4, 3, 2, 1), (0,)),
        "two-timeout": ((2, 1), (0,)),
    }
    for name, expected in places.items():
        over = fold(read(name)).match_over
        assert over is not None
        assert (over.places, over.losers) == expected
        assert over.reason == ("timeout" if "timeout" in name else "finished")
