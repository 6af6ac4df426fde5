"""Checks the parts of an uploaded match that no rule produces: names, keys, times, the version of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from games.engine.events import DealVoided, Event, KeyRevealed, MatchStarted, RoundDealt, SecretRevealed
from games.engine.replay import initial_state, match_start, round_keys
from games.engine.transcript import Entry
from games.engine.variants import rules_for
from games.records.unreadable import Unreadable, shortened, undealt

MAX_TIME_MS = 4_102_444_800_000  # the year 2100
MAX_TEXT_LENGTH = 64
DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def require_ours(events: Sequence[Event]) -> None:
    """Check the start, the keys and the secret. Raises BadRecord or Unreadable."""
    require_our_start(match_start(events))
    digests = [event.key for event in events if isinstance(event, KeyRevealed)]
    digests += [event.secret for event in events if isinstance(event, SecretRevealed)]
    if not all(map(is_digest, digests)):
        raise Unreadable(_("A key or the secret in this record is damaged."))
    dealt = {event.round for event in events if isinstance(event, DealVoided | RoundDealt)}
    if not dealt or not dealt <= round_keys(events).keys():
        raise undealt()


def require_our_start(start: MatchStarted) -> None:
    """Raises BadRecord or Unreadable."""
    require_known_rules(start)
    if len(start.nonces) > start.seats or not all(map(is_short, (start.match, *start.nonces))):
        raise Unreadable(_("A name or a player’s text in this record is damaged."))
    if not all(is_digest(text) for text in (start.commitment, *start.nonce_commitments) if text != ""):
        raise Unreadable(_("A fingerprint in this record is damaged."))
    if len(start.nonce_commitments) not in (0, start.seats) or not set(start.bots) <= set(range(start.seats)):
        raise Unreadable(_("The seats in this record do not fit its fingerprints or bots."))


def require_known_rules(start: MatchStarted) -> None:
    """Raises BadRecord or Unreadable."""
    rules = rules_for(start.variant)
    if not rules.knows(start.rules_version):
        raise Unreadable(
            _("This match uses version %(version)s of the rules. Only versions up to %(newest)d are known.")
            % {"version": shortened(start.rules_version), "newest": rules.rules_version}
        )
    initial_state(start)
    written = {option.name for option in rules.options if not option.implied}
    if not written <= dict(start.options).keys() <= {option.name for option in rules.options}:
        raise Unreadable(_("The options of the table are incomplete or unknown in this record."))


def require_times(entries: Iterable[Entry]) -> None:
    """Raises Unreadable."""
    if not all(entry.at is None or 0 <= entry.at <= MAX_TIME_MS for entry in entries):
        raise Unreadable(_("A time in this record is before 1970 or after 2100."))


def is_short(text: object) -> bool:
    return isinstance(text, str) and len(text) <= MAX_TEXT_LENGTH and text.isprintable()


def is_digest(text: object) -> bool:
    return isinstance(text, str) and DIGEST.fullmatch(text) is not None
