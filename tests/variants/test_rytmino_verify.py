"""The fair deal of a game with a starting pair, a tile set aside and a lot for the lead, by both checkers."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.decide import new_match
from games.engine.events import DealVoided, Event, RoundDealt
from games.engine.evolve import start_state
from games.engine.playout import playout
from games.engine.proof import verify
from games.engine.variants import rules_for
from tests.engine.test_verify import changed, exported, first_deal
from tests.engine.verifiers import run_program, verdicts

RYTMINO = rules_for("rytmino")


@pytest.fixture(scope="module")
def record() -> list[Event]:
    """A match of three deals and a void one."""
    return playout(RYTMINO, 3, {"deals": "per_player"}, "10")


def flip_slot(placement: str) -> str:
    slot, _, halves = placement.partition("=")
    return f"{slot}={halves[::-1]}"


def frauds(record: list[Event]) -> dict[str, list[Event]]:
    deal = first_deal(record)
    (above, below), (hand, *rest) = deal.start, deal.hands
    exchanged = ((deal.aside[0], *hand[1:]), *rest)
    return {
        "a tile of the pair turned": changed(record, RoundDealt, start=(above, flip_slot(below))),
        "the pair exchanged": changed(record, RoundDealt, start=(f"H(0,0){below[6:]}", f"H(0,1){above[6:]}")),
        "the tile set aside exchanged": changed(record, RoundDealt, hands=exchanged, aside=hand[:1]),
        "the tile set aside left out": changed(record, RoundDealt, aside=()),
        "another leader": changed(record, RoundDealt, to_move=(deal.to_move + 1) % 3),
        "fewer lots": changed(record, RoundDealt, lots=tuple(seat for seat in range(3) if seat != deal.to_move)),
        "a pair called void": changed(record, DealVoided, start=deal.start),
    }


def test_an_honest_record_passes_both_checkers(record: list[Event]) -> None:
    assert verify(record) == []
    assert run_program(exported(record)) == (0, "FAIR: fair 4 givers 1, 2, 3\n")
    deals = [event for event in record if isinstance(event, RoundDealt)]
    assert [deal.lots for deal in deals] == [(0, 1, 2), (), ()]


def test_both_checkers_find_every_fraud(record: list[Event]) -> None:
    for name, events in frauds(record).items():
        assert events != record, name
        assert verify(events), name
    assert set(verdicts(map(exported, frauds(record).values()))) == {"unfair"}


def test_both_orientations_are_dealt() -> None:
    """The second tile lies with its lower half first in about half of the deals of two different halves."""
    state = start_state(new_match(RYTMINO, 4, {}))
    starts = [RYTMINO.deal(state, Random(seed).sample(range(30), 30)).start[1] for seed in range(100)]
    mixed = [text for text in starts if text[-1] != text[-3]]
    rising = sum(text[-3] < text[-1] for text in mixed)
    assert 20 < rising < len(mixed) - 20
