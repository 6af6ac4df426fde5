#!/usr/bin/env python3
"""Check that the tiles of an exported match were dealt as the site had committed itself to deal them.

    python3 verify_deal.py match.json        (or: python3 verify_deal.py < match.json)

It needs Python 3.9 or newer and nothing else: no package, no network, no file of the site. The algorithm, and what a
result proves and what not, stand in fair-dealing.md. The rules of the five games, as far as they decide about a deal,
are written down here once more, so that a record cannot bring rules of its own. The last line begins with the result,
and the exit code says the same:

    0  FAIR       every check holds
    1  UNFAIR     at least one does not
    2  UNCHECKED  the match is not over (its finished rounds are checked), or the file is no match that is known here
    3  LIMITED    every check holds, but the record does not show that the site could not choose its secret
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

FAIR, UNFAIR, UNCHECKED, LIMITED = 0, 1, 2, 3
FORMATS = (1, 2)
MOST_BYTES = 10_000_000
MOST_EVENTS = 20_000
LONGEST_TEXT = 100
LONGEST_LIST = 100
LARGEST_NUMBER = 10**9
MOST_WRONG = 200
"""No more deals and moves are looked at when so much is wrong."""
MOST_LINES = 50
"""More findings than this are only counted."""

Tile = tuple[int, ...]
Event = dict[str, Any]
Lot = Callable[[Sequence[int]], int]


class Unreadable(Exception):
    """The file is no match that is known here."""


@dataclass
class Findings:
    """What does not hold, what is missing, and what the record does not prove, in words."""

    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    dealt: int = 0
    givers: list[int] = field(default_factory=list)
    """The seats whose nonces are in the deals."""

    def require(self, holds: bool, text: str) -> None:
        """Note the text unless it holds."""
        if not holds:
            self.wrong.append(text)


# The algorithm


def mac(key: bytes, *fields: str) -> bytes:
    """HMAC-SHA256 over texts, each in UTF-8 and preceded by its length in bytes (4 bytes, big-endian)."""
    parts = [text.encode("utf-8") for text in fields]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.new(key, message, hashlib.sha256).digest()


def round_key(secret: bytes, match: str, number: int) -> bytes:
    """Derive the key of a round from the secret of the match."""
    return mac(secret, "round", match, str(number))


def random_words(key: bytes, match: str, number: int, attempt: int, nonces: Sequence[str]) -> Iterator[int]:
    """Yield numbers of 32 bits without end: eight from each block of 32 bytes."""
    for block in itertools.count():
        digest = mac(key, "deal", match, str(number), str(attempt), str(block), str(len(nonces)), *nonces)
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def shuffled(count: int, words: Iterator[int]) -> list[int]:
    """Fisher-Yates from the end; words of the incomplete last run are discarded, so that nothing is favoured."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        size = last + 1
        word = next(word for word in words if word < 2**32 - 2**32 % size)
        order[last], order[word % size] = order[word % size], order[last]
    return order


def sha256_of(data: bytes) -> str:
    """Return SHA-256 in hexadecimal: the commitment to a secret, a key or a nonce."""
    return hashlib.sha256(data).hexdigest()


# The rules of the games, as far as they decide about a deal


def tile_of(text: str) -> Tile:
    """Read a tile: ``6-4``, ``0-1-2``."""
    return tuple(map(int, text.split("-")))


def text_of(tile: Tile) -> str:
    """Write a tile."""
    return "-".join(map(str, tile))


def double_set(values: Sequence[int]) -> list[Tile]:
    """Return all tiles of two halves in ascending order, the higher half first."""
    return [(high, low) for high in values for low in values if low <= high]


def is_double(tile: Tile) -> bool:
    """Return whether all parts of the tile show one value."""
    return len(set(tile)) == 1


def first_held(order: Sequence[Tile], hands: Sequence[Sequence[Tile]]) -> tuple[int, Tile]:
    """Return the first tile of the list that is in a hand, and whose hand that is."""
    return next((seat, tile) for tile in order for seat, hand in enumerate(hands) if tile in hand)


def lead_order(doubles: Sequence[int]) -> list[Tile]:
    """Return the doubles in this order, then the others by falling sum, equal sums by the higher half."""
    others = [tile for tile in double_set(range(7)) if not is_double(tile)]
    return [*((each, each) for each in doubles), *sorted(others, key=lambda tile: (-sum(tile), -tile[0]))]


@dataclass
class Lead:
    """The seat that leads, by which rule, and the only tiles that may be led (none: any)."""

    seat: int
    rule: str
    tiles: Sequence[Tile] = ()


LENGTH = {"length": ("full", "quick")}
"""An option whose first choice is left out of the record, as in matches from before there was the choice."""


class Game:
    """What most games have in common; the first choice of an option is what it is where nobody may choose."""

    version = 2
    """The newest of the rules, which rises when a repair makes them judge differently; those before are known, too."""
    seats = (2, 3, 4)
    options: dict[str, tuple[str, ...]] = {}
    option_seats: dict[str, tuple[int, ...]] = {}
    tiles = double_set(range(7))
    cells: tuple[str, ...] = ()
    """Where tiles lie on the table from the start."""
    has_boneyard = True
    void_rule = ""
    draws = 1000
    """How many tiles may be drawn in a turn."""

    def hand_size(self, seats: int, options: dict[str, str]) -> int:
        """Return how many tiles each seat is dealt."""
        return 7

    def is_void(self, hands: Sequence[Sequence[Tile]], start: Sequence[Tile]) -> bool:
        """Return whether the deal must be dealt again."""
        return False

    def lead(self, hands: Sequence[Sequence[Tile]], following: int | None, lot: Lot) -> Lead:
        """Return which seat leads; ``following`` is the one that the round before names (None: it names none)."""
        raise NotImplementedError

    def next_lead(self, table: Table) -> int | None:
        """Return which seat leads the next round, None if the round just played does not decide."""
        return None


class Kozel(Game):
    """Five doubles, or six tiles of one value, void a deal; the seat that laid the last tile leads the next round."""

    options = {"fish": ("all", "one"), **LENGTH}
    void_rule = "kozel.redeal"
    order = lead_order((1, 2, 3, 4, 5, 6, 0))

    def is_void(self, hands: Sequence[Sequence[Tile]], start: Sequence[Tile]) -> bool:
        """Look at the doubles and the values of each hand."""
        return any(
            sum(map(is_double, hand)) >= 5 or any(sum(value in tile for tile in hand) >= 6 for value in range(7))
            for hand in hands
        )

    def lead(self, hands: Sequence[Sequence[Tile]], following: int | None, lot: Lot) -> Lead:
        """In round 1 the list of leads decides."""
        if following is not None:
            return Lead(following, "kozel.lead_next")
        seat, tile = first_held(self.order, hands)
        return Lead(seat, "kozel.lead_first", [tile])

    def next_lead(self, table: Table) -> int | None:
        """Return the seat that laid the last tile."""
        return table.last


class Gamezz(Game):
    """The list of leads decides in every round."""

    options = LENGTH
    order = lead_order((0, 6, 5, 4, 3, 2, 1))

    def lead(self, hands: Sequence[Sequence[Tile]], following: int | None, lot: Lot) -> Lead:
        """Return the holder of the first tile of the list."""
        seat, tile = first_held(self.order, hands)
        return Lead(seat, "gamezz.lead", [tile])


class AllFives(Game):
    """Lots decide in the first round and after a blocked one."""

    options = {
        "hands": ("9-7-5", "5-5-5", "7-5-5"),
        "partners": ("no", "yes"),
        "hand_end": ("subtract_own", "winner_collects"),
        "target": ("standard", "100", "150", "200", "250"),
        **LENGTH,
    }
    option_seats = {"partners": (4,)}

    def hand_size(self, seats: int, options: dict[str, str]) -> int:
        """The option names the sizes for two, three and four players."""
        return int(options["hands"].split("-")[seats - 2])

    def lead(self, hands: Sequence[Sequence[Tile]], following: int | None, lot: Lot) -> Lead:
        """Draw lots among all, unless somebody went out in the round before."""
        return Lead(lot(range(len(hands))) if following is None else following, "all_fives.lead")

    def next_lead(self, table: Table) -> int | None:
        """Return the seat that went out."""
        return table.out


class Triominoes(Game):
    """The highest triple decides, then the most valuable tiles, then a lot among the tied."""

    options = {"hands": ("leaflet", "official"), **LENGTH}
    tiles = list(itertools.combinations_with_replacement(range(6), 3))
    draws = 3

    def hand_size(self, seats: int, options: dict[str, str]) -> int:
        """Two players are officially dealt nine."""
        return 9 if options["hands"] == "official" and seats == 2 else 7

    def lead(self, hands: Sequence[Sequence[Tile]], following: int | None, lot: Lot) -> Lead:
        """Whoever holds 0-0-0 beside the highest triple may lead it instead."""
        triples = {tile: seat for seat, hand in enumerate(hands) for tile in hand if is_double(tile)}
        if triples:
            seat = triples[max(triples)]
            tiles = [tile for tile in (max(triples), (0, 0, 0)) if triples.get(tile) == seat]
            return Lead(seat, "triominoes.start", sorted(set(tiles), reverse=True))
        worth = [sorted(map(sum, hand), reverse=True) for hand in hands]
        tied = [seat for seat, values in enumerate(worth) if values == max(worth)]
        seat = tied[0] if len(tied) == 1 else lot(tied)
        return Lead(seat, "triominoes.start", [tile for tile in hands[seat] if sum(tile) == worth[seat][0]])


class Rytmino(Game):
    """Two copies of each tile, a starting pair, no boneyard; the lead goes round."""

    version = 3
    options = {"leftover": ("none", "sackson"), "deals": ("1", "per_player")}
    tiles = [tile for tile in double_set(range(1, 6)) for _ in range(2)]
    cells = ("H(0,0)", "H(0,1)")
    has_boneyard = False
    void_rule = "rytmino.start"

    def hand_size(self, seats: int, options: dict[str, str]) -> int:
        """Deal 14, 9 or 7; with three players a tile is left, which is set aside."""
        return {2: 14, 3: 9, 4: 7}[seats]

    def is_void(self, hands: Sequence[Sequence[Tile]], start: Sequence[Tile]) -> bool:
        """A pair of the same double leaves no move."""
        return start[0] == start[1] and is_double(start[0])

    def lead(self, hands: Sequence[Sequence[Tile]], following: int | None, lot: Lot) -> Lead:
        """Draw lots in the first deal."""
        return Lead(lot(range(len(hands))) if following is None else following, "rytmino.start")

    def next_lead(self, table: Table) -> int | None:
        """Return the seat after the leader."""
        return (table.leader + 1) % len(table.hands)


GAMES: dict[str, Game] = {
    "all_fives": AllFives(),
    "gamezz": Gamezz(),
    "kozel": Kozel(),
    "rytmino": Rytmino(),
    "triominoes": Triominoes(),
}


# Reading


def number(text: str) -> float:
    """Read a number with a point or an exponent: ``1.0`` is 1, as in every other program that reads JSON."""
    value = float(text)
    return int(value) if value.is_integer() else value


def is_number(value: object) -> bool:
    """Return whether this is a whole number of a size that a match has."""
    return type(value) is int and abs(value) <= LARGEST_NUMBER


def is_text(value: object) -> bool:
    """Return whether this is a text that has UTF-8, of a length that a match has."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and not re.search("[\ud800-\udfff]", value)


def is_digest(value: object) -> bool:
    """Return whether these are 32 bytes in hexadecimal."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_tile(value: object) -> bool:
    """Return whether this is a tile as it is written."""
    return isinstance(value, str) and re.fullmatch("[0-9](-[0-9]){1,2}", value) is not None


def is_placement(value: object) -> bool:
    """Return whether this is a cell and the tile in it."""
    return isinstance(value, str) and re.fullmatch(r"[HV]\(-?[0-9]{1,3},-?[0-9]{1,3}\)=[0-9]-[0-9]", value) is not None


def is_pair(value: object) -> bool:
    """Return whether this is the name of an option and the choice."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_text, value))


def or_none(check: Callable[[object], bool]) -> Callable[[object], bool]:
    """Return the check that lets null pass, too."""
    return lambda value: value is None or check(value)


def all_of(check: Callable[[object], bool]) -> Callable[[object], bool]:
    """Return the check of a list by its items."""
    return lambda value: isinstance(value, list) and len(value) <= LONGEST_LIST and all(map(check, value))


numbers, texts, tiles = all_of(is_number), all_of(is_text), all_of(is_tile)
DEAL = {"round": is_number, "attempt": is_number, "hands": all_of(tiles), "boneyard": tiles, "rule": is_text}
FIELDS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "match_started": {
        "variant": is_text, "seats": is_number, "options": all_of(is_pair), "rules_version": is_number,
        "match": is_text, "commitment": is_text, "nonces": texts, "nonce_commitments": texts, "bots": numbers,
    },
    "deal_voided": {**DEAL, "commitment": is_text, "start": all_of(is_placement), "aside": tiles},
    "round_dealt": {
        **DEAL, "commitment": is_text, "start": all_of(is_placement), "aside": tiles,
        "to_move": is_number, "must_lead": tiles, "lots": numbers,
    },
    "played": {"seat": is_number, "tile": is_tile, "to_move": or_none(is_number)},
    "drew": {"seat": is_number, "tile": is_tile, "to_move": or_none(is_number)},
    "passed": {"seat": is_number, "to_move": or_none(is_number)},
    "seat_held": {"seat": is_number},
    "seat_returned": {"seat": is_number},
    "seat_forfeited": {"seat": is_number},
    "round_ended": {"round": is_number, "reason": is_text, "lead": or_none(is_number)},
    "key_revealed": {"round": is_number, "key": is_digest},
    "match_ended": {"reason": is_text},
    "secret_revealed": {"secret": is_digest},
}  # fmt: skip
"""What is read of each kind of event; points and standings do not matter here."""
LEFT_OUT: dict[str, Any] = {
    "match": "", "commitment": "", "nonces": [], "nonce_commitments": [], "bots": [],
    "start": [], "aside": [], "lots": [],
}  # fmt: skip
"""What a field is that may be left out."""


def read_events(data: Any) -> list[Event]:
    """Return the events with the fields that matter here. Raise ``Unreadable``."""
    if not isinstance(data, dict) or type(data.get("format")) is not int or data["format"] not in FORMATS:
        raise Unreadable("This is no match in a format known here.")
    rows = data.get("events")
    if not isinstance(rows, list) or not rows:
        raise Unreadable("There are no events in it.")
    if len(rows) > MOST_EVENTS:
        raise Unreadable("This is longer than any match.")
    events = [read_event(place, row) for place, row in enumerate(rows, 1)]
    if events[0]["kind"] != "match_started":
        raise Unreadable("The record does not begin with the start of the match.")
    return events


def read_event(place: int, row: Any) -> Event:
    """Return one event. Raise ``Unreadable``."""
    kind = row.get("kind") if isinstance(row, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Unreadable(f"Event {place} is of no kind known here.")
    event: Event = {"kind": kind, "seq": row.get("seq"), "place": place}
    for name, is_valid in FIELDS[kind].items():
        if name not in row and name not in LEFT_OUT:
            raise Unreadable(f"Event {place}: the field {name} is missing.")
        event[name] = row.get(name, LEFT_OUT.get(name))
        if not is_valid(event[name]):
            raise Unreadable(f"Event {place}: the field {name} cannot be read.")
    return event


def game_of(start: Event) -> Game:
    """Return the game that is played. Raise ``Unreadable`` where this program does not know its rules."""
    game = GAMES.get(start["variant"])
    if game is None:
        raise Unreadable("This program does not know the rules of this game; a newer one may.")
    if not 1 <= start["rules_version"] <= game.version:
        raise Unreadable(f"This program knows the rules of this game up to version {game.version}, and no other.")
    if start["seats"] not in game.seats:
        raise Unreadable("This game is not played by so many.")
    given = [name for name, _ in start["options"]]
    if given != [name for name in game.options if name in given or name not in LENGTH]:
        raise Unreadable("This program does not know the options of this match, or some are missing.")
    for name, choice in start["options"]:
        is_free = start["seats"] in game.option_seats.get(name, game.seats)
        if choice not in game.options[name][: None if is_free else 1]:
            raise Unreadable(f"This program does not know such a choice of the option {name}.")
    return game


# The checks


def check_whole(data: Any, events: list[Event], game: Game, findings: Findings) -> None:
    """Check what is said about the match as a whole."""
    start = events[0]
    numbered = [event["seq"] for event in events]
    holds = numbered == list(range(1, len(events) + 1)) and all(map(is_number, numbered))
    findings.require(holds, "The events are not numbered one by one: some are missing or doubled.")
    holds = data.get("tiles") == list(map(text_of, game.tiles))
    findings.require(holds, "The list of tiles is not the whole set of the game in rising order.")
    for name in ("match", "rules_version"):
        findings.require(data.get(name) == start[name], f"The record names another {name} than its start.")


def check_nonces(start: Event, findings: Findings) -> None:
    """Check the nonces against what was committed to, and say what they prove."""
    seats, nonces, committed, bots = range(start["seats"]), start["nonces"], start["nonce_commitments"], start["bots"]
    findings.require(len(nonces) == len(seats), "There is not one nonce a seat.")
    findings.givers = [seat for seat, nonce in enumerate(nonces) if nonce]
    if not committed:
        findings.require(not bots, "The seats of bots are told, but the commitments to the nonces are missing.")
        findings.limits.append("Nobody committed to a nonce, so the site may have chosen its secret by some of them.")
        return
    findings.require(len(committed) == len(seats), "There is not one commitment to a nonce a seat.")
    findings.require(
        bots == sorted(set(bots)) and set(bots) <= set(seats), "The seats of bots are no seats, or are not in order."
    )
    for seat, (nonce, promise) in enumerate(itertools.zip_longest(nonces, committed, fillvalue="")):
        if seat in bots:
            findings.require(not nonce and not promise, f"Seat {seat}: a bot must not have a nonce.")
        elif nonce:
            holds = promise == sha256_of(nonce.encode("utf-8"))
            findings.require(holds, f"Seat {seat}: the nonce is not the one that was committed to.")
        elif promise:
            findings.require(is_digest(promise), f"Seat {seat}: the commitment to the nonce is none.")
            findings.notes.append(f"Seat {seat} did not open the nonce it had committed to, and was dealt without.")
    if not findings.givers:
        findings.limits.append("No player's nonce is in it, so the site alone chose what decides the deals.")


LETTERS = {
    "match_started": "S", "deal_voided": "v", "round_dealt": "d", "played": "m", "drew": "m", "passed": "m",
    "round_ended": "e", "key_revealed": "k", "match_ended": "x", "secret_revealed": "s",
    "seat_held": "", "seat_returned": "", "seat_forfeited": "",  # who plays in a seat changes at any moment
}  # fmt: skip
FINISHED = "f"
"""The end of a match by its last round; any other end is an x."""
RUNNING = re.compile("S(?:v*dm*ek)*(?:xs?|v*(?:dm*(?:xk?s?|e(?:fk?s?)?)?)?)?")
"""The order in which things happen: rounds, each with void deals before it and its key behind it, and an end."""
OVER = re.compile("S(?:v*dm*ek)*(?:xs|v*dm*(?:xks|efks))")


def check_order(events: list[Event], findings: Findings) -> None:
    """Check that every event was due where it stands, and that there is an end."""
    letters = "".join(
        FINISHED if event["kind"] == "match_ended" and event["reason"] == "finished" else LETTERS[event["kind"]]
        for event in events
    )
    due = RUNNING.match(letters)
    reached = due.end() if due else 0
    ordered = [event for event in events if LETTERS[event["kind"]]]
    if reached < len(ordered):
        findings.wrong.append(f"Event {ordered[reached]['place']}: {ordered[reached]['kind']} cannot stand here.")
    elif not OVER.fullmatch(letters):
        over = "x" in letters or FINISHED in letters
        findings.missing.append("The secret of the match is missing." if over else "The match is not over.")


def check_keys(events: list[Event], findings: Findings) -> dict[int, str]:
    """Check that each round has one key, and that the keys come from the secret. Return the keys by round."""
    start, number = events[0], 0
    keys: dict[int, str] = {}
    for event in events:
        if event["kind"] == "round_dealt":
            number += 1
        elif event["kind"] == "key_revealed":
            holds = event["round"] == number and number not in keys
            findings.require(holds, f"Event {event['place']}: not the one key that is due after round {number}.")
            keys.setdefault(event["round"], event["key"])
    for event in events:
        if event["kind"] == "secret_revealed":
            secret = bytes.fromhex(event["secret"])
            holds = sha256_of(secret) == start["commitment"]
            findings.require(holds, "The secret is not the one committed to before the match.")
            for each, key in keys.items():
                derived = round_key(secret, start["match"], each).hex()
                findings.require(key == derived, f"Round {each}: the key does not come from the secret.")
    return keys


class Table:
    """A round as it is played: the hands, the boneyard, whose turn it is. What cannot be is noted."""

    def __init__(self, deal: Event, seats: int, draws: int, findings: Findings) -> None:
        self.hands = [list(hand) for hand in [*deal["hands"], *([] for _ in range(seats))][:seats]]
        self.boneyard, self.must_lead = list(deal["boneyard"]), deal["must_lead"]
        self.turn: int | None = deal["to_move"]
        self.leader: int = deal["to_move"]
        self.draws, self.findings = draws, findings
        self.last: int | None = None
        self.drawn = 0

    @property
    def out(self) -> int | None:
        """The seat that laid the last tile of its hand."""
        return self.last if self.last is not None and not self.hands[self.last] else None

    def take(self, event: Event) -> None:
        """Make a move."""
        where, seat, kind = f"Event {event['place']}", event["seat"], event["kind"]
        self.findings.require(seat == self.turn, f"{where}: it was not the turn of seat {seat}.")
        if seat not in range(len(self.hands)):
            return
        getattr(self, f"_{kind}")(where, seat, event)
        self.drawn = self.drawn + 1 if kind == "drew" else 0
        following = seat if kind == "drew" else (seat + 1) % len(self.hands)
        holds = event["to_move"] == following or (event["to_move"] is None and kind != "drew")
        self.findings.require(holds, f"{where}: another seat has the next turn.")
        self.turn = event["to_move"]

    def _drew(self, where: str, seat: int, event: Event) -> None:
        tile = event["tile"]
        self.findings.require(self.boneyard[:1] == [tile], f"{where}: {tile} was not the next to draw.")
        self.findings.require(self.drawn < self.draws, f"{where}: no more tiles may be drawn in this turn.")
        self.hands[seat].append(tile)
        del self.boneyard[:1]

    def _played(self, where: str, seat: int, event: Event) -> None:
        tile = event["tile"]
        if self.last is None and self.must_lead:
            self.findings.require(tile in self.must_lead, f"{where}: {tile} must not be led.")
        if tile in self.hands[seat]:
            self.hands[seat].remove(tile)
        else:
            self.findings.wrong.append(f"{where}: {tile} was not in the hand of the seat.")
        self.last = seat

    def _passed(self, where: str, seat: int, event: Event) -> None:
        holds = not self.boneyard or self.drawn >= self.draws
        self.findings.require(holds, f"{where}: passed, though there was a tile to draw.")


class Dealer:
    """Deals a match again, round by round, and compares."""

    def __init__(self, start: Event, game: Game, keys: dict[int, str], findings: Findings) -> None:
        self.start, self.game, self.keys, self.findings = start, game, keys, findings
        self.number = self.attempt = 1
        self.table: Table | None = None
        self.following: int | None = None

    def take(self, event: Event) -> None:
        """Take the next event."""
        kind = event["kind"]
        if kind in ("deal_voided", "round_dealt"):
            self._deal(event)
        elif kind in ("played", "drew", "passed") and self.table is not None:
            self.table.take(event)
        elif kind == "round_ended" and self.table is not None:
            self._end(event, self.table)

    def _deal(self, event: Event) -> None:
        number, attempt, findings = event["round"], event["attempt"], self.findings
        where = f"Round {number}, attempt {attempt}"
        holds = (number, attempt) == (self.number, self.attempt)
        findings.require(holds, f"{where}: round {self.number}, attempt {self.attempt} is due.")
        is_void = event["kind"] == "deal_voided"
        findings.dealt += 1
        if self.number in self.keys:
            self._compare(event, where, bytes.fromhex(self.keys[self.number]))
        else:
            findings.missing.append(f"{where}: the key of the round is missing.")
        self.number, self.attempt = (self.number, self.attempt + 1) if is_void else (self.number + 1, 1)
        self.table = None if is_void else Table(event, self.start["seats"], self.game.draws, findings)

    def _order(self, key: bytes, attempt: int) -> list[int]:
        words = random_words(key, self.start["match"], self.number, attempt, self.start["nonces"])
        return shuffled(len(self.game.tiles), words)

    def _compare(self, event: Event, where: str, key: bytes) -> None:
        """Compare one deal with the right one: every tile, the sizes, whether it is void, which seat leads."""
        require = self.findings.require
        require(sha256_of(key) == event["commitment"], f"{where}: the key is not the one committed to with the deal.")
        right = self._dealt(self._order(key, self.attempt))
        self.findings.wrong.extend(differences(event, right, where))
        is_void = self.game.is_void(right.hands, right.start)
        if event["kind"] == "deal_voided":
            require(is_void and event["rule"] == self.game.void_rule, f"{where}: no rule voids this deal.")
            return
        require(not is_void, f"{where}: the rules void this deal.")
        lots: list[int] = []

        def lot(seats: Sequence[int]) -> int:
            lots.extend(seats)
            return next(lots[index] for index in self._order(key, 0) if index < len(lots))

        lead = self.game.lead(right.hands, self.following, lot)
        require(event["lots"] == lots, f"{where}: lots are drawn among {lots}, not {event['lots']}.")
        require(event["to_move"] == lead.seat, f"{where}: seat {lead.seat} leads, not seat {event['to_move']}.")
        holds = event["must_lead"] == list(map(text_of, lead.tiles)) and event["rule"] == lead.rule
        require(holds, f"{where}: other tiles may be led, or by another rule.")

    def _dealt(self, order: list[int]) -> Deal:
        """Deal the set in this order. Of the tiles laid at the start the second copy of a tile lies turned.

        From version 2 of the rules on the last one is turned once more if the tile dealt first is a second copy.
        """
        game, seats = self.game, self.start["seats"]
        tiles = [game.tiles[index] for index in order]
        size = game.hand_size(seats, dict(self.start["options"]))
        hands = [tiles[size * seat : size * (seat + 1)] for seat in range(seats)]
        rest, laid = tiles[size * seats : len(tiles) - len(game.cells)], order[len(order) - len(game.cells) :]
        turned = [self._is_second_copy(index) for index in laid]
        if laid and self.start["rules_version"] > 1:
            turned[-1] ^= self._is_second_copy(order[0])
        start = [game.tiles[index][:: -1 if turn else 1] for index, turn in zip(laid, turned, strict=True)]
        return Deal(hands, rest if game.has_boneyard else [], start, [] if game.has_boneyard else rest, game.cells)

    def _is_second_copy(self, index: int) -> bool:
        tiles = self.game.tiles
        return tiles.index(tiles[index]) != index

    def _end(self, event: Event, table: Table) -> None:
        where = f"Event {event['place']}"
        self.findings.require(table.turn is None, f"{where}: the round had not come to its end.")
        self.findings.require(event["round"] == self.number - 1, f"{where}: this is not the round that ended.")
        self.following = self.game.next_lead(table)
        told = self.following if event["reason"] != "target" else None
        self.findings.require(event["lead"] == told, f"{where}: another seat leads the next round.")


@dataclass
class Deal:
    """Where every tile goes."""

    hands: list[list[Tile]]
    boneyard: list[Tile]
    start: list[Tile]
    aside: list[Tile]
    cells: tuple[str, ...]

    def heaps(self) -> list[list[str]]:
        """Return the tiles heap by heap in dealing order, those on the table with their cells."""
        laid = [f"{cell}={text_of(tile)}" for cell, tile in itertools.zip_longest(self.cells, self.start)]
        return [*([text_of(tile) for tile in heap] for heap in (*self.hands, self.boneyard, self.aside)), laid]


def differences(event: Event, right: Deal, where: str) -> list[str]:
    """Return where a deal differs from the right one: in the sizes of its heaps, or tile by tile."""
    was, due = [*event["hands"], event["boneyard"], event["aside"], event["start"]], right.heaps()
    if list(map(len, was)) != list(map(len, due)):
        return [f"{where}: heaps of {list(map(len, was))} tiles instead of {list(map(len, due))}."]
    pairs = enumerate(itertools.zip_longest(itertools.chain(*was), itertools.chain(*due)), 1)
    wrong = [f"{where}, tile {place}: {one} instead of {other}." for place, (one, other) in pairs if one != other]
    if len(wrong) > sum(map(len, due)) // 2:
        return [f"{where}: another shuffle altogether, {len(wrong)} tiles differ."]
    return wrong


def check(data: Any) -> Findings:
    """Check a whole match, or the part of a running one that is there. Raise ``Unreadable``."""
    events = read_events(data)
    start, findings = events[0], Findings()
    game = game_of(start)
    check_whole(data, events, game, findings)
    check_nonces(start, findings)
    check_order(events, findings)
    dealer = Dealer(start, game, check_keys(events, findings), findings)
    for event in events:
        if len(findings.wrong) < MOST_WRONG:
            dealer.take(event)
    if not findings.dealt:
        findings.missing.append("Nothing was dealt.")
    return findings


def result(findings: Findings) -> tuple[int, str]:
    """Return the exit code, and the result in words."""
    deals, seats = f"all {findings.dealt} deals follow", ", ".join(map(str, findings.givers))
    if findings.wrong:
        return UNFAIR, f"UNFAIR: {len(findings.wrong)} checks failed."
    if findings.missing:
        return UNCHECKED, "UNCHECKED: not everything was revealed yet, but what is there holds."
    if findings.limits:
        return LIMITED, f"LIMITED: {deals} from the secret and the nonces; what that does not show stands above."
    return FAIR, f"FAIR: {deals} from the secret committed to and the nonces of these seats: {seats}."


def report(findings: Findings) -> int:
    """Print what was found; return the exit code."""
    found = [*findings.wrong, *findings.missing, *findings.limits, *findings.notes]
    print("\n".join(found[:MOST_LINES]), end="\n" if found else "")
    if len(found) > MOST_LINES:
        print(f"... and {len(found) - MOST_LINES} more.")
    code, text = result(findings)
    print(text)
    return code


def load(path: str | None) -> Any:
    """Read the file, or standard input. Raise ``OSError``, ``ValueError`` or ``Unreadable``."""
    if path is None:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable("This is larger than any match.")
    return json.loads(data.decode("utf-8-sig"), parse_float=number)


def main() -> int:
    """Check the file named on the command line, or standard input."""
    try:
        return report(check(load(sys.argv[1] if len(sys.argv) > 1 else None)))
    except (OSError, ValueError, RecursionError, Unreadable) as error:
        print(f"UNCHECKED: {ascii(str(error))[1:-1]}")
        return UNCHECKED


if __name__ == "__main__":
    sys.exit(main())
