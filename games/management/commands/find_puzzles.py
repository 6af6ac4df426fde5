"""``manage.py find_puzzles GAME``: finds puzzles in public matches that are over, or in matches of bots."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.replay import start_event
from games.match import disclosure, record
from games.models import Match
from games.puzzles import Puzzle, daily, puzzle_to_data
from games.puzzles.search import find_puzzles, puzzles_from_bot_rounds
from games.records.record_files import read_matches
from games.words import offered_variants


class Command(BaseCommand):
    help = "Find positions in which one move is clearly best, and store them as puzzles of the coming days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=list(offered_variants()))
        parser.add_argument("--count", type=int, default=50, help="find at most this many")
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--self-play", metavar="SEED", help="in rounds that bots play, instead of public matches")
        where.add_argument("--records", metavar="FILE", type=Path, help="in records: lines of JSON, or texts")
        parser.add_argument(
            "--write", type=Path, metavar="FILE", help="add them to a file such as games/puzzles/first.json"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game, new_puzzles = options["game"], []
        for puzzle in islice(puzzles_from_source(game, options["self_play"], options["records"]), options["count"]):
            best = puzzle.moves[0].move
            self.stdout.write(f"{best}: {puzzle.margin} ± {puzzle.error} points, {puzzle.samples} samples")
            new_puzzles.append(puzzle)
        if options["write"]:
            write_puzzles(options["write"], game, new_puzzles)
        else:
            self.stdout.write(f"{daily.add_puzzles(game, new_puzzles)} of them are new.")


def puzzles_from_source(game: str, seed: str | None, file: Path | None) -> Iterator[Puzzle]:
    """Yield the puzzles in rounds of bots, in the records of a file, or in public matches. Raises CommandError."""
    if seed:
        return puzzles_from_bot_rounds(game, seed)
    return puzzles_in_records(game, file) if file else puzzles_in_public_matches(game)


def puzzles_in_records(game: str, file: Path) -> Iterator[Puzzle]:
    """Yield the puzzles in the records of a file. Raises CommandError."""
    try:
        for events in read_matches(file):
            if start_event(events).variant == game:
                yield from find_puzzles(events, sha256(repr(events).encode()).hexdigest())
    except (OSError, ValueError) as error:
        raise CommandError(str(error)) from error


def write_puzzles(path: Path, game: str, puzzles: Sequence[Puzzle]) -> None:
    """Replace the puzzles of a game in a file of several games, one a line."""
    games = json.loads(path.read_text()) if path.exists() else {}
    games[game] = [puzzle_to_data(puzzle) for puzzle in puzzles]
    parts = []
    for key, rows in games.items():
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        parts.append(f"{json.dumps(key)}: [\n{lines}\n]")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def puzzles_in_public_matches(game: str) -> Iterator[Puzzle]:
    """Yield the puzzles of public matches that are over for everybody, the newest first."""
    over = Match.objects.filter(variant=game, status=Match.Status.FINISHED, visibility=Match.Visibility.PUBLIC)
    for match in over.exclude(disclosure.undisclosed_matches()).order_by("-pk").iterator():
        yield from find_puzzles(record.events(match.pk), match.slug)
