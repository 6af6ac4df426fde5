"""Fair dealing: the specification's vectors and the shuffle."""

from __future__ import annotations

import hmac
import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games.engine.deal import commitment, nonce_commitment, permutation, random_below, round_key, shuffler
from games.engine.tiles import double_set, tile_text
from games.engine.variants import rules_for
from tests.engine.verifiers import run_script

DOCS = Path(__file__).parents[2] / "docs"
KOZEL = rules_for("kozel")

# The specification


def vectors() -> dict[str, str]:
    """Return the test vectors as they stand in the page."""
    section = (DOCS / "fair-dealing.md").read_text().split("## Test vectors")[1]
    rows = dict(re.findall(r"^(\S[^=\n]*?) += (.*)$", section, flags=re.MULTILINE))
    assert len(rows) == 16
    return rows


def test_published_test_vectors_are_correct() -> None:
    page = vectors()
    secret, match, nonces = page["secret"], page["match"], json.loads(page["nonces"])
    assert secret == bytes(range(32)).hex()
    assert commitment(secret) == page["match commitment"]
    commitments = [page.get(f"nonce commitment {seat}", "") for seat in range(3)]
    assert [nonce_commitment(nonce) for nonce in nonces] == commitments
    for number in (1, 2):
        key = round_key(secret, match, number)
        assert key == page[f"key {number}"]
        assert commitment(key) == page[f"round commitment {number}"]
    for number, attempt in ((1, 1), (1, 2), (2, 1)):
        key = page[f"key {number}"]
        order = permutation(key, match, number, attempt, nonces=nonces, count=28)
        assert list(order) == json.loads(page[f"shuffle {number}.{attempt}"])
    hand = [double_set(6)[index] for index in json.loads(page["shuffle 1.1"])[:7]]
    assert [tile_text(tile) for tile in hand] == json.loads(page["hand of seat 0"])


def test_published_algorithm_yields_the_test_vectors() -> None:
    """The algorithm written once more from the page, from the encoding on."""
    page = vectors()
    secret, match, nonces = bytes.fromhex(page["secret"]), page["match"], json.loads(page["nonces"])

    def encoded(*texts: str) -> bytes:
        return b"".join(len(text.encode()).to_bytes(4, "big") + text.encode() for text in texts)

    def mac(key: bytes, *texts: str) -> bytes:
        return hmac.new(key, encoded(*texts), "sha256").digest()

    assert encoded("round", match, "1").hex() == page["encoded round 1"]
    key = mac(secret, "round", match, "1")
    assert key.hex() == page["key 1"]
    assert sha256(key).hexdigest() == page["round commitment 1"]
    stream = b"".join(mac(key, "deal", match, "1", "1", str(block), "3", *nonces) for block in range(5))
    words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
    assert words[:8] == json.loads(page["words 1.1"])
    order = list(range(28))
    for last in range(27, 0, -1):
        word = words.pop(0)
        while word >= 2**32 - 2**32 % (last + 1):
            word = words.pop(0)
        chosen = word % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    assert order == json.loads(page["shuffle 1.1"])


# The shuffle

SECRET = bytes(32).hex()


def shuffle_of(**changed: Any) -> tuple[int, ...]:
    arguments = {"match": "m", "round_number": 1, "attempt": 1, "nonces": ("a", "b"), "count": 28, **changed}
    key = arguments.pop("key", round_key(SECRET, "m", 1))
    return permutation(key, **arguments)


def test_every_input_changes_the_shuffle() -> None:
    shuffles = [
        shuffle_of(),
        shuffle_of(key=round_key(SECRET, "m", 2)),
        shuffle_of(key=round_key(bytes(31).hex() + "01", "m", 1)),
        shuffle_of(match="n"),
        shuffle_of(round_number=2),
        shuffle_of(attempt=2),
        shuffle_of(attempt=0),
        shuffle_of(nonces=("a", "c")),
        shuffle_of(nonces=("b", "a")),
        shuffle_of(nonces=("a", "b", "")),
        shuffle_of(nonces=("ab", "")),
        shuffle_of(nonces=("", "ab")),
    ]
    assert all(sorted(order) == list(range(28)) for order in shuffles)
    assert len(set(shuffles)) == len(shuffles)
    assert shuffle_of() == shuffle_of()


def test_inputs_are_separated_unambiguously() -> None:
    assert round_key(SECRET, "m1", 1) != round_key(SECRET, "m", 11)
    key = round_key(SECRET, "m", 1)
    one = permutation(key, "m1", 1, 1, nonces=(), count=28)
    assert one != permutation(key, "m", 11, 1, nonces=(), count=28)
    assert one != permutation(key, "m1", 11, 1, nonces=(), count=28)


def test_all_orders_are_equally_likely() -> None:
    """24 orders of four, 500 expected of each in 12,000; three in a million exceed five standard deviations (110)."""
    key = round_key(SECRET, "m", 1)
    rows = Counter(permutation(key, "m", 1, attempt, nonces=(), count=4) for attempt in range(12_000))
    assert len(rows) == 24
    assert all(abs(times - 500) < 110 for times in rows.values())


def test_the_shuffler_deals_by_attempt() -> None:
    key = round_key(SECRET, "m", 1)
    shuffle = shuffler(key, "m", 1, nonces=("a", "b"), count=28)
    assert shuffle(1) == shuffle_of()
    assert shuffle(2) == shuffle_of(attempt=2)


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_shuffle(count: int) -> None:
    assert shuffle_of(count=count) == tuple(range(count))


def test_a_key_is_hexadecimal() -> None:
    with pytest.raises(ValueError, match="hex"):
        commitment("secret")


def test_biased_words_are_rejected() -> None:
    """2^32 = 3 * 1431655765 + 1: of all words only the last, 2^32 - 1, is one too many for three."""
    assert random_below(3, iter([2**32 - 2])) == (2**32 - 2) % 3 == 2
    assert random_below(3, iter([2**32 - 1, 7])) == 1
    assert random_below(4, iter([2**32 - 1])) == 3
    # 2^32 = 28 * 153391689 + 4
    assert random_below(28, iter([2**32 - 4, 2**32 - 1, 2**32 - 5])) == 27


def test_verifier_rejects_the_same_words() -> None:
    # Three tiles: the first word is thrown away; 4 % 3 = 1 exchanges places 2 and 1, 3 % 2 = 1 leaves place 1.
    assert run_script("shuffles.mjs", [{"count": 3, "words": [2**32 - 1, 4, 3]}]) == [[0, 2, 1]]


def test_the_verifier_shuffles_as_the_page_says() -> None:
    page = vectors()
    shared = {"count": 28, "match": page["match"], "nonces": json.loads(page["nonces"])}
    deals = [(1, 1), (1, 2), (2, 1)]
    questions = [
        shared | {"key": page[f"key {round}"], "round": round, "attempt": attempt} for round, attempt in deals
    ]
    answers = run_script("shuffles.mjs", questions)
    assert answers == [json.loads(page[f"shuffle {round}.{attempt}"]) for round, attempt in deals]
