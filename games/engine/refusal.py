"""The exception for requests that the rules refuse."""

from __future__ import annotations

from games.engine.layout import Layout
from games.engine.tiles import Tile

# Texts of the refusals that cite no rule, by code.
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


class Refusal(Exception):
    """A request was refused and changed nothing. The text reveals nothing that is hidden from the player.

    ``code`` is an error of the referee protocol, ``rule`` a rule id or None, ``text`` an English sentence.
    ``misfit`` is a tile of the player that fits nowhere on the layout.
    """

    def __init__(
        self, code: str, text: str = "", rule: str | None = None, misfit: tuple[Tile, Layout] | None = None
    ) -> None:
        self.misfit = misfit
        self.code = code
        self.text = text or TEXTS[code]
        self.rule = rule
        super().__init__(self.text)
