"""The exception for commands that the rules of tournaments refuse."""

from __future__ import annotations

# What each code means. Texts for people belong to the pages.
CODES = {
    "already_entered": "A person of the party has entered.",
    "bad_request": "The command fits no state of this tournament.",
    "begun": "The table has begun.",
    "counted": "The table has a result.",
    "full": "All places are taken.",
    "not_begun": "The table has not begun.",
    "not_entered": "The party has not entered, or has left.",
    "over": "The tournament is over or cancelled.",
    "stale": "The pairing does not fit the entrants any more.",
    "too_early": "It is not time yet.",
    "too_late": "Too much has been played to enter.",
}


class Refusal(Exception):
    """A command was refused and changed nothing. ``code`` is one of ``CODES``."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(CODES[code])
