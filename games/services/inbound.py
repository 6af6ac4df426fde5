"""Parses the messages that browsers send over a socket, and checks their size and shape first."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from games.enums import DEFAULT_BOT_LEVEL, BotLevel
from games.errors import Refused
from games.geometry.spots import Shape

MAX_MESSAGE_LENGTH = 4000  # characters; ten times as many as in the longest message that a page sends
MAX_MOVE_LENGTH = 40
MAX_NUMBER = 2**31  # exclusive
MAX_NONCE_LENGTH = 64
SHA256_PATTERN = re.compile("[0-9a-f]{64}")


def parse_message(text: str | None) -> Mapping[str, Any]:
    """Return the flat JSON object of a message. Raises Refused ``bad_request``."""
    if not text or len(text) > MAX_MESSAGE_LENGTH:
        raise Refused("bad_request")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("bad_request") from None
    if not isinstance(data, dict):
        raise Refused("bad_request")
    return data


def message_type(data: Mapping[str, Any]) -> str:
    value = data.get("type")
    return value if isinstance(value, str) else ""


def read_move(data: Mapping[str, Any]) -> tuple[str, int]:
    """Return the move and the version its player saw, from a message or a form. Raises Refused ``bad_request``."""
    move, version = data.get("move"), data.get("v")
    if not isinstance(move, str) or len(move) > MAX_MOVE_LENGTH:
        raise Refused("bad_request")
    return move, parse_whole_number(version)


def read_tile(data: Mapping[str, Any]) -> str:
    """Return the chosen tile, "" for none. Raises Refused ``bad_request``."""
    tile = data.get("tile", "")
    if not isinstance(tile, str) or len(tile) > MAX_MOVE_LENGTH:
        raise Refused("bad_request")
    return tile


def read_nonce(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the commitment of a nonce and the nonce, one of them "". Raises Refused ``bad_request``.

    A nonce is printable and of bounded length: a commitment to any other text cannot be opened.
    """
    commitment, nonce = data.get("commitment", ""), data.get("nonce", "")
    if not isinstance(commitment, str) or not isinstance(nonce, str):
        raise Refused("bad_request")
    if commitment and not SHA256_PATTERN.fullmatch(commitment):
        raise Refused("bad_request")
    return commitment, "" if commitment else "".join(filter(str.isprintable, nonce)).strip()[:MAX_NONCE_LENGTH]


def answers_no(data: Mapping[str, Any]) -> bool:
    """Return whether the answer to a yes-or-no question, such as an offered rematch, is no."""
    return data.get("answer") == "no"


def read_vote(data: Mapping[str, Any]) -> str:
    """Return a vote about the absence of others, "" to withdraw it. Raises Refused ``bad_request``."""
    vote = data.get("vote", "")
    if not isinstance(vote, str):
        raise Refused("bad_request")
    return vote


def read_announced_points(data: Mapping[str, Any]) -> int:
    """Return the conduct points that the page announced for an act, 0 for none. Raises Refused ``bad_request``."""
    return parse_whole_number(data.get("told") or 0)


def read_bot_level(data: Mapping[str, Any]) -> BotLevel:
    """Return the chosen level of bots, the usual one by default. Raises Refused ``bad_request``."""
    try:
        return BotLevel(data.get("level") or DEFAULT_BOT_LEVEL)
    except ValueError:
        raise Refused("bad_request") from None


def read_person_id(data: Mapping[str, Any]) -> int:
    """Return the id of the person in a form. Raises Refused ``bad_request``."""
    return parse_whole_number(data.get("person"))


def read_revision(data: Mapping[str, Any]) -> int | None:
    """Return the revision that a page shows, None if it does not report one."""
    revision = data.get("r")
    return revision if isinstance(revision, int) else None


def is_page_visible(data: Mapping[str, Any]) -> bool:
    """Return whether a page is visible according to its heartbeat. A new page, which has not sent one, counts."""
    return data.get("visible") is not False


def read_chat_line(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of a chat value, or the key of its ``phrase``. Raises Refused ``bad_request``."""
    field = "phrase" if data.get("phrase") else "text"
    value = data.get(field)
    if not isinstance(value, str):
        raise Refused("bad_request")
    return {field: value}


def wants_mute(data: Mapping[str, Any]) -> bool:
    """Return whether a reader mutes the table; False turns its chat on again."""
    return data.get("mute") == "on"


def wants_hints(data: Mapping[str, Any]) -> bool:
    """Return whether hints are on, according to a message, a form or the cookie that remembers them."""
    return data.get("hints") == "on"


def read_shape(data: Mapping[str, Any]) -> Shape:
    """Return the shape of the felt in a browser, from a message or the cookie that remembers it."""
    return next((shape for shape in Shape if shape == data.get("shape")), Shape.EVEN)


def parse_whole_number(value: object) -> int:
    """Return a number, which forms send as text. Raises Refused ``bad_request``."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < len(str(MAX_NUMBER)):
        value = int(value)
    if type(value) is not int or not 0 <= value < MAX_NUMBER:
        raise Refused("bad_request")
    return value
