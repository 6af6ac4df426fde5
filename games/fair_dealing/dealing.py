"""The server's part in fair dealing: it creates secrets, deals rounds from them, and reveals them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from games import caches
from games.caches import ProcessCache
from games.engine import decide
from games.engine.deal import bot_seed, commitment, deal_source
from games.engine.events import Event, KeyRevealed, MatchEnded, MatchStarted, RoundEnded, SecretRevealed
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


def deal_round(row: MatchRow, state: State, start: MatchStarted) -> tuple[Event, ...]:
    """Deal the next round from the match's secret and what its start event says."""
    rules = rules_for(row.variant)
    number = state.round.number + 1
    key = deal_source(start).round_key(_secret(row.match_id), number)
    shuffle_of_attempt = deal_source(start).shuffler(key, number, len(rules.tile_set))
    return decide.deal_round(rules, state, shuffle_of_attempt, commitment=commitment(key))


def deal_next_round(row: MatchRow, state: State) -> tuple[Event, ...]:
    """Deal the next round of a running match."""
    return deal_round(row, state, record.start_event(row.match_id))


def reveal_events(row: MatchRow, state: State, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that reveal the key after the end of a round, and the secret after the end of the match.

    Those of a board stay closed, because others still play it: ``board_key_event`` and ``set_secret_event`` reveal
    them.
    """
    is_over = any(isinstance(event, MatchEnded) for event in events)
    round_ended = any(isinstance(event, RoundEnded) for event in events)
    if not (is_over or round_ended) or record.start_event(row.match_id).source:
        return ()
    reveals: list[Event] = []
    if round_ended or row.to_move is not None:
        reveals.append(_key_event(row, state))
    if is_over:
        reveals.append(SecretRevealed(_secret(row.match_id)))
    return tuple(reveals)


def board_key_event(row: MatchRow, state: State) -> KeyRevealed:
    """Return the event that reveals the key of a board. Raises ValueError while the match is running."""
    if state.match_over is None:
        raise ValueError("The board is still being played.")
    return _key_event(row, state)


def set_secret_event(row: MatchRow, state: State) -> SecretRevealed:
    """Return the event that reveals the secret of a set, once its last board is closed.

    Raises ValueError if the key of this board was not revealed.
    """
    if not state.round.key:
        raise ValueError("The board is not closed.")
    return SecretRevealed(_secret(row.match_id))


def board_bot_seed(row: MatchRow, state: State) -> int | None:
    """Return the seed of the bot to move on a board, None in other matches."""
    start = record.start_event(row.match_id)
    if not start.source or state.round.to_move is None:
        return None
    key = deal_source(start).round_key(_secret(row.match_id), state.round.number)
    return bot_seed(key, state.round.to_move, len(state.round.moves))


def _key_event(row: MatchRow, state: State) -> KeyRevealed:
    source, number = deal_source(record.start_event(row.match_id)), state.round.number
    return KeyRevealed(number, source.round_key(_secret(row.match_id), number))


def _secret(match_id: int) -> str:
    return _secrets().get_or_load(match_id, lambda: Match.objects.values_list("secret", flat=True).get(pk=match_id))
