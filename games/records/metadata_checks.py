"""Checks the parts of an uploaded match that no rule produces: names, keys, times, the version of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from games.engine.events import DealVoided, Event, KeyRevealed, MatchStarted, RoundDealt, SecretRevealed
from games.engine.replay import initial_state, round_keys, start_event
from games.engine.transcript import Entry
from games.engine.variants import rules_for
from games.records.import_errors import UnreadableRecord, missing_deals_error, printable_excerpt

MAX_TIME_MS = 4_102_444_800_000  # the year 2100
MAX_TEXT_LENGTH = 64
MAX_BOARDS = 1000  # of a set
DIGEST_PATTERN = re.compile(r"[0-9a-f]{64}", re.ASCII)


def check_metadata(events: Sequence[Event]) -> None:
    """Check the start, the keys and the secret. Raises BadRecord or UnreadableRecord."""
    check_start(start_event(events))
    digests = [event.key for event in events if isinstance(event, KeyRevealed)]
    digests += [event.secret for event in events if isinstance(event, SecretRevealed)]
    if not all(map(is_digest, digests)):
        raise UnreadableRecord(_("A key or the secret in this record is damaged."))
    dealt_rounds = {event.round for event in events if isinstance(event, DealVoided | RoundDealt)}
    if not dealt_rounds or not dealt_rounds <= round_keys(events).keys():
        raise missing_deals_error()


def check_start(start: MatchStarted) -> None:
    """Raises BadRecord or UnreadableRecord."""
    check_rules_and_options(start)
    if len(start.nonces) > start.seats or not all(map(is_short_text, (start.match, *start.nonces))):
        raise UnreadableRecord(_("A name or a player’s text in this record is damaged."))
    if not all(is_digest(text) for text in (start.commitment, *start.nonce_commitments) if text != ""):
        raise UnreadableRecord(_("A fingerprint in this record is damaged."))
    if not is_board_of_set(start):
        raise UnreadableRecord(_("The name or the number of the deal in its set is damaged in this record."))
    if len(start.nonce_commitments) not in (0, start.seats) or not set(start.bots) <= set(range(start.seats)):
        raise UnreadableRecord(_("The seats in this record do not fit its fingerprints or bots."))


def is_board_of_set(start: MatchStarted) -> bool:
    """Return whether the fields of a board are well-formed. The check of the deals reports wrong ones."""
    is_number = type(start.first) is int and 1 <= start.first <= MAX_BOARDS
    return is_number and is_short_text(start.source) and (start.entropy == "" or is_digest(start.entropy))


def check_rules_and_options(start: MatchStarted) -> None:
    """Raises BadRecord or UnreadableRecord."""
    rules = rules_for(start.variant)
    if not rules.knows(start.rules_version):
        raise UnreadableRecord(
            _("This match uses version %(version)s of the rules. Only versions up to %(newest)d are known.")
            % {"version": printable_excerpt(start.rules_version), "newest": rules.rules_version}
        )
    initial_state(start)
    required_options = {option.name for option in rules.options if not option.implied}
    if not required_options <= dict(start.options).keys() <= {option.name for option in rules.options}:
        raise UnreadableRecord(_("This record has missing or unknown table options."))


def check_times(entries: Iterable[Entry]) -> None:
    """Raises UnreadableRecord."""
    if not all(entry.at is None or 0 <= entry.at <= MAX_TIME_MS for entry in entries):
        raise UnreadableRecord(_("A time in this record is before 1970 or after 2100."))


def is_short_text(text: object) -> bool:
    return isinstance(text, str) and len(text) <= MAX_TEXT_LENGTH and text.isprintable()


def is_digest(text: object) -> bool:
    return isinstance(text, str) and DIGEST_PATTERN.fullmatch(text) is not None
