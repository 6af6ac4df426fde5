"""The verifier contains the rules about dealing: they are those of the engine, for every table there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.rules import Deal, Rules
from games.engine.state import State
from games.engine.tiles import Tile, is_double, tile_text
from games.engine.variants import registry
from tests.engine.matches import tables
from tests.engine.verifiers import in_node

DEALS = 12
"""Of each table; half of them with like tiles together, so that rules that seldom apply do."""
NO_LIMIT = 1000
"""Of draws in a turn, in both tables."""


class Question(NamedTuple):
    """A deal of some table, and who leads after the round before."""

    rules: Rules
    state: State
    deal: Deal
    following: int | None

    @property
    def options(self) -> dict[str, str]:
        return dict(self.state.setup.options)

    @property
    def laid(self) -> list[Tile]:
        return [tuple(map(int, text.partition("=")[2].split("-"))) for text in self.deal.start]


def alike(rules: Rules, seats: int, size: int) -> list[int]:
    """Return an order in which, if it can be, no hand has a double and each has as many pips as the others."""
    tiles = rules.tile_set
    others = sorted((sum(tile), index) for index, tile in enumerate(tiles) if not is_double(tile))
    sets = [
        [index for _, index in others[place : place + seats]]
        for place in range(len(others) - seats)
        if others[place][0] == others[place + seats - 1][0] and others[place - 1][0] != others[place][0]
    ]
    dealt = [index for hand in list(zip(*sets, strict=True)) for index in hand[:size]]
    return [*dealt, *(index for index in range(len(tiles)) if index not in dealt)]


def orders(rules: Rules, seats: int, size: int, seed: str) -> Iterator[Sequence[int]]:
    """Yield orders of the set: at random, and sorted by what makes a deal void or the lead a matter of lots."""
    chance, tiles = Random(seed), rules.tile_set
    doubles = [index for index, tile in enumerate(tiles) if is_double(tile)]
    for number in range(DEALS):
        order = chance.sample(range(len(tiles)), len(tiles))
        if number % 4 == 1:
            order.sort(key=lambda index: is_double(tiles[index]), reverse=number % 8 == 1)
        elif number % 4 == 3:
            order.sort(key=lambda index: max(tiles[index]), reverse=number % 8 == 3)
        yield order
    yield [*(index for index in range(len(tiles)) if index not in doubles), *doubles]
    yield alike(rules, seats, size)


@cache
def questions() -> list[Question]:
    found = []
    for rules in registry().values():
        for seats, options in tables(rules):
            state = start_state(new_match(rules, seats, options))
            for number, order in enumerate(orders(rules, seats, rules.hand_size(state), f"{rules.key} {options}")):
                following = None if number % 3 == 0 else number % seats
                found.append(Question(rules, state, rules.deal(state, order), following))
    return found


def first_of(lots: list[int]) -> Any:
    """Return a lot that falls on the first seat, and notes among whom it was drawn."""

    def lot(seats: Sequence[int]) -> int:
        lots.extend(seats)
        return seats[0]

    return lot


def texts(tiles: Sequence[Tile]) -> list[str]:
    return list(map(tile_text, tiles))


def by_the_engine(asked: Question) -> dict[str, Any]:
    rules, state, deal, following = asked
    lots: list[int] = []
    lead = rules.leader(replace(state, lead=following), deal, first_of(lots))
    draws = rules.draws_left(replace(state, boneyard=rules.tile_set))
    return {
        "version": rules.rules_version,
        "seats": list(rules.seat_counts),
        "set": texts(rules.tile_set),
        "cells": [text.partition("=")[0] for text in deal.start],
        "options": [
            [each.name, [each.default, *(choice for choice in each.choices if choice != each.default)]]
            for each in rules.options
        ],
        "option_seats": {each.name: list(each.seats) for each in rules.options if each.seats},
        "draws": NO_LIMIT if draws is None else draws,
        "size": len(deal.hands[0]),
        "void": rules.void_rule(deal),
        "lead": [lead.seat, lead.rule, texts(lead.tiles), lots],
    }


def for_the_verifier(asked: Question) -> dict[str, Any]:
    return {
        "variant": asked.rules.key,
        "seats": asked.state.setup.seats,
        "options": asked.options,
        "hands": list(map(texts, asked.deal.hands)),
        "laid": texts(asked.laid),
        "following": asked.following,
    }


def test_the_verifier_knows_the_rules_of_every_game_and_no_other() -> None:
    games, *answers = in_node("deal_rules.mjs", [None, *map(for_the_verifier, questions())])
    assert sorted(games) == sorted(registry())
    for asked, answer in zip(questions(), answers, strict=True):
        assert answer == by_the_engine(asked)


def test_the_questions_meet_the_rules_that_seldom_apply() -> None:
    answers = [(asked.rules.key, by_the_engine(asked)) for asked in questions()]
    assert {key for key, answer in answers if answer["void"]} == {"kozel", "rytmino"}
    assert {key for key, answer in answers if answer["lead"][3]} == {"all_fives", "rytmino", "triominoes"}
    assert any(len(answer["lead"][2]) > 1 for key, answer in answers if key == "triominoes")
