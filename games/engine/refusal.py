"""A refusal: why a request to the rules was not carried out."""

from __future__ import annotations

TEXTS = {
    "bad_request": "The request cannot be understood.",
    "no_match": "There is no match yet.",
    "bad_deal": "The deal is not the full set dealt by the rules.",
    "round_running": "The round is still running.",
    "round_over": "The round is over.",
    "match_over": "The match is over.",
    "not_your_turn": "It is another seat's turn.",
    "bad_move": "The move cannot be read.",
}
"""The sentence for each code that does not cite a rule."""


class Refusal(Exception):
    """The rules refuse a request. Nothing has changed, and the text names nothing that the player cannot see.

    ``code`` is one of the referee protocol's; ``rule`` the id of the rule, or None; ``text`` an English sentence.
    """

    def __init__(self, code: str, text: str = "", rule: str | None = None) -> None:
        self.code = code
        self.text = text or TEXTS[code]
        self.rule = rule
        super().__init__(self.text)
