"""The server's part in fair dealing: it creates secrets, deals rounds from them, and reveals them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from games import caches
from games.caches import ProcessCache
from games.engine import decide
from games.engine.deal import commitment, round_key, shuffler
from games.engine.events import Event, KeyRevealed, MatchEnded, RoundEnded, SecretRevealed
from games.engine.state import State
from games.engine.variants import rules_for
from games.match import record
from games.match.match_rows import MatchRow
from games.models import Match

_secrets: ProcessCache[str] = caches.secrets

__all__ = ["commitment", "deal_round", "new_secret", "reveal_events"]


def new_secret() -> str:
    """Return 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def deal_round(row: MatchRow, state: State, nonces: Sequence[str]) -> tuple[Event, ...]:
    """Deal the next round from the match's secret and the players' nonces."""
    rules = rules_for(row.variant)
    number = state.round.number + 1
    key = round_key(_secret(row.match_id), row.slug, number)
    shuffle_of_attempt = shuffler(key, row.slug, number, nonces=nonces, count=len(rules.tile_set))
    return decide.deal_round(rules, state, shuffle_of_attempt, commitment=commitment(key))


def deal_next_round(row: MatchRow, state: State) -> tuple[Event, ...]:
    """Deal the next round of a running match with the nonces from its start event."""
    return deal_round(row, state, record.start_event(row.match_id).nonces)


def reveal_events(row: MatchRow, state: State, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that reveal the key after the end of a round, and the secret after the end of the match."""
    is_over = any(isinstance(event, MatchEnded) for event in events)
    round_ended = any(isinstance(event, RoundEnded) for event in events)
    reveals: list[Event] = []
    if round_ended or (is_over and row.to_move is not None):
        key = round_key(_secret(row.match_id), row.slug, state.round.number)
        reveals.append(KeyRevealed(state.round.number, key))
    if is_over:
        reveals.append(SecretRevealed(_secret(row.match_id)))
    return tuple(reveals)


def _secret(match_id: int) -> str:
    return _secrets().get_or_load(match_id, lambda: Match.objects.values_list("secret", flat=True).get(pk=match_id))
