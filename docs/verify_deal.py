#!/usr/bin/env python3
"""Check that the tiles of an exported match were dealt as the site had committed itself to deal them.

    python3 verify_deal.py match.json        (or: python3 verify_deal.py < match.json)

It needs Python 3.9 or newer and nothing else: no package, no network, no file of the site. The algorithm is written
down in fair-dealing.md. The last line begins with the result, and the exit code says the same:

    0  FAIR       every check holds
    1  UNFAIR     at least one does not
    2  UNCHECKED  the file cannot be read as a match, or a key or the secret is missing
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterator

FAIR, UNFAIR, UNCHECKED = 0, 1, 2
FORMAT = 1


class Unreadable(Exception):
    """The file is no match in a format known here."""


class Findings:
    """What does not hold, and what is missing, in words."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.missing: list[str] = []
        self.dealt = 0

    def require(self, holds: bool, text: str) -> None:
        """Note the text unless it holds."""
        if not holds:
            self.wrong.append(text)


# The algorithm


def mac(key: bytes, *fields: str) -> bytes:
    """HMAC-SHA256 over texts, each in UTF-8 and preceded by its length in bytes (4 bytes, big-endian)."""
    parts = [field.encode("utf-8") for field in fields]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.new(key, message, hashlib.sha256).digest()


def round_key(secret: bytes, match: str, number: int) -> bytes:
    """Derive the key of a round from the secret of the match."""
    return mac(secret, "round", match, str(number))


def random_words(key: bytes, match: str, number: int, attempt: int, nonces: list[str]) -> Iterator[int]:
    """Yield numbers of 32 bits without end: eight from each block of 32 bytes."""
    for block in itertools.count():
        digest = mac(key, "deal", match, str(number), str(attempt), str(block), str(len(nonces)), *nonces)
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def shuffled(count: int, words: Iterator[int]) -> list[int]:
    """Fisher-Yates from the end; words of the incomplete last run are thrown away, so that nothing is favoured."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        size = last + 1
        word = next(word for word in words if word < 2**32 - 2**32 % size)
        order[last], order[word % size] = order[word % size], order[last]
    return order


# The checks


def parts_of(tile: str) -> tuple[int, ...]:
    """Read a tile."""
    return tuple(int(part) for part in tile.split("-"))


def is_full_set(tiles: list[str]) -> bool:
    """Tell whether the list is a whole set in rising order: every combination of its values, each as often."""
    parts = [parts_of(tile) for tile in tiles]
    found = Counter(tuple(sorted(each)) for each in parts)
    if not found or parts != sorted(parts):
        return False
    values = sorted({value for tile in found for value in tile})
    whole = set(itertools.combinations_with_replacement(values, len(parts[0])))
    return set(found) == whole and len(set(found.values())) == 1


def check_secret(events: list[dict], keys: dict[int, str], findings: Findings) -> None:
    """Check the secret against its commitment, and that every round key comes from it."""
    start = events[0]
    secrets = [event["secret"] for event in events if event["kind"] == "secret_revealed"]
    if not secrets:
        findings.missing.append("The secret of the match is missing.")
    for text in secrets:
        secret = bytes.fromhex(text)
        committed = hashlib.sha256(secret).hexdigest() == start.get("commitment")
        findings.require(committed, "The secret is not the one committed to before the match.")
        for number, key in keys.items():
            derived = round_key(secret, start.get("match", ""), number).hex()
            findings.require(key == derived, f"Round {number}: the key does not come from the secret.")


def check_deals(events: list[dict], tiles: list[str], keys: dict[int, str], findings: Findings) -> None:
    """Check every deal, void ones included, and that none was left out."""
    start, expected = events[0], (1, 1)
    for event in events:
        if event["kind"] not in ("deal_voided", "round_dealt"):
            continue
        number, attempt = event["round"], event["attempt"]
        where = f"Round {number}, attempt {attempt}"
        findings.require((number, attempt) == expected, f"{where}: round {expected[0]}, attempt {expected[1]} is due.")
        expected = (number, attempt + 1) if event["kind"] == "deal_voided" else (number + 1, 1)
        findings.dealt += 1
        if number not in keys:
            findings.missing.append(f"{where}: the key of the round is missing.")
            continue
        key = bytes.fromhex(keys[number])
        committed = hashlib.sha256(key).hexdigest() == event.get("commitment")
        findings.require(committed, f"{where}: the key is not the one committed to with the deal.")
        orders = [
            shuffled(len(tiles), random_words(key, start.get("match", ""), number, each, start.get("nonces", [])))
            for each in (attempt, 0)
        ]
        compare(event, in_order(tiles, orders[0], len(event.get("start", []))), where, findings)
        lots = event.get("lots", [])
        fallen = [lots[index] for index in orders[1] if index < len(lots)]
        findings.require(fallen[:1] in ([], [event.get("to_move")]), f"{where}: the lot fell on another seat.")


def in_order(tiles: list[str], order: list[int], laid: int) -> list[str]:
    """Return the tiles in dealing order; of the last ones, on the table, the second copy of a tile lies turned."""
    right = [tiles[index] for index in order]
    for place in range(len(order) - laid, len(order)):
        if tiles.index(right[place]) != order[place]:
            right[place] = "-".join(reversed(right[place].split("-")))
    return right


def compare(event: dict, right: list[str], where: str, findings: Findings) -> None:
    """Compare one deal with the right one, tile by tile: hands, boneyard, set aside, on the table as they lie."""
    laid = [placement.partition("=")[2] for placement in event.get("start", [])]
    was = [tile for part in [*event["hands"], event["boneyard"], event.get("aside", []), laid] for tile in part]
    pairs = enumerate(itertools.zip_longest(was, right, fillvalue="nothing"), 1)
    wrong = [f"{where}, tile {place}: {one} instead of {other}." for place, (one, other) in pairs if one != other]
    if len(wrong) > len(right) // 2:
        wrong = [f"{where}: another shuffle altogether, {len(wrong)} of {len(right)} tiles differ."]
    findings.wrong.extend(wrong)


def check_moves(events: list[dict], findings: Findings) -> None:
    """Check that every tile drawn was the next of the boneyard, and every tile played was in the hand."""
    hands: list[list[str]] = []
    boneyard: list[str] = []
    for event in events:
        where = f"Event {event['seq']}"
        if event["kind"] == "round_dealt":
            hands, boneyard = [list(hand) for hand in event["hands"]], list(event["boneyard"])
        elif event["kind"] == "drew":
            findings.require(boneyard[:1] == [event["tile"]], f"{where}: {event['tile']} was not the next to draw.")
            hands[event["seat"]].append(event["tile"])
            boneyard = boneyard[1:]
        elif event["kind"] == "played":
            hand = hands[event["seat"]]
            if event["tile"] not in hand:
                findings.wrong.append(f"{where}: {event['tile']} was not in the hand of the seat.")
                continue
            hand.remove(event["tile"])


def check(data: dict) -> Findings:
    """Check a whole match. Raise ``Unreadable``."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Unreadable("This is no match in a format known here.")
    findings = Findings()
    try:
        events, tiles = data["events"], data["tiles"]
        if events[0]["kind"] != "match_started":
            raise Unreadable("The record does not begin with the start of the match.")
        numbered = [event["seq"] for event in events] == list(range(1, len(events) + 1))
        findings.require(numbered, "The events are not numbered one by one: some are missing or doubled.")
        findings.require(is_full_set(tiles), "The list of tiles is not a whole set in rising order.")
        keys = {event["round"]: event["key"] for event in events if event["kind"] == "key_revealed"}
        check_secret(events, keys, findings)
        check_deals(events, tiles, keys, findings)
        check_moves(events, findings)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(f"The match cannot be read: {error!r}") from error
    return findings


def report(findings: Findings) -> int:
    """Print what was found; return the exit code."""
    for text in [*findings.wrong, *findings.missing]:
        print(text)
    if findings.wrong:
        print(f"UNFAIR: {len(findings.wrong)} checks do not hold.")
        return UNFAIR
    if findings.missing or not findings.dealt:
        print("UNCHECKED: not everything was revealed. Export the match again when it is over.")
        return UNCHECKED
    print(f"FAIR: all {findings.dealt} deals are the ones the site committed to.")
    return FAIR


def main() -> int:
    """Check the file named on the command line, or standard input."""
    try:
        if len(sys.argv) > 1:
            with open(sys.argv[1], encoding="utf-8") as file:
                data = json.load(file)
        else:
            data = json.load(sys.stdin)
        return report(check(data))
    except (OSError, ValueError, RecursionError, Unreadable) as error:
        print(f"UNCHECKED: {error}")
        return UNCHECKED


if __name__ == "__main__":
    sys.exit(main())
