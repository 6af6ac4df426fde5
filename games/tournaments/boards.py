"""The boards of duplicate tournaments: all tables of a round have one deal.

The set of a tournament is drawn with its announcement. Its boards are numbered like the rounds. A board closes when
its tables are over: then its key is revealed and its results count. The secret is revealed after the tournament.
All boards of a tournament have the same bots: a change of the bots ends it.
"""

from __future__ import annotations

from datetime import datetime

from games.bots import boards as bot_boards
from games.engine.decide import new_match
from games.engine.variants import rules_for
from games.enums import TournamentFormat
from games.models import Tournament
from games.services import boards
from games.services.boards import Board
from games.tournaments import record
from games.tournaments.core.state import State
from games.tournaments.levels import LevelsTask


def source_of(row: Tournament) -> str:
    """Return the name of the set of a tournament."""
    return f"tournament-{row.slug}"


def board_of(row: Tournament, state: State, number: int) -> Board:
    """Return the deal of a round."""
    return Board(source_of(row), number, row.secret, state.entropy)


def has_older_bots(row: Tournament) -> bool:
    """Return whether the boards of a running tournament were played against other bots than those of this version."""
    has_boards = row.format == TournamentFormat.DUPLICATE and row.stage == Tournament.Stage.RUNNING and row.round > 0
    return has_boards and row.bots_version < bot_boards.BOTS_VERSION


def close_board(row: Tournament, now: datetime) -> LevelsTask | None:
    """Reveal the key of the board if all its tables are over. Return what remains for a worker once that is done."""
    state = record.state_of(row.pk, row.version)
    if not state.is_board_open or any(table.is_pending for table in state.current_tables):
        return None
    board = board_of(row, state, state.round)
    if not boards.close_boards(sources=[board.source], number=board.number, with_secret=False, now=now):
        return None
    start = new_match(
        rules_for(row.variant),
        row.seat_count,
        row.options,
        source=board.source,
        first=board.number,
        entropy=board.entropy,
    )
    return LevelsTask(row.pk, state.round, start, row.secret)


def reveal_secret(row: Tournament, now: datetime) -> bool:
    """Reveal the keys and the secret of a set whose tournament is over. Return whether that is done.

    Tables of a cancelled tournament stop.
    """
    return boards.close_boards(sources=[source_of(row)], with_secret=True, now=now)
