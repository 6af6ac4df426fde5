"""Honest records with something changed about their deals, as JSON data: the same for the same seed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from games.engine.deal import nonce_commitment
from games.engine.events import Event
from games.engine.variants import registry
from tests.engine.honest_matches import Data, export_events

Row = dict[str, Any]  # an event as JSON data


def rows_of(data: Data, *kinds: str) -> list[Row]:
    return [row for row in data["events"] if row["kind"] in kinds]


def digest(chance: Random) -> str:
    return chance.randbytes(32).hex()


def heaps(row: Row) -> list[list[str]]:
    """Return the heaps of a deal that have tiles, without those on the table."""
    return [heap for heap in (*row["hands"], row["boneyard"], row.get("aside", [])) if heap]


def any_deal(data: Data, chance: Random) -> Row:
    return chance.choice(rows_of(data, "round_dealt", "deal_voided"))


def exchange_tiles(data: Data, chance: Random) -> None:
    one, other = chance.sample(heaps(any_deal(data, chance)), 2)
    first, second = chance.randrange(len(one)), chance.randrange(len(other))
    one[first], other[second] = other[second], one[first]


def reorder_heap(data: Data, chance: Random) -> None:
    heap = chance.choice(heaps(any_deal(data, chance)))
    first, second = chance.sample(range(len(heap)), 2)
    heap[first], heap[second] = heap[second], heap[first]


def replace_tile(data: Data, chance: Random) -> None:
    heap = chance.choice(heaps(any_deal(data, chance)))
    heap[chance.randrange(len(heap))] = chance.choice(data["tiles"])


def move_tile(data: Data, chance: Random) -> None:
    one, other = chance.sample(heaps(any_deal(data, chance)), 2)
    other.append(one.pop())


def change_start(data: Data, chance: Random) -> None:
    start = any_deal(data, chance)["start"]
    start[0] = start[0].replace("H(0,0)", chance.choice(["V(0,0)", "H(1,0)"]))


def change_number(data: Data, chance: Random) -> None:
    row = any_deal(data, chance)
    row[chance.choice(["round", "attempt"])] += chance.choice([-1, 1, 2])


def change_key(data: Data, chance: Random) -> None:
    row = chance.choice(rows_of(data, "key_revealed"))
    row["key"] = chance.choice([digest(chance), row["key"][::-1], chance.choice(rows_of(data, "key_revealed"))["key"]])


def change_key_round(data: Data, chance: Random) -> None:
    chance.choice(rows_of(data, "key_revealed"))["round"] += chance.choice([-1, 1])


def change_secret(data: Data, chance: Random) -> None:
    chance.choice(rows_of(data, "secret_revealed"))["secret"] = digest(chance)


def change_commitment(data: Data, chance: Random) -> None:
    chance.choice(rows_of(data, "match_started", "round_dealt", "deal_voided"))["commitment"] = digest(chance)


def drop_commitment(data: Data, chance: Random) -> None:
    del chance.choice(rows_of(data, "match_started", "round_dealt", "deal_voided"))["commitment"]


def revealed_nonce_seat(data: Data, chance: Random) -> int:
    """Return a seat whose nonce is in the deals."""
    return chance.choice([seat for seat, nonce in enumerate(data["events"][0]["nonces"]) if nonce])


def change_nonce(data: Data, chance: Random) -> None:
    data["events"][0]["nonces"][revealed_nonce_seat(data, chance)] = chance.choice(["", digest(chance)[:16], "жребий"])


def change_nonce_and_commitment(data: Data, chance: Random) -> None:
    start, seat, nonce = data["events"][0], revealed_nonce_seat(data, chance), digest(chance)[:32]
    start["nonces"][seat], start["nonce_commitments"][seat] = nonce, nonce_commitment(nonce)


def change_promise(data: Data, chance: Random) -> None:
    data["events"][0]["nonce_commitments"][revealed_nonce_seat(data, chance)] = chance.choice(
        ["", "x", digest(chance)]
    )


def change_count_of_nonces(data: Data, chance: Random) -> None:
    row = data["events"][0][chance.choice(["nonces", "nonce_commitments"])]
    row.append("") if chance.random() < 0.5 else row.pop()


def change_bots(data: Data, chance: Random) -> None:
    start, seat = data["events"][0], revealed_nonce_seat(data, chance)
    start["bots"] = chance.choice([sorted({*start.get("bots", []), seat}), [9], [-1], [seat, seat]])


def change_lots(data: Data, chance: Random) -> None:
    row = chance.choice(rows_of(data, "round_dealt"))
    seats = list(range(len(row["hands"])))
    choices = [[], seats, seats[::-1], [row["to_move"]] * 4, seats[:-1]]
    row["lots"] = chance.choice([lots for lots in choices if lots != row.get("lots", [])])


def change_leader(data: Data, chance: Random) -> None:
    row = chance.choice(rows_of(data, "round_dealt"))
    row["to_move"] = (row["to_move"] + 1) % len(row["hands"])


def change_next_leader(data: Data, chance: Random) -> None:
    row = chance.choice(rows_of(data, "round_ended"))
    row["lead"] = chance.choice([None, 0, 1, 7])


def change_led_tiles(data: Data, chance: Random) -> None:
    row = chance.choice(rows_of(data, "round_dealt"))
    row["must_lead"] = chance.choice([[], [chance.choice(data["tiles"])], row["hands"][0]])


def change_kind(data: Data, chance: Random) -> None:
    row = any_deal(data, chance)
    row["kind"] = "round_dealt" if row["kind"] == "deal_voided" else "deal_voided"
    if row["kind"] == "round_dealt":
        row |= {"to_move": 0, "must_lead": [], "standing": []}
    else:
        for name in ("to_move", "must_lead", "standing", "pot", "lots"):
            row.pop(name, None)


def change_rule(data: Data, chance: Random) -> None:
    any_deal(data, chance)["rule"] = chance.choice(["kozel.redeal", "kozel.lead_first", "rytmino.start", ""])


def change_drawn(data: Data, chance: Random) -> None:
    chance.choice(rows_of(data, "drew"))["tile"] = chance.choice(data["tiles"])


def play_foreign_tile(data: Data, chance: Random) -> None:
    """Let a seat play a tile that was never its own in that round; which of its own it plays, it may choose."""
    row = chance.choice(rows_of(data, "played"))
    before = data["events"][: row["seq"]]
    place = max(place for place, row in enumerate(before) if row["kind"] == "round_dealt")
    drawn = {row["tile"] for row in before[place:] if row["kind"] == "drew" and row["seat"] == row["seat"]}
    row["tile"] = chance.choice(
        [tile for tile in data["tiles"] if tile not in {*before[place]["hands"][row["seat"]], *drawn}]
    )


def change_head(data: Data, chance: Random) -> None:
    start = data["events"][0]
    name = chance.choice(["match", "variant", "seats"])
    choices = {"match": "x", "variant": chance.choice(list(registry())), "seats": chance.choice([2, 3, 4])}
    start[name] = choices[name]


def renumber(data: Data) -> None:
    for seq, row in enumerate(data["events"], 1):
        row["seq"] = seq


# Events that occur once, in a fixed place. Moves between them are checked by the rules, not by the proof.
UNIQUE = (
    "match_started",
    "deal_voided",
    "round_dealt",
    "round_ended",
    "key_revealed",
    "match_ended",
    "secret_revealed",
)


def remove_event(data: Data, chance: Random) -> None:
    row = chance.choice([row for row in rows_of(data, *UNIQUE) if row["kind"] != "secret_revealed"])
    data["events"].remove(row)
    renumber(data)


def double_event(data: Data, chance: Random) -> None:
    place = chance.randrange(len(data["events"]))
    data["events"].insert(place, copy.deepcopy(data["events"][place]))
    renumber(data)


def move_event(data: Data, chance: Random) -> None:
    row = chance.choice(rows_of(data, *UNIQUE))
    data["events"].remove(row)
    data["events"].insert(chance.randrange(len(data["events"]) + 1), row)
    renumber(data)


def skip_number(data: Data, chance: Random) -> None:
    chance.choice(data["events"])["seq"] += chance.choice([-1, 1])


def drop_field(data: Data, chance: Random) -> None:
    row = chance.choice(rows_of(data, *UNIQUE))
    needed = ("round", "attempt", "hands", "boneyard", "key", "secret", "to_move", "must_lead", "variant", "nonces")
    del row[chance.choice([name for name in needed if name in row])]


MUTATORS: tuple[Callable[[Data, Random], None], ...] = (
    exchange_tiles, reorder_heap, replace_tile, move_tile, change_start, change_number, change_key, change_key_round,
    change_secret, change_commitment, drop_commitment, change_nonce, change_nonce_and_commitment, change_promise,
    change_count_of_nonces, change_bots, change_lots, change_leader, change_next_leader, change_led_tiles, change_kind,
    change_rule, change_drawn, play_foreign_tile, change_head, remove_event, double_event, move_event, skip_number,
    drop_field,
)  # fmt: skip


def mutate(events: Sequence[Event], seed: str) -> tuple[str, Data]:
    """Return the name of a mutation and the record it makes of an honest one."""
    chance, original = Random(f"mutation {seed}"), export_events(events)
    while True:
        data, mutate = copy.deepcopy(original), chance.choice(MUTATORS)
        try:
            mutate(data, chance)
        except (IndexError, KeyError, ValueError):  # there is nothing of that kind in this match
            continue
        if data != original:
            return mutate.__name__, data
