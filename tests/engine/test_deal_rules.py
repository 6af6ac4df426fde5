"""The dealing rules of the JavaScript verifier are those of the engine, for every seat count and option."""

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
from tests.engine.verifiers import run_script

DEALS = 12  # deals per table; half of them group similar tiles, so that rare rules apply
NO_LIMIT = 1000  # no limit of draws in a turn


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


def balanced_order(rules: Rules, seats: int, size: int) -> list[int]:
    """Return an order in which, if it can be, no hand has a double and each has as many pips as the others."""
    tiles = rules.tile_set
    mixed = sorted((sum(tile), index) for index, tile in enumerate(tiles) if not is_double(tile))
    sets = [
        [index for _, index in mixed[place : place + seats]]
        for place in range(len(mixed) - seats)
        if mixed[place][0] == mixed[place + seats - 1][0] and mixed[place - 1][0] != mixed[place][0]
    ]
    dealt = [index for hand in list(zip(*sets, strict=True)) for index in hand[:size]]
    return [*dealt, *(index for index in range(len(tiles)) if index not in dealt)]


def orders(rules: Rules, seats: int, size: int, seed: str) -> Iterator[Sequence[int]]:
    """Yield orders of the set: random ones, and sorted ones that make deals void or require lots."""
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
    yield balanced_order(rules, seats, size)


@cache
def questions() -> list[Question]:
    rows = []
    for rules in registry().values():
        for seats, options in tables(rules):
            state = start_state(new_match(rules, seats, options))
            for number, order in enumerate(orders(rules, seats, rules.hand_size(state), f"{rules.key} {options}")):
                following = None if number % 3 == 0 else number % seats
                rows.append(Question(rules, state, rules.deal(state, order), following))
    return rows


def first_of(lots: list[int]) -> Any:
    """Return a lot that falls on the first seat, and notes among whom it was drawn."""

    def lot(seats: Sequence[int]) -> int:
        lots.extend(seats)
        return seats[0]

    return lot


def texts(tiles: Sequence[Tile]) -> list[str]:
    return list(map(tile_text, tiles))


def by_the_engine(question: Question) -> dict[str, Any]:
    rules, state, deal, following = question
    lots: list[int] = []
    lead = rules.leader(replace(state, lead=following), deal, first_of(lots))
    draws = rules.draws_left(replace(state, boneyard=rules.tile_set))
    return {
        "version": rules.rules_version,
        "seats": list(rules.seat_counts),
        "set": texts(rules.tile_set),
        "cells": [text.partition("=")[0] for text in deal.start],
        "options": [
            [option.name, [*sorted(option.choices, key=option.default.__ne__), *option.board_choices]]
            for option in rules.options
        ],
        "option_seats": {option.name: list(option.seats) for option in rules.options if option.seats},
        "draws": NO_LIMIT if draws is None else draws,
        "size": len(deal.hands[0]),
        "void": rules.void_rule(deal),
        "lead": [lead.seat, lead.rule, texts(lead.tiles), lots],
    }


def for_the_verifier(question: Question) -> dict[str, Any]:
    return {
        "variant": question.rules.key,
        "seats": question.state.setup.seats,
        "options": question.options,
        "hands": list(map(texts, question.deal.hands)),
        "laid": texts(question.laid),
        "following": question.following,
    }


def test_verifier_has_exactly_the_rules_of_every_game() -> None:
    games, *answers = run_script("deal_rules.mjs", [None, *map(for_the_verifier, questions())])
    assert sorted(games) == sorted(registry())
    for question, answer in zip(questions(), answers, strict=True):
        assert answer == by_the_engine(question)


def test_sampled_deals_cover_rare_rules() -> None:
    answers = [(question.rules.key, by_the_engine(question)) for question in questions()]
    assert {key for key, answer in answers if answer["void"]} == {"kozel", "rytmino"}
    assert {key for key, answer in answers if answer["lead"][3]} == {"all_fives", "rytmino", "triominoes"}
    assert any(len(answer["lead"][2]) > 1 for key, answer in answers if key == "triominoes")
