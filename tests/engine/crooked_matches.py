"""Matches that a dishonest site deals and lets play on: chosen deals, or false words about them, every hash right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from itertools import count
from typing import Any

from games.engine.deal import commitment, deal_source, nonce_commitment
from games.engine.decide import Shuffle, deal_round
from games.engine.events import DealVoided, Event, KeyRevealed, MatchStarted, RoundDealt, RoundEnded, SecretRevealed
from games.engine.evolve import evolve
from games.engine.variants import registry, rules_for
from tests.engine.honest_matches import Data, HonestBoard, HonestMatch, export_events


class DishonestMatch(HonestMatch):
    """A match whose second attempt or later deals are as the site likes them; ``tamper`` changes what is dealt."""

    tamper: Callable[[DishonestMatch, int, Shuffle, str], tuple[Event, ...]]

    def __init__(self, variant: str, seats: int, seed: str, tamper: Any, **options: str) -> None:
        super().__init__(rules_for(variant), seats, options, seed)
        self.sit(*["gave"] * (seats - 1))
        self.tamper = tamper

    def _deal(self) -> None:
        number = self.state.round.number + 1
        key = self._key(number)
        shuffle = deal_source(self.started).shuffler(key, number, len(self.rules.tile_set))
        self._apply(self.tamper(self, number, shuffle, commitment(key)))

    def dealt(self, shuffle: Shuffle, promise: str) -> tuple[Event, ...]:
        """Return the deal that this shuffle makes by the rules."""
        return deal_round(self.rules, self.state, shuffle, commitment=promise)


def void_deals_at_will(table: DishonestMatch, number: int, shuffle: Shuffle, promise: str) -> tuple[Event, ...]:
    """Call the first deals void, whatever is in them, until seat 0 holds two doubles."""
    for skipped in count(1):
        events = table.dealt(partial(skip_tiles, shuffle, skipped), promise)
        deal = events[-1]
        assert isinstance(deal, RoundDealt)
        if sum(len(set(tile)) == 1 for tile in deal.hands[0]) >= 2:
            break
    rule = "rytmino.start" if table.rules.key == "rytmino" else "kozel.redeal"
    attempts = range(1, skipped + 1)
    deals = [table.rules.deal(table.state, shuffle(attempt)) for attempt in attempts]
    voided = [
        DealVoided(number, attempt, deal.hands, deal.boneyard, rule, promise, deal.start, deal.aside)
        for attempt, deal in zip(attempts, deals, strict=True)
    ]
    later = (replace(event, attempt=event.attempt + skipped) for event in events if isinstance(event, RoundDealt))
    return (*voided, *later)


def skip_tiles(shuffle: Shuffle, skipped: int, attempt: int) -> Sequence[int]:
    """Shuffle as some attempts later; lots are as they were."""
    return shuffle(attempt + skipped if attempt else 0)


def keep_void_deal(table: DishonestMatch, number: int, shuffle: Shuffle, promise: str) -> tuple[Event, ...]:
    """Play a deal that the rules void."""
    lenient = type("Lenient", (type(table.rules),), {"void_rule": lambda self, deal: ""})()
    return deal_round(lenient, table.state, shuffle, commitment=promise)


def change_fields(**fields: Callable[[RoundDealt], Any]) -> Any:
    """Return the scheme that changes fields of what was dealt fairly."""

    def tamper(table: DishonestMatch, number: int, shuffle: Shuffle, promise: str) -> tuple[Event, ...]:
        *voided, deal = table.dealt(shuffle, promise)
        assert isinstance(deal, RoundDealt)
        return (*voided, replace(deal, **{name: change(deal) for name, change in fields.items()}))

    return tamper


def deal_honestly(table: DishonestMatch, number: int, shuffle: Shuffle, promise: str) -> tuple[Event, ...]:
    """Deal by the rules."""
    return table.dealt(shuffle, promise)


def grind_key(table: DishonestMatch, number: int, shuffle: Shuffle, promise: str) -> tuple[Event, ...]:
    """Deal round 2 by a key that was found, not derived."""
    key = table._key(number)
    shuffle = deal_source(table.started).shuffler(key, number, len(table.rules.tile_set))
    return table.dealt(shuffle, commitment(key))


class KeyGrinder(DishonestMatch):
    """A site that chooses the key of round 2 when it has seen what the others would deal."""

    def _key(self, number: int) -> str:
        return sha256(b"found").hexdigest() if number == 2 else super()._key(number)


def moved_tiles(deal: RoundDealt) -> tuple[tuple[Any, ...], ...]:
    """Give two tiles of the first hand to the second."""
    first, second, *rest = deal.hands
    return (first[:-2], (*first[-2:], *second), *rest)


def other_leader(deal: RoundDealt) -> int:
    return (deal.to_move + 1) % len(deal.hands)


SHORT_MATCH_MOVES = 30  # moves of a match whose first deal is the forged one


def dishonest_match(
    variant: str, seats: int, tamper: Any, *, seed: str = "x", moves: int = SHORT_MATCH_MOVES, **options: str
) -> Data:
    return export_events(DishonestMatch(variant, seats, seed, tamper, **options).play_match(moves))


def match_with_start(variant: str, seats: int, moves: int = SHORT_MATCH_MOVES, **fields: Any) -> Data:
    """Return a match that was dealt honestly after a start with these fields."""
    table = DishonestMatch(variant, seats, "start", deal_honestly)
    table.start_with(**fields)
    return export_events(table.play_match(moves))


def match_with_named_leader(variant: str) -> Data:
    """Let another seat lead round 2 than the end of round 1 says, in both places."""
    table = DishonestMatch(variant, 3, "leader", deal_honestly)

    def book(events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, RoundEnded) and event.lead is not None:
                event = replace(event, lead=(event.lead + 1) % 3)
            table.events.append(event)
            table.state = evolve(table.state, event)

    table._apply = book  # type: ignore[method-assign]
    return export_events(table.play_match(300))


def seed_with_void_deal(variant: str, seats: int) -> str:
    """Return the seed of a match whose first deal the rules void."""
    for seed in map(str, count()):
        table = DishonestMatch(variant, seats, seed, deal_honestly)
        table.step()
        if isinstance(table.events[1], DealVoided):
            return seed
    raise AssertionError("unreachable")


@cache
def deal_schemes() -> dict[str, Data]:
    """Return a record for each way in which a site could choose deals or say something false about them."""
    records: dict[str, Data] = {}
    for variant in registry():
        records[f"{variant}: deals called void at will"] = dishonest_match(variant, 2, void_deals_at_will)
        records[f"{variant}: hands of other sizes"] = dishonest_match(variant, 2, change_fields(hands=moved_tiles))
        records[f"{variant}: another leader"] = dishonest_match(
            variant, 3, change_fields(to_move=other_leader, must_lead=lambda _: ())
        )
        records[f"{variant}: lots with one seat alone"] = dishonest_match(
            variant,
            4,
            change_fields(lots=lambda deal: (other_leader(deal),) * 4, to_move=other_leader, must_lead=lambda _: ()),
        )
        records[f"{variant}: lots left out"] = dishonest_match(
            variant, 4, change_fields(lots=lambda _: (), to_move=other_leader, must_lead=lambda _: ())
        )
        records[f"{variant}: other tiles may be led"] = dishonest_match(
            variant, 2, change_fields(must_lead=lambda deal: () if deal.must_lead else deal.hands[deal.to_move][:1])
        )
    for variant in ("all_fives", "rytmino"):
        records[f"{variant}: lots among fewer seats"] = dishonest_match(
            variant, 4, change_fields(lots=lambda deal: tuple(sorted({deal.to_move, other_leader(deal)})))
        )
    for variant in ("kozel", "all_fives"):
        records[f"{variant}: the next leader named"] = match_with_named_leader(variant)
    for variant, seats in (("kozel", 4), ("rytmino", 2)):
        seed = seed_with_void_deal(variant, seats)
        records[f"{variant}: a void deal played"] = dishonest_match(variant, seats, keep_void_deal, seed=seed, moves=0)
    records["the key of a round found, not derived"] = export_events(
        KeyGrinder("gamezz", 2, "x", grind_key).play_match()
    )
    records |= start_schemes() | board_schemes()
    return records | record_schemes()


def start_schemes() -> dict[str, Data]:
    """Return matches that were dealt honestly from a start that says something false."""
    one, two = map(nonce_commitment, "ab")
    start = partial(match_with_start, "kozel", 2)
    return {
        "a bot with a nonce": start(nonces=["a", "b"], nonce_commitments=[one, two], bots=[1]),
        "a bot with a commitment": start(nonces=["a", ""], nonce_commitments=[one, two], bots=[1]),
        "a nonce that is not the one committed to": start(nonces=["a", "c"], nonce_commitments=[one, two]),
        "a nonce of a seat that committed to none": start(nonces=["a", "b"], nonce_commitments=[one, ""]),
        "commitments of two seats exchanged": start(nonces=["a", "b"], nonce_commitments=[two, one]),
        "a commitment too many": start(nonces=["a", "b"], nonce_commitments=[one, two, ""]),
        "a nonce too many": start(nonces=["a", "b", "c"], nonce_commitments=[one, two]),
        "a bot at no seat": start(bots=[7]),
        "bots without commitments": start(nonces=["a", ""], nonce_commitments=[], bots=[1]),
        "a commitment to another secret": start(commitment="ab" * 32),
    }


Fields = dict[str, Any]  # of the start of a match

# Changes of an honest board after it was played.
FALSE_BOARDS: dict[str, Fields] = {
    "another number": {"first": 3},
    "number 0": {"first": 0},
    "another set": {"source": "daily-other"},
    "no set": {"source": ""},
    "no set, number or entropy": {"source": "", "first": 1, "entropy": ""},
    "other entropy": {"entropy": "ab" * 32},
    "no entropy": {"entropy": ""},
    "the name of its set as its own and no set": {"source": "", "match": "daily-board"},
    "a commitment to another secret": {"commitment": "ab" * 32},
    "a bot at no seat": {"bots": (7,)},
}
# Starts from which boards are dealt as the algorithm has it, although they let somebody choose.
CHOSEN_BOARDS: dict[str, Fields] = {
    "nonces of its own": {"nonces": ["a", "", "", ""], "nonce_commitments": [nonce_commitment("a"), "", "", ""]},
    "commitments of its own": {"nonce_commitments": [nonce_commitment("a"), "", "", ""]},
    "a chosen text": {"entropy": "chosen"},
    "number 0": {"first": 0},
}


def board_schemes() -> dict[str, Data]:
    """Return boards that were dealt from something else than they say, and boards that say something false."""
    start, *later = honest_board(2).play_match()
    assert isinstance(start, MatchStarted)
    records = {
        f"a board, afterwards with {name}": export_events([replace(start, **fields), *later])
        for name, fields in FALSE_BOARDS.items()
    }
    for name, fields in CHOSEN_BOARDS.items():
        board = honest_board(1)
        board.start_with(**fields)
        records[f"a board dealt with {name}"] = export_events(board.play_match())
    other_key = KeyRevealed(1, honest_board(3)._key(1))
    records["a board with the key of another one"] = export_events(
        [start, *(other_key if isinstance(event, KeyRevealed) else event for event in later)]
    )
    records["a match with entropy of a board"] = match_with_start("gamezz", 2, entropy="ab" * 32)
    records["a match with the number of a board"] = match_with_start("gamezz", 2, first=2)
    return records


def honest_board(number: int) -> HonestBoard:
    return HonestBoard(rules_for("gamezz"), 4, "board", board=number)


def record_schemes() -> dict[str, Data]:
    """Return an honest record of several rounds with its facts told in another order, twice, or not at all."""
    table = DishonestMatch("gamezz", 2, "record", deal_honestly)
    events = list(table.play_match())
    keys = [place for place, event in enumerate(events) if isinstance(event, KeyRevealed)]
    deals = [place for place, event in enumerate(events) if isinstance(event, RoundDealt)]
    other = KeyRevealed(1, "ab" * 32)
    early = [event for place, event in enumerate(events) if place != keys[0]]
    early.insert(deals[0] + 1, events[keys[0]])
    late = [event for place, event in enumerate(events) if place != keys[0]]
    late.insert(deals[1], events[keys[0]])
    reordered = list(events)
    reordered[keys[0]], reordered[keys[1]] = reordered[keys[1]], reordered[keys[0]]
    return {
        "a second key of a round, before": export_events([*events[: keys[0]], other, *events[keys[0] :]]),
        "a second key of a round, behind": export_events([*events[: keys[0] + 1], other, *events[keys[0] + 1 :]]),
        "the same key twice": export_events([*events[: keys[0] + 1], *events[keys[0] :]]),
        "a key before its round was over": export_events(early),
        "a key after the next deal": export_events(late),
        "keys of two rounds exchanged": export_events(reordered),
        "a key left out": export_events([*events[: keys[0]], *events[keys[0] + 1 :]]),
        "a round left out": export_events([*events[: deals[0]], *events[deals[1] :]]),
        "a round left out, the others numbered again": export_events(
            renumber([*events[: deals[0]], *events[deals[1] :]])
        ),
        "a round twice": export_events([*events[: deals[1]], *events[deals[0] :]]),
        "no end": export_events([*events[: deals[-1]], events[-1]]),
        "the secret before the end": export_events([*events[: deals[-1]], events[-1], *events[deals[-1] : -1]]),
        "the secret twice": export_events([*events, events[-1]]),
        "another secret": export_events([*events[:-1], SecretRevealed("ab" * 32)]),
        "the start twice": export_events([events[0], *events]),
        "something after the end": export_events([*events, *events[deals[0] : keys[0] + 1]]),
        "the tiles of the set in another order": export_events(events)
        | {"tiles": export_events(events)["tiles"][::-1]},
        "another name in the head": export_events(events) | {"match": "other"},
    }


def renumber(events: Sequence[Event]) -> list[Event]:
    """Count the rounds again."""
    number, records = 0, list[Event]()
    for event in events:
        number += isinstance(event, RoundDealt)
        changed: Any = event
        records.append(replace(changed, round=number) if hasattr(event, "round") else event)
    return records
