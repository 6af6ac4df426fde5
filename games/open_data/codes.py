"""The codes that replace the names of people and matches in the files of a month.

They come from a random key that only the export knows. It is stored nowhere, so afterwards nobody can compute whose
code one is, not even the site. The moves of a match that the site shows with names can still reveal it.
"""

from __future__ import annotations

import secrets

from games.engine.deal import mac

CODE_BYTES = 6  # 12 characters: among 100,000 people two share a code in one of 50,000 months


class MonthCodes:
    """The codes of one month."""

    def __init__(self) -> None:
        self._key = secrets.token_hex(32)

    def match(self, match_id: int) -> str:
        return self._code("match", str(match_id))

    def person(self, user_id: int) -> str:
        """Return the code of a person in all rated matches of the month."""
        return self._code("person", str(user_id))

    def person_of_set(self, source: str, user_id: int) -> str:
        """Return the code of a person on the boards of one set.

        Which set a person gets each day follows from their number on the site. With one code for the month, the sets
        of many days together would reveal it.
        """
        return self._code("board", source, str(user_id))

    def board_set(self, source: str) -> str:
        return self._code("set", source)

    def _code(self, *fields: str) -> str:
        return mac(self._key, *fields)[:CODE_BYTES].hex()
